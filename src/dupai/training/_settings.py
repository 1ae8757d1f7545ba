"""Settings of the trainings: one struct each, from which the Python call and the command's options are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec

from dupai.base import NotationError, Option
from dupai.base.specs import checked_options
from dupai.base.text import real_number

_SEED = Option("Seed of all random draws.", low=0)
_DEVICE = Option("Where torch computes: cpu or cuda.")


def read_shares(texts: Sequence[str], folder: Path | None = None) -> dict[str, Any]:
    """The share of all files, and shares of some by name: ``0.5``, ``NAME=0.3``.

    Raises:
        NotationError: one is no share.
    """
    shares: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        shares[name] = real_number(number)
        if not 0 < shares[name] <= 1:
            raise NotationError(f"--share {text!r}: expected a share above 0 and up to 1, or NAME=share", text=text)
    return {"share": shares.pop("", 1.0), "shares": shares}


_Shares = Annotated[
    dict[str, float],
    Option("Share of each file's hands to use, or NAME=share for one file.", name="share", read=read_shares),
]


class _Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Settings whose numbers keep to the limits of their options.

    Raises:
        ConfigError: a number is outside its limits.
    """

    def __post_init__(self) -> None:
        checked_options(self)


class FoldFitSettings(_Settings, frozen=True, kw_only=True):
    """How to fit the constants of the reader ``fold``.

    Attributes:
        most: players' hands taken of each group, at random.
        rounds: generations of each search.
        searches: how many, from different starts.
        trust: set beside the fitted numbers (hands are fitted to one by one, without what a player did before).
        seed: of everything drawn.
    """

    most: Annotated[int, Option("Players' hands of each group used in the fit.", name="each", low=1)] = 1000
    rounds: Annotated[int, Option("Generations of each search.", low=1)] = 250
    searches: Annotated[int, Option("Searches from different starts.", low=1)] = 2
    trust: Annotated[float, Option("Weight of a player's habits, from 0 to 1.", low=0, high=1)] = 1.0
    seed: Annotated[int, _SEED] = 1


class TrainSettings(_Settings, frozen=True, kw_only=True):
    """How to train the networks of the reader ``model``.

    Attributes:
        device: ``"cpu"`` or ``"cuda"`` (or any that torch knows).
        seed: of everything drawn.
        epochs: passes over the readings, after a warm-up on single actions.
        networks: how many are trained and averaged, before and after the flop.
        hidden, second: units per hand of the networks after the flop.
        dropout: share of units left out.
        share: share of the hands of each file that is used, spread evenly over it.
        shares: other shares for some files, by source name (:func:`~dupai.reading.source_name`).
        without: populations whose cards stay unknown: the result never saw their hands.
        ranges: whether the networks after the flop see the players' ranges (a second stage: every hand is filtered).
        recipe: name or TOML file of the networks to train, instead of those that ``epochs``, ``networks``, ``hidden``,
            ``second`` and ``dropout`` make; ``"standard"`` follows what did best for each population.
        known: a reader's file, or "shipped" for the one that ships; those of its networks that the recipe makes the
            same way are taken, not trained.
    """

    sets_aside: ClassVar[Mapping[str, tuple[str, ...]]] = {"recipe": ("epochs", "networks", "hidden")}

    device: Annotated[str, _DEVICE] = "cpu"
    seed: Annotated[int, _SEED] = 0
    epochs: Annotated[int, Option("Epochs over the readings, after a warm-up.", low=1)] = 8
    networks: Annotated[int, Option("Networks trained and averaged.", low=1)] = 2
    hidden: Annotated[int, Option("Units per hand in the networks, 8 or more.", low=8)] = 160
    second: int = 96
    dropout: float = 0.1
    share: float = 1.0
    shares: _Shares = {}
    without: Annotated[tuple[str, ...], Option("A population whose hands are left out, as heads-up.")] = ()
    ranges: Annotated[bool, Option("A second stage that sees the ranges of all players.")] = False
    recipe: Annotated[
        str | None, Option("'standard' or a TOML file, instead of --epochs, --networks and --hidden.")
    ] = None
    known: Annotated[
        str | None,
        Option("A reader's file, or 'shipped': networks that the recipe would not change are reused."),
    ] = None


