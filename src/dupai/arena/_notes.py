"""What people want to hear of a match: big pots, rebuys, who is out, faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.arena._hand import Watcher
from dupai.notation import result_words

if TYPE_CHECKING:
    from dupai.arena._chips import ChipTable
    from dupai.arena._hand import Fault
    from dupai.arena._tournament import TournamentTask
    from dupai.rules import Action, HandRecord, HandState


class MatchNotes(Watcher):
    """Keeps the hands of a tournament match and reports its events to :meth:`note`: pots of at least a starting stack,
    rebuys, players who are out, faults.

    Args:
        task: the match.
        names: of the players, by chair.
    """

    def __init__(self, task: TournamentTask, names: tuple[str, ...]) -> None:
        self.config = task.config
        self.names = names
        self.records: list[HandRecord] = []
        #: The chips, from the first deal on.
        self.table: ChipTable | None = None

    def note(self, hand: int, text: str) -> None:
        """Something happened in ``hand``."""

    def on_deal(self, state: HandState, table: ChipTable | None) -> None:
        self.table = table

    def on_action(self, state: HandState, action: Action, fault: Fault | None) -> None:
        if fault is not None:
            self.note(state.hand, f"{fault.agent} breaks the rules and loses its hand: {fault.error}")

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        self.records.append(record)
        winners = result_words(record)
        if winners and max(record.payoffs) >= self.config.stack * record.spec.split:
            position, words = winners[0]
            self.note(record.hand, f"{record.names[position]} {words}")

    def on_rebuy(self, chair: int, table: ChipTable) -> None:
        self.note(table.hand, f"{self.names[chair]} buys in again")

    def on_out(self, chair: int, table: ChipTable) -> None:
        live = table.live()
        rest = f"{len(live)} left" if len(live) > 1 else "".join(f"{self.names[c]} has won" for c in live)
        self.note(table.hand, f"{self.names[chair]} is out, {rest}")
