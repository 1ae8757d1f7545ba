"""Any sequential game of OpenSpiel under our protocol of small games."""

from __future__ import annotations

from typing import Any

import pyspiel

from dupai.games import CHANCE, OVER

Line = tuple[int, ...]


class OpenSpielGame:
    """States are lines of actions; OpenSpiel is asked, and its answers kept, for each."""

    def __init__(self, name: str, parameters: dict[str, Any] | None = None) -> None:
        self.theirs = pyspiel.load_game(name, parameters or {})
        self._states: dict[Line, Any] = {(): self.theirs.new_initial_state()}

    @property
    def name(self) -> str:
        return str(self.theirs.get_type().short_name)

    @property
    def players(self) -> int:
        return int(self.theirs.num_players())

    def root(self) -> Line:
        return ()

    def actor(self, state: Line) -> int:
        their = self._states[state]
        if their.is_terminal():
            return OVER
        return CHANCE if their.is_chance_node() else int(their.current_player())

    def actions(self, state: Line) -> tuple[int, ...]:
        their = self._states[state]
        if their.is_chance_node():
            return tuple(a for a, _ in sorted(their.chance_outcomes()))
        return tuple(their.legal_actions())

    def chances(self, state: Line) -> tuple[float, ...]:
        return tuple(p for _, p in sorted(self._states[state].chance_outcomes()))

    def child(self, state: Line, action: int) -> Line:
        line = (*state, action)
        if line not in self._states:
            self._states[line] = self._states[state].child(action)
        return line

    def information(self, state: Line, player: int) -> str:
        their = self._states[state]
        return str(their.information_state_string(player)) if player >= 0 else ""

    def payoffs(self, state: Line) -> tuple[float, ...]:
        return tuple(self._states[state].returns())
