"""A match in progress: a screen redrawn in the terminal, or plain lines."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from rich.text import Text

from dupai.arena.tournament import MatchNotes
from dupai.cards import COMBO_CLASS, NO_CARD, cards_text, combo
from dupai.cli._grid import color_level
from dupai.cli._scene import Glance, Scene, Score, Seat, Truth
from dupai.cli._screen import frame
from dupai.notation import chips_words, word_of
from dupai.reading import HAND_CLASSES, hand_classes, hand_shares, load_reader, possible_hands
from dupai.rules import FOLD, RAISE, STREET_NAMES

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from dupai.arena.match import Fault
    from dupai.arena.tournament import ChipTable, TournamentTask
    from dupai.reading import Reader, Reading
    from dupai.rules import Action, HandRecord, HandState, View

#: The default pace, in seconds: an action, a showdown of the player who is read, another hand's end. They shrink to a
#: share of ``_QUICK`` over the first hands, e-fold in ``_EASE`` hands.
_ACTION, _SHOWDOWN, _END = 0.3, 2.0, 0.5
_QUICK, _EASE = 0.06, 14.0
#: Most frames a second; seconds after which a picture that stays is drawn again.
_FRAME, _LOOK = 1 / 15, 0.25
#: A reading of a hand held impossible counts as so many bits, as in the scores of readers.
_MIN_BITS = -20.0


class Gains(MatchNotes):
    """Keeps the score of a reader against the starting table over all hands shown; :meth:`gained` is told of each.

    Args:
        task, names: as for :class:`~dupai.arena.tournament.MatchNotes`.
        spec: the reader's spec, None for none.
    """

    def __init__(self, task: TournamentTask, names: tuple[str, ...], spec: str | None) -> None:
        super().__init__(task, names)
        self.spec = spec
        self.score = Score()
        self._readers: list[Reader] = [] if spec is None else [load_reader(spec), load_reader("start-table")]
        self.state: HandState | None = None
        for reader in self._readers:
            reader.meet(dict(enumerate(names)))

    def on_deal(self, state: HandState, table: ChipTable | None) -> None:
        super().on_deal(state, table)
        self.state = state

    def read(self, view: View, chair: int) -> Reading | None:
        """The reading of a player in an observer's view; None without a reader."""
        return self._readers[0].read(view, [chair])[chair] if self._readers else None

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        super().on_hand(record, table)
        if not self._readers or self.state is None:
            return
        shown = [p for p, known in enumerate(record.shown) if known]
        if shown:
            view = view_from_outside(self.state)
            chairs = [record.seats[p] for p in shown]
            readings = [reader.read(view, chairs) for reader in self._readers]
            legal = int(possible_hands(view.board).sum())
            classes = hand_classes(view.board)
            for p, chair in zip(shown, chairs, strict=True):
                held = combo(*record.hole[p])
                bits = [max(reading[chair].gain(held, legal), _MIN_BITS) for reading in readings]
                made = HAND_CLASSES[classes[held]]
                truth = Truth(tuple(record.hole[p]), int(COMBO_CLASS[held]), made, bits[0], bits[1])
                self.score = self.score.more(*bits)
                self.gained(record.hand, chair, truth)
        for reader in self._readers:
            reader.observe(record.seen_by(None))

    def gained(self, hand: int, chair: int, truth: Truth) -> None:
        """A hand was shown."""


class PlainMatch(Gains):
    """Plain lines, as fast as the match goes."""

    def __init__(self, task: TournamentTask, names: tuple[str, ...], out: Console, spec: str | None = None) -> None:
        super().__init__(task, names, spec)
        self._out = out

    def note(self, hand: int, text: str) -> None:
        self._out.print(f"hand {hand:>4}  {text}", markup=False, soft_wrap=True)

    def gained(self, hand: int, chair: int, truth: Truth) -> None:
        self.note(
            hand,
            f"{self.names[chair]} shows {cards_text(truth.cards)} ({word_of(truth.made)}): "
            f"{self.spec} {2**truth.reader:.2g} x as likely, start-table {2**truth.table:.2g} x",
        )

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        super().on_hand(record, table)
        if table is None or record.hand % 50:
            return
        leader = max(range(table.players), key=table.chips_left)
        text = f"{len(table.live())} in, {self.names[leader]} leads with {table.chips_left(leader):,} chips left"
        if self.score.shown:
            text += f"; {self.score.words(self.spec or '')}"
        self.note(record.hand, text)


