"""One question in one call: what an agent would do, what players hold, what a player gave up. The answers print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from html import escape
from typing import TYPE_CHECKING, Any

import msgspec

from dupai.agents import Advice, seated_agent, sit_down
from dupai.base import ConfigError, DupaiError, Printable, Rng
from dupai.base.text import nearest, plain, visible
from dupai.cards import NO_CARD, cards_text
from dupai.notation import advice_words, choice_words, reason_words, view_from_text, with_words
from dupai.reading import Reading, load_reader
from dupai.rules import RAISE, STREET_NAMES, Action, HandRecord, View
from dupai.spots import position_class

if TYPE_CHECKING:
    from dupai.arena._coach import Lesson


class SpotAdvice(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """What an agent would do in a spot: its spec, the view of the player to act, and the advice."""

    agent: str
    view: View
    advice: Advice

    def headline(self) -> str:
        best = max(range(len(self.advice.actions)), key=lambda k: self.advice.probabilities[k])
        return f"{self.agent}: {advice_words(self.view, self.advice.actions[best])}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        big = max(self.view.spec.big_blind, 1)
        advice, values = self.advice, self.advice.values
        cells = [
            (
                advice_words(self.view, advice.actions[i]),
                f"{advice.probabilities[i]:.1%}",
                f"{values[i] / big:+.2f}" if values is not None else "",
            )
            for i in sorted(range(len(advice.actions)), key=lambda i: -advice.probabilities[i])
        ]
        return ("action", "chance", "worth, bb"), cells

    def __str__(self) -> str:
        reasons = (f"  - {visible(reason_words(one), line=True)}" for one in self.advice.reasons)
        return "\n".join([Printable.__str__(self), *reasons])

    def to_html(self) -> str:
        reasons = "".join(f"<li>{escape(reason_words(one))}</li>" for one in self.advice.reasons)
        return f"<div>{Printable.to_html(self)}<ul>{reasons}</ul></div>"

    def records(self) -> list[dict[str, Any]]:
        """The actions: ``action``, ``probability``, ``to`` (or ``from`` and ``to``), ``value`` in chips, ``visits``."""
        advice, actions = self.advice, []
        for i, action in enumerate(advice.actions):
            entry: dict[str, Any] = {
                "action": choice_words(self.view, action),
                "probability": advice.probabilities[i],
            }
            if not isinstance(action, Action):
                entry |= {"from": action.lo, "to": action.hi}
            elif action.kind == RAISE:
                entry |= {"to": action.to or self.view.legal.min_to}
            if advice.values is not None:
                entry["value"] = advice.values[i]
            if advice.visits is not None:
                entry["visits"] = advice.visits[i]
            actions.append(entry)
        return actions

    def to_dict(self) -> dict[str, Any]:
        view = self.view
        spot = {
            "players": view.spec.players,
            "position": view.actor,
            "street": view.street,
            "hole": cards_text(view.hole),
            "board": cards_text(view.board),
            "pot": view.pot,
            "to_call": view.legal.to_call,
            "stack": view.stacks[view.actor],
            "legal": view.legal._asdict(),
        }
        readings = {
            str(seat): {"entropy": r.entropy, "hands": r.hands, "classes": r.class_p.tolist()}
            for seat, r in self.advice.readings.items()
        }
        numbers, reasons = plain(self.advice.numbers), [plain(with_words(one)) for one in self.advice.reasons]
        asked = {"agent": self.agent, "spot": spot, "actions": plain(self.records())}
        return {**asked, "numbers": numbers, "reasons": reasons, "readings": readings}


def advise(spot: View | str, agent: str = "advisor", *, seed: int = 1) -> SpotAdvice:
    """Ask an agent what it would do in a spot, given as a view or in words.

    Args:
        spot: as :func:`dupai.notation.view_from_text` takes it, or the view of the player to act.
        agent: spec of the agent.
        seed: of its random numbers.

    Raises:
        NotationError, RulesError: the text is no spot.
        ConfigError, AgentError: there is no such agent, or it cannot decide there.
    """
    view = view_from_text(spot) if isinstance(spot, str) else spot
    with closing(sit_down(seated_agent(agent), view, agent)) as seat:
        return SpotAdvice(agent=agent, view=view, advice=seat.advise(view, Rng(seed)))


class HandReadings(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """What players seem to hold: the board, and a :class:`~dupai.reading.Reading` for each player by name."""

    reader: str
    board: tuple[int, ...]
    readings: Mapping[str, Reading]

    def __getitem__(self, player: str) -> Reading:
        return self.readings[player]

    def headline(self) -> str:
        return f"{self.reader} reads {', '.join(self.readings)}" + (f" on {cards_text(self.board)}" * bool(self.board))

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        rows = []
        for player, reading in self.readings.items():
            narrowed, top, _ = map(reason_words, reading.said)
            rows.append((player, narrowed, top))
        return ("player", "", ""), rows

    def to_html(self) -> str:
        drawn = "".join(f"<div><b>{escape(name)}</b>{r.to_html()}</div>" for name, r in self.readings.items())
        return f"<div style='display:flex;flex-wrap:wrap;gap:1em'>{drawn}</div>"

    def to_dict(self) -> dict[str, Any]:
        return {name: reading.to_dict() for name, reading in self.readings.items()}

    def records(self) -> list[dict[str, Any]]:
        """The 1326 hands, and the probability of each for each player."""
        held = self.to_dict()
        hands = {hand: None for one in held.values() for hand in one}
        return [{"hand": hand, **{name: one.get(hand, 0.0) for name, one in held.items()}} for hand in hands]


def read(hand: HandRecord | View | str, reader: str = "model") -> HandReadings:
    """Read the players who have not folded, but the one whose view it is: of a recorded hand, all of them, from the
    betting and the board alone.

    Args:
        hand: a recorded hand, a view, or a spot as :func:`dupai.notation.view_from_text` takes it.
        reader: spec of the reader.

    Raises:
        NotationError, RulesError: the text is no spot.
        ConfigError: there is no such reader, or it cannot read the game.
    """
    loaded, names = load_reader(reader), dict[int, str]()
    if isinstance(hand, HandRecord):
        unknown = ((NO_CARD, NO_CARD),) * hand.spec.players
        view = msgspec.structs.replace(hand, hole=unknown).at().view(None)
        names = dict(zip(view.seats, hand.names, strict=False))
        loaded.meet(names)
    else:
        view = view_from_text(hand) if isinstance(hand, str) else hand
    positions = [p for p, folded in enumerate(view.folded) if not folded and p != view.position]
    readings = loaded.read(view, [view.seats[p] for p in positions])
    labels = {view.seats[p]: f"seat {view.seats[p]}, {position_class(view.spec.players, p)}" for p in positions}
    named = {names.get(seat, labels[seat]): reading for seat, reading in readings.items()}
    return HandReadings(reader=reader, board=tuple(view.board), readings=named)


class HandReview(Printable, msgspec.Struct, frozen=True, kw_only=True):
    """What a player's decisions gave up: each with the view it was made in, and the coach's lesson or why there is
    none."""

    player: str
    lessons: tuple[tuple[View, Lesson | str], ...]

    def headline(self) -> str:
        judged = [lesson.gave_up for _, lesson in self.lessons if not isinstance(lesson, str)]
        gave, error = sum(e.mean for e in judged), sum(e.se**2 for e in judged) ** 0.5
        return f"{self.player}: {len(judged)} decisions gave up {max(gave, 0.0):.1f} ± {error:.1f} big blinds"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        return ("hand", "decision"), [(f"{row['hand']}", row["words"]) for row in self.records()]

    def to_dict(self) -> dict[str, Any]:
        return {"player": self.player, "decisions": plain(self.records())}

    def records(self) -> list[dict[str, Any]]:
        """The decisions: ``hand``, ``street``, ``chosen``, ``best``, ``gave_up`` and ``error`` in big blinds, ``sure``,
        and ``words``."""
        rows = []
        for view, lesson in self.lessons:
            row: dict[str, Any] = {"hand": view.hand, "street": STREET_NAMES[view.street]}
            if not isinstance(lesson, str):
                row |= {"chosen": choice_words(view, lesson.chosen), "best": choice_words(view, lesson.best)}
                row |= {"gave_up": lesson.gave_up.mean, "error": lesson.gave_up.se, "sure": lesson.sure}
            words = reason_words(lesson.about(view)) if not isinstance(lesson, str) else f"no estimate: {lesson}"
            rows.append({**row, "words": words})
        return rows


def decisions_of(record: HandRecord, position: int) -> list[tuple[View, Action]]:
    """The decisions of one position in a hand, in order."""
    played = zip(record.states(), record.actions, strict=False)
    return [(state.view(position), action) for state, action in played if state.actor == position]


def review(
    hands: HandRecord | Sequence[HandRecord], player: str, *, reader: str = "model", seconds: float = 3.0
) -> HandReview:
    """Review a player's decisions as the coach does; the cards of the player must be known.

    Args:
        hands: recorded hands; the reader learns from each what the player saw.
        player: name of the player.
        reader: spec of the reader, which says what the others held.
        seconds: for each decision, at most about.

    Raises:
        ConfigError: the player is in none of the hands, or there is no such reader.
    """
    # With all that matches need, which the other questions do without.
    from dupai.arena._coach import Coach

    records = [hands] if isinstance(hands, HandRecord) else list(hands)
    names = [name for record in records for name in record.names]
    if player not in names:
        raise ConfigError(
            f"player {player!r} is in none of the hands: {nearest(player, sorted({*names}))}", key="player"
        )
    loaded = load_reader(reader)
    lessons: list[tuple[View, Lesson | str]] = []
    coach = Coach(loaded, seconds=seconds)
    for record in records:
        loaded.meet(dict(zip(record.seats or range(record.spec.players), record.names, strict=False)))
        position = record.names.index(player) if player in record.names else None
        decisions = [] if position is None else decisions_of(record, position)
        for number, (view, action) in enumerate(decisions, 1):
            try:
                lessons.append((view, coach.lesson(view, action, number)))
            except DupaiError as error:
                lessons.append((view, str(error)))
        loaded.observe(record.seen_by(position))
    return HandReview(player=player, lessons=tuple(lessons))
