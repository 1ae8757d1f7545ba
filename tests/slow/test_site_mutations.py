"""Damaged texts of poker sites, many of them."""

from __future__ import annotations

import pytest

from unit.notation.sites.test_mutations import SAMPLES, test_no_exception_of_pythons_own as check


@pytest.mark.parametrize("name", list(SAMPLES))
def test_twenty_thousand_mutations(name: str) -> None:
    check(name, 20_000)
