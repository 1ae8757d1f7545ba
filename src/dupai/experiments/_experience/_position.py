"""The position that the paper times."""

from __future__ import annotations

from dupai.rules import Action, GameSpec, HandState, View


def search_position(hole: str = "AsKh", board: str = "9d8s7d") -> View:
    """The position that the paper times: AsKh on 9d8s7d, first to act after a raise and a call; later streets after
    checks."""
    state = HandState(GameSpec.no_limit(2), [hole, None], board)
    for action in (Action.raise_to(300), Action.call()):
        state.apply(action)
    while state.street < len(board) // 2 - 2:
        state.apply(Action.call())
    return state.view(0)