class FoldSettings(_Settings, frozen=True, kw_only=True):
    """How to train without some units (persons, matches, sessions or blocks of hands) and to read these units.

    Attributes:
        populations: names of the populations to train for and to read.
        start: a reader whose networks are trained further; it must never have seen these populations. With ``recipe``
            the reader that is judged (None: the one that ships).
        recipe: train as ``start`` was trained: repeat, by its recipe, the networks that have learned from the
            populations, and keep all others. The settings from ``like`` to ``rate`` then have no effect.
        like: the population whose networks of ``start`` are used.
        folds: the number of folds; None: each unit is a fold of its own.
        before, after: passes over the hands of the other units, before and after the flop. The last pass is kept.
        networks: how many are trained and averaged after the flop.
        batch: players' hands in a step before the flop; None: 512, or 1,024 where there are many.
        dropout: share of units left out.
        rate: multiplier of the usual learning rate; few hands and many passes need more.
        cases: at most this many hands of each fold are read, drawn at random, and as many folded before the flop.
        seed: of everything drawn.
        device: torch's name of the device.
    """

    sets_aside: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "recipe": ("like", "before", "after", "networks", "batch", "dropout", "rate")
    }

    populations: Annotated[
        tuple[str, ...], Option("A population to train for and read, as heads-up.", name="population")
    ]
    start: Annotated[str | None, Option("A reader that never saw the population, to train further.")] = None
    recipe: Annotated[bool, Option("Train with the recipe of START; default START: the shipped reader.")] = False
    like: Annotated[str, Option("The population whose networks of START are trained further.")] = "unknown"
    folds: Annotated[int | None, Option("Folds; default: one for each person, match, session or block.", low=2)] = None
    before: Annotated[int, Option("Epochs before the flop.", low=1)] = 3
    after: Annotated[int, Option("Epochs after the flop.", low=1)] = 4
    networks: Annotated[int, Option("Networks averaged after the flop.", low=1)] = 1
    batch: Annotated[
        int | None, Option("Hands in a step before the flop; default: 512, of large data 1024.", low=1)
    ] = None
    dropout: Annotated[float, Option("Share of units left out, at most 0.9.", low=0, high=0.9)] = 0.2
    rate: Annotated[float, Option("Multiplier of the learning rate.", low=0.01)] = 1.0
    cases: Annotated[
        int | None, Option("At most this many players' hands of each fold and file, drawn at random.", low=1)
    ] = None
    seed: Annotated[int, _SEED] = 1
    device: Annotated[str, _DEVICE] = "cpu"


class CnnSettings(_Settings, frozen=True, kw_only=True):
    """How to train a network that predicts actions.

    Attributes:
        encoding: ``"paper"`` (20x20 matrix, the paper's network) or ``"rich"`` (features, the factored network).
        information: ``"honest"``, ``"literal"``, or honest with named leaks (see :func:`leaks_of`).
        players: who is learned, patterns of names; none: everybody.
        share: share of the hands of each file that is used.
        shares: other shares for some files, by source name.
        epochs: passes over the training part at most.
        patience: epochs without a better validation log-loss after which training ends.
        batch, rate: samples of a step, and the largest step of Adam.
        seed: of everything drawn.
        device: ``"cpu"`` or ``"cuda"``.
    """

    encoding: Annotated[str, Option("paper: 20x20 matrix, its network; rich: features, the factored network.")] = "rich"
    information: Annotated[str, Option("honest; literal (the whole log, leaks); or e.g. honest+chips.")] = "honest"
    players: Annotated[
        tuple[str, ...],
        Option("Players to learn (* and ? match any text); default: everybody.", name="player", short="--villain"),
    ] = ()
    share: float = 1.0
    shares: _Shares = {}
    epochs: Annotated[int, Option("Most epochs over the training set.", low=1)] = 12
    patience: int = 3
    batch: Annotated[int, Option("Decisions of a step.", low=1)] = 512
    rate: Annotated[float, Option("Largest learning rate.", low=1e-6, high=1)] = 2e-3
    seed: Annotated[int, _SEED] = 0
    device: Annotated[str, _DEVICE] = "cpu"


class SelfPlaySettings(_Settings, frozen=True, kw_only=True):
    """How to solve and play.

    Attributes:
        hands: number of hands to play.
        iterations: deals of the solver, 96 on each board; every player learns from that many.
        seed: of all random draws.
    """

    hands: Annotated[int, Option("Hands to play.", low=1)] = 40_000
    iterations: Annotated[int, Option("Deals of the solver.", low=1)] = 20_000_000
    seed: Annotated[int, _SEED] = 1


class BlueprintSettings(_Settings, frozen=True, kw_only=True):
    """How to solve a game in an abstraction.

    Attributes:
        minutes: of the solver, without the card buckets before and the measurement after.
        passes: boards at most.
        jobs: threads, heads-up; the result does not depend on them.
        measure: heads-up: whether to learn responses at the end and write how far the blueprint is from an equilibrium,
            and to value the actions before the flop.
        seed: of the boards.
    """

    minutes: Annotated[float, Option("Minutes of solving.", low=0.01)] = 60.0
    passes: Annotated[int, Option("Boards at most.", name="boards", low=1)] = 10_000_000
    jobs: int = 1
    measure: Annotated[bool, Option("At the end measure it and value the actions before the flop.")] = True
    seed: Annotated[int, _SEED] = 1
