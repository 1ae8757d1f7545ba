"""A recorded hand street by street: where its readings are taken, and what a reader says there."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dupai.base import ConfigError, optional_package
from dupai.base.files import whole_path
from dupai.cards import CLASS_TEXT, CLASSES, COMBO_CLASS, COMBOS, NO_CARD, cards_text, combo, combo_text
from dupai.notation import likelier_reason, narrowed_reasons, reason_words, word_of
from dupai.reading._draws import hand_shares
from dupai.reading._filter import legal_hands
from dupai.reading._protocol import Reader
from dupai.reading._reading import HAND_CLASSES, Reading, hand_classes
from dupai.rules import BOARD_CARDS, FOLD, STREET_NAMES, HandRecord, HandState
from dupai.spots import spot_rows


class DecidedStreet(NamedTuple):
    """A street whose betting is over: its number, how many actions of the hand it ends with, and who decided something
    on it: (position, whether they folded on it)."""

    street: int
    actions: int
    villains: tuple[tuple[int, bool], ...]


def streets(record: HandRecord, *, whole: bool = False) -> list[DecidedStreet]:
    """The streets of a hand on which somebody made a voluntary decision (specs: section 1 of the metric), up to the
    first whose board is not known: there is nothing to read on it.

    Posting a blind is no decision, and neither is a check with nothing left to decide because all opponents are all-in.

    Args:
        record: the hand.
        whole: refuse a hand that has such a street.

    Raises:
        RulesError: an action is not legal where it stands.
        ConfigError: the board of such a street is not known, with ``whole``.
    """
    rows = spot_rows(record)
    decided: list[dict[int, bool]] = [{}, {}, {}, {}]
    ends = [0, 0, 0, 0]
    columns = (rows[name].tolist() for name in ("street", "position", "to_call", "max_to"))
    decisions = zip(*columns, record.actions, strict=False)
    for number, (street, position, to_call, max_to, action) in enumerate(decisions, 1):
        ends[street] = number
        folds = action.kind == FOLD
        if to_call or max_to or folds:
            decided[street][position] = folds
    out = []
    for k in range(4):
        if not decided[k]:
            continue
        if len(record.board) < BOARD_CARDS[k]:
            if whole:
                raise ConfigError(f"hand {record.hand}: the board of the {STREET_NAMES[k]} is not known")
            break
        out.append(DecidedStreet(k, ends[k], tuple(sorted(decided[k].items()))))
    return out


def hidden_hands(record: HandRecord) -> list[int | None]:
    """The combo that each position held, None where nobody knows: recorded hole cards, else mucked ones that the source
    published after the hand."""
    held = []
    for position, two in enumerate(record.hole):
        known = two
        if NO_CARD in known and record.mucked:
            known = record.mucked[position]
        held.append(None if NO_CARD in known else combo(known[0], known[1]))
    return held


def street_states(
    record: HandRecord, ends: Sequence[DecidedStreet], seats: Sequence[int] | None
) -> Iterator[tuple[DecidedStreet, HandState]]:
    """The hand as it stood at each of these ends, with no hole card in it and no board card of a later street.

    The state is the same object every time, played on: take views of it at once.
    """
    unknown = ((NO_CARD, NO_CARD),) * record.spec.players
    line = msgspec.structs.replace(record, hole=unknown, seats=tuple(seats or record.seats))
    decided = {end.street: end for end in ends}
    for street, state in line.street_ends():
        if street in decided:
            yield decided[street], state


class WatchedStreet(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader thinks of one player when the betting of a street is over (observer's view).

    Attributes:
        street: ``pre-flop``, ``flop``, ``turn`` or ``river``; ``board``: the open cards as text.
        actions: how many actions of the hand are over.
        grid: 169 numbers in grid order: mean probability of the class's possible hands, the largest 1.
        hands: the most probable hands with their probabilities; ``starting``: the most probable starting hands (AKs)
            likewise; ``classes``: all classes of made hands that can be, likely first; ``draws``: of draws likewise.
        entropy: of the reading, in bits; ``narrowed``: how many equally likely hands would leave as much open;
            ``legal``: hands that are possible.
        truth, truth_class: what the player held (None: not known); ``probability`` of it; ``bits`` gained over knowing
        nothing; ``covered``: share of it in the 80 % set.
    """

    street: str
    board: str
    actions: int
    grid: tuple[float, ...]
    hands: tuple[tuple[str, float], ...]
    starting: tuple[tuple[str, float], ...]
    classes: tuple[tuple[str, float], ...]
    draws: tuple[tuple[str, float], ...]
    entropy: float
    narrowed: float
    legal: int
    truth: str | None = None
    truth_class: str | None = None
    probability: float | None = None
    bits: float | None = None
    covered: float | None = None
    factors: tuple[tuple[str, float, float], ...] = ()


