"""The statistics of a player, one row each: when there is an opportunity, and when it was taken.

**A new statistic is a row here.** Its masks are facts (``_facts``) that the kernel has worked out already; counting,
shrinking (once the population file was built anew), printing and ``docs/statistics.md`` follow from the row.

Sources. The definitions are those that PokerTracker ("PokerTracker 3 Statistical Reference Guide", 2010, and the
statistics of version 4) and Hold'em Manager 2 agree on; where they differ the row says which side it takes.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, closest, nearest
from dupai.history._tracker._facts import (
    CALLERS,
    CAN_RAISE,
    CBET_BEFORE,
    CHECKED_BEFORE,
    DECIDED,
    DID_CALL,
    DID_FOLD,
    DID_RAISE,
    ENTERED,
    FACING,
    FACING_CBET,
    FACING_STEAL,
    FLOP,
    IN_BLIND,
    LEADER_BEHIND,
    PF_RAISER,
    PFR,
    POSTFLOP,
    PREFLOP,
    R0,
    R1,
    R2,
    R3,
    RERAISED,
    RIVER,
    SAW_FLOP,
    SHOWDOWN,
    STEAL_SEAT,
    TURN,
    UNOPENED,
    VPIP,
    WON,
)

PT = "PokerTracker"
PT_HM = "PokerTracker, Hold'em Manager"


class Definition(msgspec.Struct, frozen=True):
    """One statistic.

    Attributes:
        name: As it is asked for: ``"cbet-flop"``.
        title: As it is printed.
        opportunity: When it is counted at all, in words.
        success: When it counts as done, in words.
        source: Whose definition it is.
        need: Facts that must all hold for an opportunity.
        success_any: An opportunity of whose facts one of these holds is a success.
        any: At least one of these must hold for an opportunity (0: no such condition).
        avoid: None of these may hold for an opportunity.
        unit: ``"decision"`` (facts of decisions) or ``"hand"`` (facts of a player's hand).
        each: Every such decision counts; else only the first of a street.
        factor: Printed as successes per failure (aggression *factor*) rather than per opportunity.
        family: Name that rows of several streets share (``"cbet"``); ``street`` is then 1..3, or None for all streets.
    """

    name: str
    title: str
    opportunity: str
    success: str
    source: str
    need: int
    success_any: int
    any: int = 0
    avoid: int = 0
    unit: str = "decision"
    each: bool = False
    factor: bool = False
    family: str = ""
    street: int | None = None


def _by_street(
    family: str, title: str, opportunity: str, success: str, source: str, need: int, success_any: int, **more: Any
) -> tuple[Definition, ...]:
    """A statistic over all streets after the flop, and one row for each of them."""
    rows = [
        Definition(family, title, opportunity, success, source, need | POSTFLOP, success_any, family=family, **more)
    ]
    for street, (word, bit) in enumerate((("flop", FLOP), ("turn", TURN), ("river", RIVER)), 1):
        rows.append(
            Definition(
                f"{family}-{word}",
                f"{title}, {word}",
                f"on the {word}: {opportunity}",
                success,
                source,
                need | bit,
                success_any,
                family=family,
                street=street,
                **more,
            )
        )
    return tuple(rows)


def _cbet(street: int, word: str, bit: int, need: int, opportunity: str) -> tuple[Definition, ...]:
    return (
        Definition(
            f"cbet-{word}",
            f"C-bet {word}",
            opportunity,
            "bet",
            PT_HM,
            bit | need | R0 | CAN_RAISE,
            DID_RAISE,
            family="cbet",
            street=street,
        ),
        Definition(
            f"fold-to-cbet-{word}",
            f"Fold to c-bet {word}",
            f"faces a c-bet on the {word} that nobody has raised",
            "folded",
            PT_HM,
            bit | FACING_CBET | FACING,
            DID_FOLD,
            family="fold-to-cbet",
            street=street,
        ),
        Definition(
            f"raise-cbet-{word}",
            f"Raise c-bet {word}",
            f"faces a c-bet on the {word} that nobody has raised, and may raise",
            "raised",
            PT_HM,
            bit | FACING_CBET | FACING | CAN_RAISE,
            DID_RAISE,
            family="raise-cbet",
            street=street,
        ),
    )


_LATER = "made a c-bet on the street before and its last raise too (if any), nobody has bet yet, may bet"

#: All statistics, in the order in which they are printed.
DEFINITIONS: tuple[Definition, ...] = (
    Definition(
        "vpip",
        "VPIP",
        "a hand in which the player had a decision before the flop (walks, and blinds that were all-in, are none)",
        "called or raised before the flop (posting a blind and checking it are not)",
        f"{PT_HM}: per hand, less walks",
        DECIDED,
        VPIP,
        unit="hand",
    ),
    Definition(
        "pfr",
        "PFR",
        "as VPIP",
        "raised before the flop at least once",
        "PokerTracker 3, Hold'em Manager: per hand, less walks (PokerTracker 4 leaves out hands in which no raise was "
        "possible; then PFR could exceed VPIP)",
        DECIDED,
        PFR,
        unit="hand",
    ),
    Definition(
        "limp",
        "Limp",
        "the first decision before the flop, facing the blinds only; others may have limped before",
        "called (completing the small blind too)",
        PT_HM,
        PREFLOP | R0 | FACING,
        DID_CALL,
    ),
    Definition(
        "open-raise",
        "Open raise (RFI)",
        "everybody before the player folded, he faces the blinds and may raise",
        "raised",
        f"{PT_HM} (raise first in)",
        PREFLOP | UNOPENED | CAN_RAISE,
        DID_RAISE,
    ),
    Definition(
        "3bet",
        "3-bet",
        "faces exactly one raise before the flop and may raise (having limped or not)",
        "raised",
        PT_HM,
        PREFLOP | R1 | CAN_RAISE,
        DID_RAISE,
    ),
    Definition(
        "squeeze",
        "Squeeze",
        "faces exactly one raise that was called at least once, has not put in chips of his own will, may raise",
        "raised",
        PT_HM,
        PREFLOP | R1 | CALLERS | CAN_RAISE,
        DID_RAISE,
        avoid=ENTERED,
    ),
    Definition(
        "fold-to-3bet",
        "Fold to 3-bet",
        "made the first raise before the flop and faces a 3-bet that nobody has raised",
        "folded",
        f"{PT_HM}: after raising (cold folds do not count)",
        PREFLOP | R2 | RERAISED | FACING,
        DID_FOLD,
    ),
    Definition(
        "4bet",
        "4-bet",
        "faces exactly two raises before the flop and may raise (cold too)",
        "raised",
        PT_HM,
        PREFLOP | R2 | CAN_RAISE,
        DID_RAISE,
    ),
    Definition(
        "fold-to-4bet",
        "Fold to 4-bet",
        "made the 3-bet and faces a 4-bet that nobody has raised",
        "folded",
        PT_HM,
        PREFLOP | R3 | RERAISED | FACING,
        DID_FOLD,
    ),
    Definition(
        "steal",
        "Steal",
        "in the cutoff, on the button or in the small blind (heads-up: the button), everybody before folded, may raise",
        "raised",
        PT_HM,
        PREFLOP | UNOPENED | STEAL_SEAT | CAN_RAISE,
        DID_RAISE,
    ),
    Definition(
        "fold-to-steal",
        "Fold to steal",
        "in a blind, the only raise is a steal, and nobody has called it",
        "folded",
        PT_HM,
        PREFLOP | FACING_STEAL | IN_BLIND | FACING,
        DID_FOLD,
    ),
    *_cbet(1, "flop", FLOP, PF_RAISER, "made the last raise before the flop, nobody has bet on the flop yet, may bet"),
    *_cbet(2, "turn", TURN, CBET_BEFORE, _LATER),
    *_cbet(3, "river", RIVER, CBET_BEFORE, _LATER),
    *_by_street(
        "check-raise",
        "Check-raise",
        "checked, then faces a bet and may raise (once a street)",
        "raised",
        PT_HM,
        CHECKED_BEFORE | FACING | CAN_RAISE,
        DID_RAISE,
    ),
    *_by_street(
        "donk",
        "Donk bet",
        "nobody has bet yet; who bet or raised last on the street before is an opponent still to act; may bet",
        "bet",
        PT_HM,
        LEADER_BEHIND | R0 | CAN_RAISE,
        DID_RAISE,
    ),
    *_by_street(
        "af",
        "Aggression factor",
        "every bet, raise or call after the flop (checks and folds do not count)",
        "bet or raised; the factor is bets and raises per call",
        PT_HM,
        0,
        DID_RAISE,
        any=DID_RAISE | DID_CALL,
        each=True,
        factor=True,
    ),
    *_by_street(
        "afq",
        "Aggression frequency",
        "every bet, raise, call or fold after the flop (checks do not count)",
        "bet or raised",
        PT_HM,
        0,
        DID_RAISE,
        any=DID_RAISE | DID_CALL | DID_FOLD,
        each=True,
    ),
    Definition(
        "wtsd",
        "Went to showdown",
        "a hand in which the player had not folded when the flop came (all-in before it too)",
        "had not folded when the hand was shown down",
        PT_HM,
        SAW_FLOP,
        SHOWDOWN,
        unit="hand",
    ),
    Definition(
        "wsd",
        "Won at showdown",
        "a hand that went to showdown",
        "got chips out of the pot: the whole, a share or a side pot",
        PT_HM,
        SHOWDOWN,
        WON,
        unit="hand",
    ),
    Definition(
        "wwsf",
        "Won when saw flop",
        "as went to showdown",
        "got chips out of the pot, with or without showdown",
        PT_HM,
        SAW_FLOP,
        WON,
        unit="hand",
    ),
)

NAMES: tuple[str, ...] = tuple(d.name for d in DEFINITIONS)
INDEX: dict[str, int] = {name: i for i, name in enumerate(NAMES)}
if len(DEFINITIONS) > 62:
    raise AssertionError("the kernel keeps one bit for each statistic: at most 62")

#: Bits of column 4 of :data:`MASKS`.
HAND_UNIT, EACH = 1, 2


def _masks() -> npt.NDArray[np.int64]:
    rows = [
        (d.need, d.any, d.avoid, d.success_any, (HAND_UNIT if d.unit == "hand" else 0) | (EACH if d.each else 0))
        for d in DEFINITIONS
    ]
    table = np.array(rows, np.int64)
    table.flags.writeable = False
    return table


#: The table as the kernel takes it, ``int64[statistics, 5]``: need, any, avoid, success, flags.
MASKS = _masks()


def definition(name: str) -> Definition:
    """The row of that name.

    Raises:
        ConfigError: there is none; gives the nearest.
    """
    if name in INDEX:
        return DEFINITIONS[INDEX[name]]
    titles = {d.title: d.name for d in DEFINITIONS}
    near = closest(name, [*NAMES, *titles])
    raise ConfigError(f"{name!r} is not a statistic: {nearest(titles.get(near or '', name), NAMES)}")
