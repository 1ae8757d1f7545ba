"""The comparisons of the rules with other engines, on 100,000 hands each (``DUPAI_HANDS`` says how many)."""

import os

import pytest

from conformance import test_rules_openspiel as openspiel, test_rules_pokerkit as pokerkit

pytestmark = pytest.mark.slow

HANDS = int(os.environ.get("DUPAI_HANDS", "100000"))
CHUNK = min(20_000, max(1, HANDS // 10))
#: Ten chunks: five of no-limit, three of limit, two of pot-limit.
STRUCTURES = ("no-limit", "limit") * 3 + ("pot-limit", "no-limit") * 2


def sizes():
    return [(k, min(CHUNK, HANDS - k * CHUNK)) for k in range(-(-HANDS // CHUNK))]


@pytest.mark.parametrize(("chunk", "hands"), sizes())
def test_pokerkit(chunk, hands, record_property):
    betting = STRUCTURES[chunk % 10]
    record_property(f"against PokerKit, {betting}", dict(pokerkit.run(betting, (32, chunk), hands)))


@pytest.mark.parametrize(("chunk", "hands"), sizes())
def test_universal_poker(chunk, hands, record_property):
    limit = chunk % 4 == 3
    seen = openspiel.run(limit, (42, chunk), hands)
    record_property(f"against universal_poker, {'limit' if limit else 'no-limit'}", dict(seen))