def watch(
    record: HandRecord, reader: Reader, position: int, top: int = 8, hands: Sequence[int] = ()
) -> list[WatchedStreet]:
    """The reading of a player after every street on which anybody decided something, until the player folds.

    Args:
        record: the hand.
        reader: who reads.
        position: the player who is read.
        top: how many likely hands are named.
        hands: hands (numbers from 0 to 1325) whose :attr:`WatchedStreet.factors` are wanted.

    Raises:
        ConfigError: there is no such position.
        RulesError: an action of the record is not legal where it stands.
    """
    if not 0 <= position < record.spec.players:
        raise ConfigError(f"position {position}: expected 0 to {record.spec.players - 1}")
    truth = hidden_hands(record)[position]
    out = []
    before = np.ones(COMBOS)
    for end, state in street_states(record, streets(record), None):
        view = state.view(None)
        reading = reader.read(view, [view.seats[position]])[view.seats[position]]
        ratio = np.divide(reading.p, before, out=np.zeros(COMBOS), where=before > 0)
        ratio, before = ratio / ratio.sum(), reading.p
        board = view.board
        legal = legal_hands(view, position)
        combos = np.bincount(COMBO_CLASS[legal], minlength=CLASSES)
        mean = np.divide(reading.class_p, combos, out=np.zeros(CLASSES), where=combos > 0)
        shares = reading.class_shares(board)
        starting = np.argsort(-reading.class_p, kind="stable")[:top].tolist()
        possible = set(hand_classes(board)[legal].tolist())
        likely = sorted(possible, key=lambda k: -shares[k])
        street = WatchedStreet(
            street=STREET_NAMES[end.street],
            board=cards_text(board),
            actions=end.actions,
            grid=tuple((mean / mean.max()).tolist()),
            hands=tuple(reading.top(top)),
            starting=tuple((CLASS_TEXT[k], float(reading.class_p[k])) for k in starting),
            classes=tuple((HAND_CLASSES[k], float(shares[k])) for k in likely),
            draws=tuple(hand_shares(reading, board)[1]),
            entropy=reading.entropy,
            narrowed=reading.narrowed,
            legal=int(legal.sum()),
            factors=tuple((combo_text(h), float(ratio[h]), float(reading.p[h])) for h in hands),
            **({} if truth is None else _against(reading, truth, board, int(legal.sum()))),
        )
        out.append(street)
        if dict(end.villains).get(position):
            break
    return out


def _against(reading: Reading, truth: int, board: tuple[int, ...], legal: int) -> dict[str, Any]:
    """How well a reading knows the hand that was held."""
    return {
        "truth": combo_text(truth),
        "truth_class": HAND_CLASSES[hand_classes(board)[truth]],
        "probability": reading.probability(truth),
        "bits": max(reading.gain(truth, legal), -20.0),
        "covered": reading.covered(truth, 0.8),
    }


def draw(
    watched: list[WatchedStreet], title: str, file: str | PathLike[str], captions: Sequence[str] | None = None
) -> None:
    """Draw the readings into a file (PNG, or the format of the file's ending): one 13 x 13 grid for each street.

    Args:
        watched: the streets.
        title: of the picture.
        file: where it goes.
        captions: for each street what was done on it, in words.

    Raises:
        MissingPackage: matplotlib is not installed.
        ConfigError: there is no street, or matplotlib does not know the ending of the file's name.
        FileError: the file cannot be written.
    """
    if not watched:
        raise ConfigError("there is nothing to draw: nobody decided anything in the hand", key="watched")
    figures = optional_package("matplotlib.figure", "report", "drawing a picture")
    n = len(watched)
    done = [textwrap.wrap(words, 52) for words in captions] if captions else [[]] * n
    most = max(map(len, done), default=0)
    figure = figures.Figure(figsize=(max(4.2 * n, 6.0), 5.95 + 0.17 * most), dpi=100, layout="constrained")
    # Names are no formulas, whatever dollars are in them.
    figure.suptitle(title, fontsize=13, parse_math=False)
    plots = figure.subplots(1, n, squeeze=False)[0]
    for axes, street, words in zip(plots, watched, done, strict=True):
        grid = np.array(street.grid).reshape(13, 13)
        axes.imshow(grid, cmap="YlOrRd", vmin=0, vmax=1)
        for k, text in enumerate(CLASS_TEXT):
            row, column = divmod(k, 13)
            ink = "white" if grid[row, column] > 0.6 else "black"
            axes.text(column, row, text, ha="center", va="center", fontsize=6.5, color=ink)
        if street.truth is not None:
            row, column = divmod(int(COMBO_CLASS[combo(street.truth)]), 13)
            frame = figures.Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor="blue", linewidth=2.5)
            axes.add_patch(frame)
        axes.set_xticks([])
        axes.set_yticks([])
        board = f"  {street.board}" if street.board else ""
        # The same number of lines everywhere: the grids stand side by side.
        lines = [f"{street.street}{board}", *words, *[""] * (most - len(words))]
        axes.set_title("\n".join(lines), fontsize=9, parse_math=False)
        lines = [reason_words(narrowed_reasons(street.entropy, street.legal)[0])]
        lines += ["top: " + ", ".join(f"{name} {100 * share:.1f} %" for name, share in street.starting[:4])]
        lines.append(", ".join(f"{word_of(name)} {100 * share:.0f} %" for name, share in street.classes[:3]))
        if street.truth is not None and street.truth_class is not None and street.bits is not None:
            lines.append(f"held {street.truth} ({word_of(street.truth_class)})")
            lines += textwrap.wrap(f"{reason_words(likelier_reason(street.bits))} ({street.bits:+.2f} bits)", 52)
        axes.set_xlabel("\n".join(lines), fontsize=9, parse_math=False)
    try:
        with whole_path(file) as part:
            figure.savefig(part)
    except ValueError as error:
        raise ConfigError(f"{file}: the picture cannot be written: {error}", key="file") from None
