"""One finished hand compared with what the rules give."""

from __future__ import annotations

from dupai.base import HistoryError
from dupai.cards import NO_CARD, describe
from dupai.notation import format_chips
from dupai.rules import HandRecord, HandState


def check_record(record: HandRecord) -> bool:
    """Replay a finished hand and compare its payoffs with those that the rules give.

    With rake, the winners' payoffs may be lower, by the rake in total. Where a showdown's cards are not all known the
    winner cannot be recomputed: then chips must be conserved, players who folded lose what they put in, and nobody
    loses more. Returns whether the winner was recomputed.

    Raises:
        RulesError: an action is not legal where it stands, or the hand is not over.
        HistoryError: the payoffs are wrong; says what was expected and who won with what.
    """
    state = record.replay()
    split = record.spec.split
    stated = "|".join(format_chips(p, split) for p in record.payoffs)
    put = [(a + b) * split for a, b in zip(state.contributions, state.antes, strict=True)]
    settles = not state.finished or _settles(state)
    if (record.rake or not settles) and (record.rake < 0 or sum(record.payoffs) != -record.rake):
        raise HistoryError(
            f"hand {record.hand}: payoffs {stated} add up to {format_chips(sum(record.payoffs), split)}: "
            f"expected {format_chips(-abs(record.rake), split)}, as the rake is {format_chips(record.rake, split)}"
        )
    if not settles:
        for i, (paid, folded) in enumerate(zip(record.payoffs, state.folded, strict=True)):
            if paid < -put[i] or (folded and paid != -put[i]):
                raise HistoryError(
                    f"hand {record.hand}: payoffs {stated}: position {i} put in {format_chips(put[i], split)} and "
                    f"{'folded' if folded else 'cannot lose more'}"
                )
        return False
    expected: tuple[int, ...] = tuple(state.payoffs.tolist())
    if expected == record.payoffs:
        return True
    if record.rake and all(
        p == e or (p < e and e > -put[i]) for i, (p, e) in enumerate(zip(record.payoffs, expected, strict=True))
    ):
        return True
    right = "|".join(format_chips(p, split) for p in expected)
    if record.rake:
        right += f" less the rake of {format_chips(record.rake, split)}"
    raise HistoryError(f"hand {record.hand}: payoffs {stated}: expected {right} ({_reason(record, state)})")


def _settles(state: HandState) -> bool:
    if not state.showdown:
        return True
    live = (two for two, folded in zip(state.hole, state.folded, strict=True) if not folded)
    return len(state.board) == 5 and all(NO_CARD not in two for two in live)


def _reason(record: HandRecord, state: HandState) -> str:
    if not state.showdown:
        return f"all but position {state.folded.index(False)} folded"
    names = record.names or tuple(f"position {i}" for i in range(record.spec.players))
    strengths = state.state["strength"][0].tolist()
    return "; ".join(f"{names[i]}: {describe(strengths[i])}" for i in range(record.spec.players) if not state.folded[i])
