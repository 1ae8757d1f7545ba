"""Which readings of a recorded hand are scored, and what the reader may see of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dupai.cards import NO_CARD, combo
from dupai.rules import BOARD_CARDS, FOLD, HandRecord, HandState
from dupai.spots import spot_rows


class DecidedStreet(NamedTuple):
    """A street whose betting is over: its number, how many actions of the hand it ends with, and who decided something
    on it: (position, whether they folded on it)."""

    street: int
    actions: int
    villains: tuple[tuple[int, bool], ...]


def streets(record: HandRecord) -> list[DecidedStreet]:
    """The streets of a hand on which somebody made a voluntary decision (specs: section 1 of the metric).

    Posting a blind is no decision, and neither is a check with nothing left to decide because all opponents are all-in.

    Raises:
        RulesError: an action is not legal where it stands.
    """
    rows = spot_rows(record)
    decided: list[dict[int, bool]] = [{}, {}, {}, {}]
    ends = [0, 0, 0, 0]
    columns = (rows[name].tolist() for name in ("street", "position", "to_call", "max_to"))
    decisions = zip(*columns, record.actions, strict=False)
    for number, (street, position, to_call, max_to, action) in enumerate(decisions, 1):
        ends[street] = number
        folds = action.kind == FOLD
        if to_call or max_to or folds:
            decided[street][position] = folds
    return [DecidedStreet(k, ends[k], tuple(sorted(decided[k].items()))) for k in range(4) if decided[k]]


def hidden_hands(record: HandRecord) -> list[int | None]:
    """The combo that each position held, None where nobody knows: recorded hole cards, else mucked ones that the source
    published after the hand."""
    held = []
    for position, two in enumerate(record.hole):
        known = two
        if NO_CARD in known and record.mucked:
            known = record.mucked[position]
        held.append(None if NO_CARD in known else combo(known[0], known[1]))
    return held


def street_states(
    record: HandRecord, ends: Sequence[DecidedStreet], seats: Sequence[int] | None
) -> Iterator[tuple[DecidedStreet, HandState]]:
    """The hand as it stood at each of these ends, with no hole card in it and no board card of a later street.

    The state is the same object every time, played on: take views of it at once.
    """
    state = HandState(record.spec, None, (), record.stacks, seats or record.seats or None, record.hand)
    done = 0
    for end in ends:
        state.set_board(record.board[: BOARD_CARDS[end.street]])
        for action in record.actions[done : end.actions]:
            state.apply(action, free_fold=True)
        done = end.actions
        yield end, state
