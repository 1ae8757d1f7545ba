"""Shorthand for hand-written cases: ``play(state, "r300 c f")``."""

from __future__ import annotations

from dupai.rules import Action


def action(text):
    return {"f": Action.fold(), "c": Action.call()}.get(text) or Action.raise_to(int(text[1:] or 0))


def play(state, story):
    """Apply actions written as in ACPC logs, separated by blanks; ``/`` asserts that a street has just begun."""
    street = state.street
    for word in story.split():
        if word == "/":
            street += 1
            assert state.street == street, f"street {state.street}, not {street}"
        else:
            state.apply(action(word))
    return state
