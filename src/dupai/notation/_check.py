"""A finished hand compared with what our rules give: its payoffs, and a rake that nobody states."""

from __future__ import annotations

import json
from fractions import Fraction
from math import gcd

import msgspec

from dupai.base import HistoryError, NotationError
from dupai.cards import NO_CARD, describe
from dupai.notation._chips import format_chips
from dupai.rules import HandRecord, HandState, pots_of

#: Where no rake is stated, it is at most this fraction (1/5) of all losses, or half of that of the pot.
_MAX_RAKE = 5


def check_unstated_rake(record: HandRecord, state: HandState | None = None) -> None:
    """Where a source states no rake, the chips that nobody wins count as rake: check that they are not too many.
    ``state`` is the end of the hand, where it is at hand.

    Raises:
        NotationError: they are more than a fifth of what the players lose and than a tenth of the pot. (Of a split pot
            the rake may be all that anybody loses.)
    """
    lost = sum(-p for p in record.payoffs if p < 0)
    if record.rake * _MAX_RAKE <= lost:
        return
    state = state or record.at()
    pot = state.pot - state.uncalled[1]
    if 2 * record.rake * _MAX_RAKE > pot * record.spec.split:
        missing, of = (format_chips(x, record.spec.split) for x in (record.rake, lost))
        raise NotationError(f"nobody wins {missing} of the {of} lost, and the text says no rake: winnings are missing")


def check_record(record: HandRecord, state: HandState | None = None, *, text: bool = False) -> bool:
    """Replay a finished hand and compare its payoffs with those that the rules give.

    With rake, the winners' payoffs may be lower, by the rake in total. Of a site's ``text``, players who share a single
    pot pay the same (in records of some tables of 2021 they did not), and cards that it publishes after the hand count
    as known. Where a pot is split, or several boards were dealt (``_boards`` in ``about``), each share may be rounded
    to the smallest chip. Where a showdown's cards are not all known the winner cannot be recomputed: then chips
    must be conserved, players who folded lose what they put in, and nobody loses more. ``state`` is the end of the
    hand, where it is at hand. Returns whether the winner was recomputed.

    Raises:
        RulesError: an action is not legal where it stands, or the hand is not over.
        HistoryError: the payoffs are wrong; says what was expected and who won with what.
    """
    if text and record.mucked:
        pairs = zip(record.hole, record.mucked, strict=True)
        hole = tuple(lost if NO_CARD in held and NO_CARD not in lost else held for held, lost in pairs)
        state = (state or record.at()).copy()
        for position in range(len(hole)):
            if hole[position] != record.hole[position]:
                state.set_hole(position, hole[position])
        record = msgspec.structs.replace(record, hole=hole)
    state = state or record.at()
    split = record.spec.split
    put = [(a + b) * split for a, b in zip(state.contributions, state.antes, strict=True)]
    settles = not state.finished or _settles(state)
    if (record.rake or not settles) and (record.rake < 0 or sum(record.payoffs) != -record.rake):
        raise HistoryError(
            f"{_stated(record)} add up to {format_chips(sum(record.payoffs), split)}: "
            f"expected {format_chips(-abs(record.rake), split)}, as the rake is {format_chips(record.rake, split)}"
        )
    if not settles:
        for i, (paid, folded) in enumerate(zip(record.payoffs, state.folded, strict=True)):
            if paid < -put[i] or (folded and paid != -put[i]):
                raise HistoryError(
                    f"{_stated(record)}: position {i} put in {format_chips(put[i], split)} and "
                    f"{'folded' if folded else 'cannot lose more'}"
                )
        return False
    owner, back = state.uncalled
    put[owner] -= back * split
    expected: tuple[int, ...] = tuple(state.payoffs.tolist())
    if expected == record.payoffs:
        return True
    rows = list(zip(record.payoffs, expected, put, strict=True))
    boards = _further_boards(record) if state.showdown else []
    if split == 1 and (boards or sum(e > -q for _, e, q in rows) > 1):
        runs = [_exact(record, board) for board in (None, *boards)]
        if _rounded(record, state, runs, put, equal_rake=text):
            return True
        expected = tuple(round(sum(run) / len(runs)) for run in zip(*runs, strict=True))
    elif all(p == e or (record.rake and p < e and e > -q) for p, e, q in rows):
        return True
    right = "|".join(format_chips(p, split) for p in expected)
    if record.rake:
        right += f" less the rake of {format_chips(record.rake, split)}"
    raise HistoryError(f"{_stated(record)}: expected {right} ({_reason(record, state)})")


def _exact(record: HandRecord, board: str | None) -> list[Fraction]:
    """The payoffs on the board of the record or on another one, with fractions of a chip."""
    state = msgspec.structs.replace(record, spec=msgspec.structs.replace(record.spec, odd_chips="acpc")).at()
    if board is not None:
        state.set_board(board)
    return [Fraction(units, state.spec.split) for units in state.payoffs.tolist()]


def _rounded(
    record: HandRecord, state: HandState, runs: list[list[Fraction]], put: list[int], *, equal_rake: bool
) -> bool:
    """Whether payoffs are those of the ``runs`` of the board: each share of a pot rounded to whole chips, less the
    rake."""
    pots, rake, spec = len(pots_of(state)), record.rake, record.spec
    # The smallest chip at the table, which all amounts are multiples of.
    chip = gcd(*record.stacks, *spec.blinds, *spec.antes, *(to for _, to in record.actions), *record.payoffs)
    wins = [sum(share > -chips for share in shares) for shares, chips in zip(zip(*runs, strict=True), put, strict=True)]
    single = pots == len(runs) == 1 and (equal_rake or not rake)
    for paid, shares, won in zip(record.payoffs, zip(*runs, strict=True), wins, strict=True):
        fair, odd = sum(shares) / Fraction(len(runs)), chip * pots * won
        most, least = (fair - Fraction(rake, sum(wins)),) * 2 if single and won else (fair, fair - rake * (won > 0))
        if not (least == paid == most or least - odd < paid < most + odd):
            return False
    return True


def _stated(record: HandRecord) -> str:
    return f"hand {record.hand}: payoffs " + "|".join(format_chips(p, record.spec.split) for p in record.payoffs)


def _further_boards(record: HandRecord) -> list[str]:
    """The boards beside the first one that a pot was played out on."""
    text = next((text for key, text in record.about if key == "_boards"), None)
    return [] if text is None else msgspec.convert(json.loads(text), list[str])


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
