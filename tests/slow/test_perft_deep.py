"""Perft to the end of the files, and as deep as the other engines come in minutes."""

import pytest

from conformance.test_perft import (
    ACPC,
    CASINO,
    GAMES,
    check_kernels,
    check_pokerkit,
    check_twin,
    check_universal_poker,
)

pytestmark = pytest.mark.slow
NAMES = "perft sequences counted, deep"


@pytest.mark.parametrize("name", GAMES)
def test_kernels(name, record_property):
    record_property(NAMES, {"kernels": check_kernels(GAMES[name], 100_000_000)})


@pytest.mark.parametrize("name", GAMES)
def test_plain_twin(name, record_property):
    record_property(NAMES, {"plain twin": check_twin(GAMES[name], 400_000)})


@pytest.mark.parametrize("name", ACPC)
def test_universal_poker(name, record_property):
    record_property(NAMES, {"universal_poker": check_universal_poker(GAMES[name], 4_000_000)})


@pytest.mark.parametrize("name", CASINO)
def test_pokerkit(name, record_property):
    record_property(NAMES, {"PokerKit": check_pokerkit(GAMES[name], 20_000)})
