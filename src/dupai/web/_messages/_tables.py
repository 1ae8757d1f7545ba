"""What the server and the page say to each other: the one definition, from which the TypeScript types are made.

Cards are text (``As``), seats are numbers from 0, chips are whole numbers, shares and probabilities lie between 0 and
1. A size (``to``) is the total on this street. Readings are 1,326 numbers in the order of combos, grids 169 numbers,
row by row.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from dupai.notation import Reason

Speed = Literal["slow", "normal", "fast", "instant"]
Betting = Literal["no-limit", "limit"]
Phase = Literal["waiting", "betting", "runout", "over"]
SeatKind = Literal["empty", "person", "agent"]
ActionKind = Literal["fold", "check", "call", "bet", "raise", "all-in"]


class Measured(msgspec.Struct, frozen=True):
    """A mean with its standard error and the number of observations."""

    mean: float
    se: float
    n: int


# The start page and the lobby ---------------------------------------------------------------------------------------


class OptionInfo(msgspec.Struct, frozen=True):
    """An option of an agent or reader: ``default`` as it is written in a spec."""

    name: str
    kind: Literal["choice", "number", "text", "flag"]
    about: str
    default: str
    choices: tuple[str, ...] = ()


class AgentInfo(msgspec.Struct, frozen=True):
    """An agent or a reader that can be named."""

    name: str
    about: str
    presets: tuple[str, ...]
    options: tuple[OptionInfo, ...]
    min_players: int = 2
    max_players: int = 10
    error: str | None = None


class OpponentInfo(msgspec.Struct, frozen=True):
    """An opponent with a name and a line about it (``seat.SPEC`` and ``about.SPEC`` of the shared words), and the big
    blinds that it wins per 100 hands from an average opponent; None where that was not rated."""

    spec: str
    kind: Literal["people", "thinker", "style", "simple"]
    games: tuple[Betting, ...]
    min_players: int
    max_players: int
    heads_up: Measured | None
    six_max: Measured | None


class SourceInfo(msgspec.Struct, frozen=True):
    """Where hands can be opened from. ``hands`` is None where they have not been counted."""

    id: str
    kind: Literal["example", "file", "store", "upload", "table"]
    title: Reason
    hands: int | None = None


class Info(msgspec.Struct, frozen=True):
    """What this server has: GET /api/info. ``opponents``: the usual ones by betting structure; ``seats``: all that have
    a name."""

    version: str
    agents: tuple[AgentInfo, ...]
    readers: tuple[AgentInfo, ...]
    opponents: dict[str, tuple[str, ...]]
    seats: tuple[OpponentInfo, ...]
    advisors: tuple[str, ...]
    classes: tuple[str, ...]
    combos: tuple[str, ...]
    upload_bytes: int


class TableChoices(msgspec.Struct, frozen=True):
    """What may be chosen for a table besides its game.

    Attributes:
        clock: seconds for a person's action, 0 for none.
    """

    speed: Speed = "normal"
    clock: int = 0
    panel: bool = True
    advisor: str = "advisor"
    reader: str = "model"
    coach: bool = True


class NewTable(TableChoices, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables: everything has a default.

    Attributes:
        opponents: a spec for each further seat, None for a seat that a person may take; left out: agents chosen.
        tournament: chips carry over until one player has them all; blinds double every ``level_hands`` hands.
        reset: every hand starts with full stacks.
        name: of the person who makes the table; "" to look on.
    """

    seats: int = 6
    game: Betting = "no-limit"
    small_blind: int = 50
    big_blind: int = 100
    stack: int = 10_000
    opponents: tuple[str | None, ...] | None = None
    tournament: bool = False
    reset: bool = False
    name: str = "You"


class Made(msgspec.Struct, frozen=True):
    """The id of what was made."""

    id: str


