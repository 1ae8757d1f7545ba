"""A match in progress: a table redrawn in the terminal, or plain lines where output is piped."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from dupai.arena import MatchNotes
from dupai.cli._telling import cards_shown
from dupai.notation import action_words, result_words

if TYPE_CHECKING:
    from rich.console import Console, Group, JustifyMethod
    from rich.live import Live
    from rich.text import Text

    from dupai.arena import ChipTable, Fault, TournamentTask
    from dupai.reading import Reader
    from dupai.rules import Action, HandRecord, HandState

#: The default pace: hand h is over after ``_SPAN * (1 - exp(-h / _EASE))`` seconds, about six hands a second at first.
_SPAN, _EASE = 24.0, 140.0
#: Seconds between two frames.
_FRAME = 1 / 15
#: Short names of hand classes, for the column.
_SHORT = {
    "unpaired low": "low cards",
    "unpaired high": "high cards",
    "pair low": "low pair",
    "pair high": "high pair",
    "straight flush": "str. flush",
}
#: Seconds for which a big showdown stays on the screen.
_HOLD = 0.7


class PlainMatch(MatchNotes):
    """Plain lines, as fast as the match goes."""

    def __init__(self, task: TournamentTask, names: tuple[str, ...], out: Console) -> None:
        super().__init__(task, names)
        self._out = out

    def note(self, hand: int, text: str) -> None:
        self._out.print(f"hand {hand:>4}  {text}", markup=False, soft_wrap=True)

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        super().on_hand(record, table)
        if table is not None and record.hand % 50 == 0:
            leader = max(range(table.players), key=table.chips_left)
            self.note(
                record.hand,
                f"{len(table.live())} in, {self.names[leader]} leads with {table.chips_left(leader):,} chips left",
            )


class LiveMatch(MatchNotes):
    """The table, redrawn as hands go by.

    Args:
        live: where it is drawn.
        speed: hands a second; None: slow at first, then faster, at most about 25 seconds; 0: no waiting.
        reader: each seat shows the class of hand that the player most likely holds, read from an observer's view
            without hole cards.
    """

    def __init__(
        self,
        task: TournamentTask,
        names: tuple[str, ...],
        live: Live,
        speed: float | None,
        reader: Reader | None = None,
    ) -> None:
        super().__init__(task, names)
        self._reader = reader
        self._read: dict[int, str] = {}
        #: The hand and number of actions that ``_read`` belongs to.
        self._read_at = (0, -1)
        if reader is not None:
            reader.meet(dict(enumerate(names)))
        self._live = live
        self._speed = speed
        self._start = time.monotonic()
        self._drawn = 0.0
        self._state: HandState | None = None
        self._words: dict[int, str] = {}
        self._notes: deque[str] = deque(maxlen=6)

    def note(self, hand: int, text: str) -> None:
        self._notes.append(f"hand {hand:>4}  {text}")

    def _due(self, hand: float) -> float:
        """Seconds after the start at which ``hand`` should be over."""
        if self._speed is None:
            return _SPAN * (1 - math.exp(-hand / _EASE))
        return hand / self._speed if self._speed > 0 else 0.0

    def _wait_until(self, seconds: float) -> None:
        wait = self._start + seconds - time.monotonic()
        if wait > 0:
            time.sleep(min(wait, 2.0))

    def on_deal(self, state: HandState, table: ChipTable | None) -> None:
        super().on_deal(state, table)
        self._state = state
        self._words = {
            state.seats[p]: ("small blind" if blind < state.spec.big_blind else "big blind") + f" {bet:,}"
            for p, (blind, bet) in enumerate(zip(state.spec.blinds, state.bets, strict=True))
            if blind
        }
        self._draw()

    def on_action(self, state: HandState, action: Action, fault: Fault | None) -> None:
        super().on_action(state, action, fault)
        self._words[state.seats[state.actor]] = action_words(state, action)

    def on_change(self, state: HandState) -> None:
        # Actions of a hand share its time: each is shown a little after the one before.
        if not state.finished:
            before, after = self._due(state.hand - 1), self._due(state.hand)
            self._wait_until(before + (after - before) * min(len(state.actions) / 20, 0.9))
        self._draw()

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        super().on_hand(record, table)
        if self._reader is not None:
            self._reader.observe(record.for_seat(None))
        for position, words in result_words(record):
            self._words[record.seats[position]] = words
        big = max(record.payoffs) >= self.config.stack and any(record.shown)
        hurried = time.monotonic() - self._start > self._due(record.hand) + 1.5
        if big and self._speed != 0 and not hurried:
            self._draw(always=True)
            time.sleep(_HOLD)
        self._wait_until(self._due(record.hand))
        self._draw()

    def finish(self) -> None:
        """Draw the last state."""
        self._draw(always=True)

    def _draw(self, always: bool = False) -> None:
        now = time.monotonic()
        if always or now - self._drawn >= _FRAME:
            self._drawn = now
            self._live.update(self.frame(), refresh=True)

    def frame(self) -> Group:
        """What is drawn: at most 80 columns and 22 lines."""
        from rich.console import Group
        from rich.text import Text

        state, table = self._state, self.table
        if state is None or table is None:
            return Group(Text("shuffling"))
        small, big = self.config.blinds
        head = Text(f"hand {state.hand} of {self.config.hands}", style="bold")
        head.append(f"   blinds {small}/{big}   {len(table.live())} of {table.players} in   ", style="not bold")
        head.append(f"seed {self.config.seed}", style="dim not bold")
        middle = Text("board  ")
        middle.append_text(cards_shown(state.board, signs=True) if state.board else Text("—", style="dim"))
        middle.pad_right(max(24 - len(middle.plain), 2))
        middle.append(f"pot {state.pot:,}", style="bold")
        notes = [Text(n, style="dim", no_wrap=True, overflow="ellipsis") for n in self._notes]
        notes += [Text("")] * (6 - len(notes))
        return Group(head, Text(""), self._seats(state, table), Text(""), middle, Text(""), *notes)

    def _seats(self, state: HandState, table: ChipTable) -> Any:
        from rich.table import Table
        from rich.text import Text

        grid = Table(box=None, pad_edge=False, header_style="dim", width=min(self._live.console.width, 80))
        read = self._readings(state)
        reads = self._reader is not None
        columns: list[tuple[str, JustifyMethod, int | None]] = [
            ("", "right", 2),
            ("", "left", 1),
            ("agent", "left", 15 if reads else None),
            ("stack", "right", 7),
            ("rebuy", "right", 5),
            ("cards", "left", 5),
            ("read as", "left", 14),
            ("", "left", 17 if reads else 27),
        ]
        if not reads:
            del columns[6]
        for title, justify, width in columns:
            grid.add_column(title, justify=justify, width=width, no_wrap=True, overflow="ellipsis")
        position = {chair: p for p, chair in enumerate(state.seats)}
        stacks, folded = state.stacks, state.folded
        for chair, name in enumerate(self.names):
            p = position.get(chair)
            if p is None:
                out = table.survived[chair]
                blank = [""] * (len(columns) - 4)
                grid.add_row(str(chair + 1), "", name, *blank, f"out in hand {out}", style="dim")
                continue
            done = state.finished and len(self.records) > 0 and self.records[-1].hand == state.hand
            stack = stacks[p] + (self._returned(p) if done else 0)
            grid.add_row(
                str(chair + 1),
                Text("●" if p == state.spec.button else "", style="yellow"),
                name,
                f"{stack:,}",
                str(table.rebuys_left[chair]) if table.rebuys_left[chair] else "·",
                cards_shown(state.hole[p], signs=True) if not folded[p] else Text(""),
                *([read.get(chair, "")] if reads else []),
                self._styled(self._words.get(chair, "")),
                style="dim" if folded[p] else ("bold" if p == state.actor else ""),
            )
        return grid

    def _readings(self, state: HandState) -> dict[int, str]:
        """The likeliest class of hand of each player still in, by chair; computed once an action."""
        at = (state.hand, len(state.actions))
        if self._reader is not None and at != self._read_at:
            from dupai.reading import HAND_CLASSES

            self._read_at, self._read = at, {}
            for chair, reading in self._reader.read(state.view(None)).items():
                shares = reading.class_shares(state.board)
                name = HAND_CLASSES[shares.argmax()]
                self._read[chair] = f"{_SHORT.get(name, name)} {100 * shares.max():.0f}%"
        return self._read

    def _returned(self, position: int) -> int:
        record = self.records[-1]
        state = self._state
        assert state is not None
        return state.contributions[position] + state.antes[position] + record.payoffs[position]

    @staticmethod
    def _styled(words: str) -> Text:
        from rich.text import Text

        style = "green" if words.startswith("wins") else "yellow" if "all-in" in words else ""
        return Text(words, style=style)