class LiveMatch(Gains):
    """The screen, redrawn as the hands go by.

    Args:
        task, names, spec: as for :class:`Gains`.
        live: where it is drawn.
        speed: hands a second; None: slow at first, then faster; 0: no waiting.
        stopped: set when the match is to stop: nothing waits any longer.
    """

    def __init__(
        self,
        task: TournamentTask,
        names: tuple[str, ...],
        live: Live,
        speed: float | None,
        spec: str | None = None,
        stopped: threading.Event | None = None,
    ) -> None:
        super().__init__(task, names, spec)
        self._live = live
        self._speed = speed
        self._stopped = stopped or threading.Event()
        #: When the last picture was drawn, and until when it is to be seen.
        self._drawn, self._until = 0.0, 0.0
        self._words: dict[int, str] = {}
        self._notes: deque[str] = deque(maxlen=6)
        #: The chair whose hand is read, and whether that stays so while they are in the hand.
        self._villain, self._settled = 0, False
        #: The last view of each street, the first before anybody has acted; and the readings there.
        self._views: dict[str, View] = {}
        self._glances: list[Glance] = []
        self._truths: dict[int, Truth] = {}
        self._ended = False
        self._scene: Scene | None = None

    def note(self, hand: int, text: str) -> None:
        self._notes.append(f"hand {hand}: {text}")

    def gained(self, hand: int, chair: int, truth: Truth) -> None:
        self._truths[chair] = truth

    # the match -------------------------------------------------------------------------------------------------------

    def on_deal(self, state: HandState, table: ChipTable | None) -> None:
        super().on_deal(state, table)
        self._words = {
            state.seats[p]: f"blind {bet:,}"
            for p, (blind, bet) in enumerate(zip(state.spec.blinds, state.bets, strict=True))
            if blind
        }
        self._ended, self._settled = False, False
        self._truths.clear()
        self._views = {"nobody has acted": view_from_outside(state)}
        self._look_at(max(range(state.spec.players), key=lambda p: state.bets[p]))
        self._show(_ACTION)

    def on_action(self, state: HandState, action: Action, fault: Fault | None) -> None:
        super().on_action(state, action, fault)
        chair = state.seats[state.actor]
        self._words[chair] = short_words(state, action)
        if not self._settled and action.kind != FOLD and (action.kind == RAISE or state.to_call):
            # Whoever puts chips in first is read, for as long as they are in the hand.
            self._look_at(state.actor)
            self._settled = True

    def on_change(self, state: HandState) -> None:
        self._views[STREET_NAMES[state.street]] = view_from_outside(state)
        left = [p for p in range(state.spec.players) if not state.folded[p]]
        if state.seats.index(self._villain) not in left and len(left) > 1:
            self._look_at(max(left, key=lambda p: state.contributions[p]))
        elif state.seats.index(self._villain) in left:
            self._glance(STREET_NAMES[state.street])
        if not state.finished:
            self._show(_ACTION)

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        super().on_hand(record, table)
        for position, payoff in enumerate(record.payoffs):
            if payoff > 0 or record.shown[position]:
                # Beside the cards that are shown.
                self._words[record.seats[position]] = chips_words(payoff, record.spec.split, sign=True)
        self._ended = True
        self._show(_SHOWDOWN if self._villain in self._truths else _END, always=True)

    def finish(self) -> None:
        """Draw the last state."""
        self._draw(self.scene(), 0.0)

    # the reading -----------------------------------------------------------------------------------------------------

    def _look_at(self, position: int) -> None:
        """Read the player in ``position`` from now on, and on the streets before."""
        assert self.state is not None
        self._villain = self.state.seats[position]
        self._glances = []
        for when in self._views:
            self._glance(when)

    def _glance(self, when: str) -> None:
        """Read the player in the last view of a street, in place of the reading there."""
        view = self._views[when]
        reading = self.read(view, self._villain)
        if reading is None:
            return
        glance = Glance(
            when,
            "".join(str(color_level(w)) for w in reading.class_grid.tolist()),
            tuple((name, round(share, 3)) for name, share in hand_shares(reading, view.board)[0][:5]),
            round(reading.narrowed),
            int(possible_hands(view.board).sum()),
        )
        self._glances = [g for g in self._glances if g.when != when] + [glance]

    # drawing ---------------------------------------------------------------------------------------------------------

    def scene(self) -> Scene:
        """What is to be seen now."""
        state, table = self.state, self.table
        assert state is not None and table is not None
        small, big = self.config.blinds
        return Scene(
            hand=state.hand,
            hands=self.config.hands,
            stakes=f"{small}/{big}",
            seed=self.config.seed,
            live=len(table.live()),
            board=tuple(state.board),
            pot=state.pot,
            seats=tuple(self._seat(chair) for chair in range(len(self.names))),
            reader=self.spec or "",
            villain=self.names[self._villain],
            glances=tuple(self._glances),
            truth=self._truths.get(self._villain),
            score=self.score,
            notes=tuple(self._notes),
            ended=self._ended,
        )

    def _seat(self, chair: int) -> Seat:
        state, table, name = self.state, self.table, self.names[chair]
        assert state is not None and table is not None
        if chair not in state.seats:
            return Seat(name, 0, f"out, hand {table.survived[chair]}", (), "o")
        p = state.seats.index(chair)
        record = self.records[-1] if self._ended else None
        back = 0 if record is None else state.contributions[p] + state.antes[p] + record.payoffs[p] // record.spec.split
        marks = "b" * (p == state.spec.button) + "a" * (p == state.actor) + "f" * bool(state.folded[p])
        cards = tuple(record.hole[p]) if record is not None and record.shown[p] else ()
        return Seat(name, state.stacks[p] + back, self._words.get(chair, ""), cards, marks)

    def _show(self, pause: float, always: bool = False) -> None:
        """Draw, unless the last picture is younger than a frame, and wait for what is left of ``pause`` seconds."""
        pause = self._pause(pause)
        if always or pause >= _FRAME or time.monotonic() - self._drawn >= _FRAME:
            self._draw(self.scene(), pause)

    def _pause(self, pause: float) -> float:
        if self._stopped.is_set() or self._speed == 0:
            return 0.0
        hand = self.state.hand if self.state is not None else 1
        if self._speed is None:
            return pause * (_QUICK + (1 - _QUICK) * math.exp(-(hand - 1) / _EASE))
        # An eight-handed hand has some twelve actions.
        return pause / (12 * _ACTION + _END) / self._speed

    def _draw(self, scene: Scene, pause: float) -> None:
        # The time that the players have thought since counts as waiting.
        while (wait := self._until - time.monotonic()) > 0 and not self._stopped.wait(min(wait, _LOOK)):
            self._paint()
        self._scene = scene
        self._paint()
        self._drawn = time.monotonic()
        self._until = self._drawn + pause

    def _paint(self) -> None:
        """Draw the scene in what the screen's width is now."""
        if self._scene is not None:
            lines = frame(self._scene, self._live.console.width)
            self._live.update(Text("\n").join(lines), refresh=True)


def view_from_outside(state: HandState) -> View:
    """What somebody sees who is not at the table, before any hand is shown: a showdown's cards would tell the reader
    which cards the others cannot hold."""
    view = state.view(None)
    view.state["hole"] = NO_CARD
    return view


def short_words(state: HandState, action: Action) -> str:
    """What the actor of ``state`` is about to do, in at most about 12 columns: ``raises 1,200``. Bets and raises name
    the total on this street."""
    p = state.actor
    stack = state.stacks[p]
    if action.kind == FOLD:
        return "folds"
    if action.kind == RAISE:
        bet = state.bets[p]
        added = action.to - state.contributions[p]
        verb = "all-in" if added == stack else "raises" if max(state.bets) else "bets"
        return f"{verb} {added + bet:,}"
    if state.to_call == 0:
        return "checks"
    return f"all-in {stack + state.bets[p]:,}" if state.to_call == stack else f"calls {state.to_call:,}"