class LobbyTable(msgspec.Struct, frozen=True):
    """A row of GET /api/tables."""

    id: str
    game: Betting
    blinds: tuple[int, int]
    seats: tuple[str | None, ...]
    spectators: int
    hand: int


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/ID/seat: take a seat; the answer sets the cookie that the socket then shows."""

    name: str
    seat: int | None = None


class Failure(msgspec.Struct, frozen=True):
    """The body of every refused request."""

    error: str


# The socket of a table: from the page -------------------------------------------------------------------------------


class Act(msgspec.Struct, frozen=True, tag="act", tag_field="do", forbid_unknown_fields=True):
    """An action: ``f``, ``c`` (check or call) or ``r300`` (bet or raise to 300 on this street). ``n`` is the number of
    actions of the hand that the player had seen: a late click acts on nothing else."""

    hand: int
    n: int
    action: str


class Away(msgspec.Struct, frozen=True, tag="sit_out", tag_field="do", forbid_unknown_fields=True):
    """Do not deal me in from the next hand on."""


class Back(msgspec.Struct, frozen=True, tag="sit_in", tag_field="do", forbid_unknown_fields=True):
    """Deal me in again."""


class Rebuy(msgspec.Struct, frozen=True, tag="rebuy", tag_field="do", forbid_unknown_fields=True):
    """Fill my stack up to the buy-in before the next hand."""


class Leave(msgspec.Struct, frozen=True, tag="leave", tag_field="do", forbid_unknown_fields=True):
    """Give up my seat."""


class Next(msgspec.Struct, frozen=True, tag="next", tag_field="do", forbid_unknown_fields=True):
    """Go on at once: deal the next hand."""


class Share(msgspec.Struct, frozen=True, tag="share", tag_field="do", forbid_unknown_fields=True):
    """My part in the next deck, for the seal with this hash: the SHA-256 of my share and, once the seal is closed, the
    share."""

    seal: str
    text: str


class SetPanel(msgspec.Struct, frozen=True, tag="panel", tag_field="do", forbid_unknown_fields=True):
    """Switch the reading panel for everybody at the table (who made the table may)."""

    on: bool


class SetSpeed(msgspec.Struct, frozen=True, tag="speed", tag_field="do", forbid_unknown_fields=True):
    """Set the pace of the table (who made the table may)."""

    speed: Speed


class SetAdvisor(msgspec.Struct, frozen=True, tag="advisor", tag_field="do", forbid_unknown_fields=True):
    """Choose the agent that advises all people at the table."""

    agent: str


Request = Act | Away | Back | Rebuy | Leave | Next | Share | SetPanel | SetSpeed | SetAdvisor


# The socket of a table: to the page ---------------------------------------------------------------------------------


class Seat(msgspec.Struct, frozen=True):
    """A seat as the receiver may see it.

    Attributes:
        cards: None where no cards were dealt or they are folded away; ``??`` for a card that the receiver may not see.
        stack: behind; ``bet``: on this street.
        status: ``out``: lost all chips; ``away``: sits out.
        last: their last action on this street; ``made``: the hand shown.
        net: chips won at this table so far; ``won``: in the hand that is over.
        position: in the hand, the button last; None: not dealt in.
    """

    seat: int
    kind: SeatKind
    name: str = ""
    spec: str = ""
    stack: int = 0
    bet: int = 0
    cards: tuple[str, str] | None = None
    status: Literal["empty", "in", "folded", "all-in", "away", "out", "waiting"] = "empty"
    connected: bool = True
    last: Reason | None = None
    made: Reason | None = None
    won: int | None = None
    net: int = 0
    position: int | None = None


class Pot(msgspec.Struct, frozen=True):
    """A main or side pot with the seats that can win it; bets of this street are in no pot yet."""

    chips: int
    seats: tuple[int, ...]


class Size(msgspec.Struct, frozen=True):
    """A button of the bet slider: an end of the slider, or a share of the pot."""

    name: Literal["min", "1/3", "1/2", "2/3", "pot", "max", "all-in"]
    to: int


class Turn(msgspec.Struct, frozen=True):
    """Who is to act and what they may do; ``min`` and ``max`` are 0 where no raise is allowed. ``clock``: seconds in
    all and left, None without a clock."""

    seat: int
    fold: bool
    call: int
    min: int
    max: int
    sizes: tuple[Size, ...]
    clock: tuple[float, float] | None = None


class LogLine(msgspec.Struct, frozen=True):
    """A line of the hand's log: a street with its board, or what a player did."""

    kind: Literal["post", "action", "street", "show", "win"]
    street: int
    about: Reason | None = None
    seat: int | None = None
    cards: tuple[str, ...] = ()
    name: str = ""


class Deal(msgspec.Struct, frozen=True):
    """The sealed deck: ``hash`` is the SHA-256 of ``nonce``, which is revealed with the ``deck`` when the hand is over.
    ``shares``: name and share of each person dealt in; None: the hash is of nonce and deck."""

    hash: str
    nonce: str | None = None
    deck: str | None = None
    shares: tuple[tuple[str, str], ...] | None = None


class HandNow(msgspec.Struct, frozen=True):
    """The hand in play or just over. ``n``: actions so far; ``pot``: all chips, bets included; once nobody can bet,
    without those that came back."""

    number: int
    n: int
    street: int
    board: tuple[str, ...]
    pot: int
    pots: tuple[Pot, ...]
    button: int
    blinds: tuple[int, int]
    turn: Turn | None
    log: tuple[LogLine, ...]
    deal: Deal


