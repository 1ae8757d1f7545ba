"""Imported once by the server that worker processes are forked from: what all that play need is loaded there."""

from __future__ import annotations

import contextlib


def _warm() -> None:
    import dupai.arena  # noqa: F401 - agents with all that they import
    from dupai.base import Rng
    from dupai.rules import Action, GameSpec, HandState

    # Loads the compiled rules: some 0.6 s that each worker would spend otherwise.
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 20_000), Rng(0, 0, 0, 0))
    while state.actor >= 0:
        state.view(state.actor)
        state.apply(Action.call())
    state.record(("a", "b"))


with contextlib.suppress(Exception):
    # A worker meets the same error where it can be reported.
    _warm()
