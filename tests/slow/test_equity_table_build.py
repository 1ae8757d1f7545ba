"""The shipped part of the win-rate table is what the build makes."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.equity import load_win_rate_table
from dupai.equity._build import build_entries


@pytest.mark.slow
def test_shipped_entries_are_built_again_bit_for_bit() -> None:
    built = build_entries(3)
    assert built is not None
    np.testing.assert_array_equal(np.concatenate([built[1], built[0]]), load_win_rate_table().entries)
