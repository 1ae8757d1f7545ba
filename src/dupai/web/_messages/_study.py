"""What the server and the page say to each other beside a table: replay, review, ranges, solver, players, results."""

from __future__ import annotations

from typing import Literal

import msgspec

from dupai.notation import Reason
from dupai.web._messages._tables import ActionKind, ActionValue, Measured, Readings

# Replay and review --------------------------------------------------------------------------------------------------


class Reject(msgspec.Struct, frozen=True):
    """Something in an upload that is no hand."""

    line: int
    reason: str


class Uploaded(msgspec.Struct, frozen=True):
    """POST /api/upload: the id of the source, how many hands it has, and what was refused (the first few)."""

    id: str
    hands: int
    rejects: tuple[Reject, ...]


class Winner(msgspec.Struct, frozen=True):
    """A player and what they won."""

    name: str
    about: Reason


class HandLine(msgspec.Struct, frozen=True):
    """A hand in a list. ``id``: its number in its source, from 0; ``result``: the first winners."""

    id: int
    title: Reason
    names: tuple[str, ...]
    board: tuple[str, ...]
    pot: int
    result: tuple[Winner, ...]


class HandList(msgspec.Struct, frozen=True):
    """GET /api/hands?source=&from=&count=."""

    total: int
    hands: tuple[HandLine, ...]


class Step(msgspec.Struct, frozen=True):
    """The hand after ``n`` actions; the lists go by seat. ``about``: what was done last, by ``seat``."""

    n: int
    street: int
    board: tuple[str, ...]
    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    folded: tuple[bool, ...]
    pot: int
    actor: int | None
    seat: int | None
    about: Reason


class ReplayHand(msgspec.Struct, frozen=True):
    """GET /api/hand?source=&id=: the lists go by seat (the place in the list); ``payoffs`` in chips."""

    id: int
    title: Reason
    game: str
    names: tuple[str, ...]
    stacks: tuple[int, ...]
    button: int
    blinds: tuple[int, ...]
    big_blind: int
    cards: tuple[tuple[str, str] | None, ...]
    payoffs: tuple[float, ...]
    board: tuple[str, ...]
    steps: tuple[Step, ...]
    comment: str


class EquityPoint(msgspec.Struct, frozen=True):
    """All-in equity by seat when a street begins (None: folded or unknown cards)."""

    n: int
    street: int
    equity: tuple[float | None, ...]


class ReviewPoint(msgspec.Struct, frozen=True):
    """GET /api/hand/review?source=&id=&n=&agent=&reader=: a decision from what its actor could know."""

    n: int
    seat: int
    readings: Readings
    chosen: Reason
    gave_up: Measured | None
    values: tuple[ActionValue, ...]
    #: Why a decision that was to be judged could not be.
    no_estimate: Reason | None = None


# Ranges, equity, solver ---------------------------------------------------------------------------------------------


class RangeText(msgspec.Struct, frozen=True):
    """A range: its text, 1,326 weights, and the form in which it was written. POST /api/range takes text or weights."""

    text: str = ""
    weights: tuple[float, ...] | None = None
    form: str = ""


class Preset(msgspec.Struct, frozen=True):
    """A range by name."""

    name: str
    text: str


class EquityRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/equity: hands or ranges."""

    hands: tuple[str, ...]
    board: str = ""
    dead: str = ""


class EquityPlayer(msgspec.Struct, frozen=True):
    """Shares of one player; ``se`` 0 where exact."""

    equity: float
    win: float
    tie: float
    se: float


class EquityResult(msgspec.Struct, frozen=True):
    """All players, and whether the numbers are exact."""

    players: tuple[EquityPlayer, ...]
    exact: bool


class SolveLock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A node whose strategy is fixed: by action the share for all hands."""

    path: str
    strategy: dict[str, float]


class SolveRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/solve: a spot as 'dupai solve' takes it; ``target`` in percent of the pot. ``again``: the id
    of a solution that holds more than a form shows; its spot is solved, with ``locks`` in the place of those shown.
    ``start``: a path in it; the game is solved from that node on, with the ranges that get there."""

    board: str
    oop: str
    ip: str
    pot: int
    stack: int
    bet: str = "50%, a"
    raise_: str = msgspec.field(name="raise", default="60%, a")
    locks: tuple[SolveLock, ...] = ()
    target: float = 0.5
    max_iterations: int = 1000
    again: str | None = None
    start: str | None = None


class SolveForm(msgspec.Struct, frozen=True):
    """GET /api/solve/ID/form: a solution's spot as :class:`SolveRequest` has it. ``whole``: nothing of it is missing
    here (sizes by street or player, rake, dead cards, locks by hand)."""

    board: str
    oop: str
    ip: str
    pot: int
    stack: int
    bet: str
    raise_: str = msgspec.field(name="raise")
    locks: tuple[SolveLock, ...]
    whole: bool


class SolvePoint(msgspec.Struct, frozen=True):
    """A point of the curve: exploitability in percent of the pot."""

    iterations: int
    seconds: float
    exploitability: float


class SolveStatus(msgspec.Struct, frozen=True):
    """GET /api/solve/ID. Nodes can be looked at when it is no longer ``running``."""

    id: str
    state: Literal["waiting", "running", "done", "stopped", "failed"]
    seconds: float
    target: float
    curve: tuple[SolvePoint, ...]
    evs: tuple[float, float] | None = None
    error: str | None = None


class SolveAction(msgspec.Struct, frozen=True):
    """An action or a card that leads on from a node.

    Attributes:
        text: as it stands in a path and in a lock; of a card, the card.
        path: that of the child.
        about: the action; None for a card.
        p: how often it is taken.
    """

    text: str
    path: str
    kind: ActionKind | Literal["card"]
    about: Reason | None = None
    p: float | None = None


class SolveNode(msgspec.Struct, frozen=True):
    """GET /api/solve/ID/node?path=.

    Attributes:
        trail: the actions and cards that lead to it.
        strategy: for each action 1,326 numbers.
        reached, solved: share of the deals that get here; whether it is large enough for values that are right.
        ev, equity, reach: by player (oop, ip), 1,326 numbers each, None where the hand is not held; EV in chips.
    """

    path: str
    kind: str
    board: tuple[str, ...]
    player: int | None
    pot: float
    reached: float
    solved: bool
    trail: tuple[SolveAction, ...]
    actions: tuple[SolveAction, ...]
    strategy: tuple[tuple[float | None, ...], ...]
    ev: tuple[tuple[float | None, ...], ...]
    equity: tuple[tuple[float | None, ...], ...]
    reach: tuple[tuple[float, ...], ...]


class Runout(msgspec.Struct, frozen=True):
    """What follows a next card: EV by player (oop, ip), and how often each action is taken; None where nobody gets
    there."""

    card: str
    ev: tuple[float | None, float | None]
    shares: tuple[float | None, ...]


class Runouts(msgspec.Struct, frozen=True):
    """GET /api/solve/ID/runouts?path=: every next card of a node; ``actions``: after it."""

    actions: tuple[SolveAction, ...]
    cards: tuple[Runout, ...]


# Players and results ------------------------------------------------------------------------------------------------


class PlayerLine(msgspec.Struct, frozen=True):
    """GET /api/players?source=."""

    name: str
    hands: int


class Stat(msgspec.Struct, frozen=True):
    """A statistic: the estimate, its 95 % interval, and the opportunities; None where it cannot arise."""

    name: str
    title: str
    mean: float | None
    low: float | None
    high: float | None
    n: int
    percent: bool


class CurvePoint(msgspec.Struct, frozen=True):
    """After ``hand`` hands: ``won`` and, where known, with the luck of the cards taken out."""

    hand: int
    won: float
    fair: float | None = None


class Player(msgspec.Struct, frozen=True):
    """GET /api/player?source=&name=: the curve is in big blinds."""

    name: str
    hands: int
    bb100: Measured
    stats: tuple[Stat, ...]
    curve: tuple[CurvePoint, ...]
    leaks: tuple[Reason, ...]


class RunLine(msgspec.Struct, frozen=True):
    """A run of a results file: GET /api/results."""

    id: str
    kind: str
    title: str
    started: str
    finished: bool


class NewRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/runs: a match or ladder to play; the answer is its line. DELETE /api/runs stops it."""

    kind: Literal["match", "ladder"]
    agents: tuple[str, ...]
    hands: int = 1000
    seed: int = 1


class ReportLine(msgspec.Struct, frozen=True):
    """A report of ``dupai reproduce``: GET /api/reports; GET /api/report?id= is its page."""

    id: str
    title: str
    folder: str
    written: str


class NamedCurve(msgspec.Struct, frozen=True):
    """A line of a chart."""

    name: str
    points: tuple[tuple[float, float], ...]


class RunTable(msgspec.Struct, frozen=True):
    """A table of a result, as the command line prints it."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Cross(msgspec.Struct, frozen=True):
    """Everybody against everybody: the row's result against the column's player."""

    names: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]
    unit: str


class RunResult(msgspec.Struct, frozen=True):
    """GET /api/result?id=: ``places``: by player the share of matches that they finished in each place."""

    run: RunLine
    hands: int
    headline: str
    tables: tuple[RunTable, ...]
    curves: tuple[NamedCurve, ...]
    places: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    cross: Cross | None
    partial: bool