class Settings(msgspec.Struct, frozen=True):
    """What was chosen for the table."""

    game: Betting
    blinds: tuple[int, int]
    stack: int
    speed: Speed
    clock: int
    advisor: str
    reader: str
    coach: bool
    tournament: bool
    reset: bool


class Seal(msgspec.Struct, frozen=True):
    """The seal of the next deck: the hash of its nonce, and the hashes of people's shares by name; ``closed``: they are
    settled, and the shares may follow."""

    hash: str
    commits: dict[str, str]
    closed: bool


class State(msgspec.Struct, frozen=True, tag="state"):
    """The whole table as the receiver may see it, after every change."""

    table: str
    settings: Settings
    phase: Phase
    me: int | None
    host: bool
    panel: bool
    spectators: int
    seats: tuple[Seat, ...]
    hand: HandNow | None
    note: str
    seal: Seal


class ClassShare(msgspec.Struct, frozen=True):
    """A class of hands by name with its probability."""

    name: str
    p: float


class StreetGrid(msgspec.Struct, frozen=True):
    """The 169 squares when the betting of a street was over (or now): mean probability of a square's hands, the largest
    1."""

    street: int
    grid: tuple[float, ...]


class SeatReading(msgspec.Struct, frozen=True):
    """What a seat seems to hold. ``said``: how far it is narrowed, its likeliest hands, how that is counted; ``draws``:
    beside the made hands of ``classes``; ``equity``: the receiver's against this reading alone."""

    seat: int
    p: tuple[float, ...]
    said: tuple[Reason, ...]
    classes: tuple[ClassShare, ...]
    streets: tuple[StreetGrid, ...]
    draws: tuple[ClassShare, ...] = ()
    equity: float | None = None


class AdvisedAction(msgspec.Struct, frozen=True):
    """An action of the advice; ``ev`` in big blinds."""

    about: Reason
    kind: ActionKind
    p: float
    to: int | None = None
    ev: float | None = None


class Advice(msgspec.Struct, frozen=True):
    """What an agent would do, and why."""

    agent: str
    actions: tuple[AdvisedAction, ...]
    reasons: tuple[Reason, ...]


class Readings(msgspec.Struct, frozen=True, tag="readings"):
    """The panel at the receiver's decision, or while others act: from what that seat may know."""

    hand: int
    n: int
    seats: tuple[SeatReading, ...]
    equity: Measured | None = None
    pot_odds: float | None = None
    advice: Advice | None = None
    error: str | None = None


class Mirror(msgspec.Struct, frozen=True, tag="mirror"):
    """What an observer reads in the receiver; ``bits``: gained on the cards that they hold, ``said``: in words."""

    hand: int
    n: int
    reading: SeatReading
    said: Reason
    bits: float


class Shown(msgspec.Struct, frozen=True):
    """A hand that was shown, and what the receiver's reader made of it: ``bits`` over knowing nothing, ``p`` the
    probability it gave to the cards, ``covered``: share of them in the 80 % set; ``said``: the bits in words, None of
    a hand that an earlier version kept."""

    seat: int
    cards: tuple[str, str]
    bits: float
    p: float
    covered: float
    said: Reason | None = None


class Calibration(msgspec.Struct, frozen=True):
    """The session so far: hands shown, bits gained, and how often the 80 % set held the truth."""

    shown: int
    bits: Measured
    covered: float


class Reveal(msgspec.Struct, frozen=True, tag="reveal"):
    """After the hand: what was shown, and how well it was read."""

    hand: int
    seats: tuple[Shown, ...]
    calibration: Calibration


class ActionValue(msgspec.Struct, frozen=True):
    """A kind of action (a word of the catalogue) with its estimate in big blinds."""

    action: str
    ev: Measured


class LessonLine(msgspec.Struct, frozen=True):
    """What a decision gave up, in big blinds; ``sure``: more than two standard errors."""

    hand: int
    decision: int
    street: int
    chosen: Reason
    best: Reason
    gave_up: Measured
    sure: bool
    about: Reason
    values: tuple[ActionValue, ...]


class Lessons(msgspec.Struct, frozen=True, tag="coach"):
    """The coach after a hand: its decisions, and the three costliest of the session."""

    lessons: tuple[LessonLine, ...]
    worst: tuple[LessonLine, ...]
    total: Measured


class Refused(msgspec.Struct, frozen=True, tag="error"):
    """A request that was refused, and why."""

    text: str


Event = State | Readings | Mirror | Reveal | Lessons | Refused


class Again(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/ID/again: play a decision again, against hands dealt anew from the readings."""

    hand: int
    decision: int
