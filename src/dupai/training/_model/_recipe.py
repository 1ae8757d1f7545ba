"""Recipes: the networks of a reader, what each learns from and for how long, and which players it reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from dupai.base import ConfigError
from dupai.base.arrays import AnyArray
from dupai.base.files import from_plain, read_toml_file
from dupai.base.text import nearest
from dupai.reading import populations
from dupai.reading.model import SHIPPED_READER, ReaderWeights, load_weights, step_arrays
from dupai.training._settings import TrainSettings

Street = Literal["before", "after"]
#: Recipes that ship, by name; the files stand beside this module.
SHIPPED = ("standard",)
#: The key of the networks that read every population without networks of its own.
EVERYBODY = "everybody"
#: A family of populations gets networks of its own from this number of cases on, in each part.
MIN_CASES = 100
#: Cases of each population in a pass of a network for all, at most. A network for one family sees all of its cases.
_MAX_CASES = 8000
#: Batch sizes before the flop: for all populations, for a large family and for a small one, to which large batches
#: teach too little (docs/results/reader-model.md, calibration). Cases from which a family is large. After the flop.
_ALL_BATCH_SIZE, _BATCH_SIZE, _SMALL_BATCH_SIZE, _MIN_LARGE_FAMILY = 3072, 1024, 128, 60_000
_AFTER_BATCH_SIZE = 768


class Learning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a network is trained.

    Attributes:
        passes: over the cases.
        batch: cases of a step of learning.
        dropout: share of units left out.
        rate: highest rate of learning.
        most: cases of each population in a pass, at most; None: all.
        seed: of everything drawn, added to that of the training.
    """

    passes: int
    batch: int
    dropout: float
    rate: float
    most: int | None = None
    seed: int = 0


class Step(Learning, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One network and how it is trained: a table of a recipe, whose fields all stand side by side in the file.

    Attributes:
        name: what ``begins`` of later steps and the recipe's tables ``before`` and ``after`` call it.
        street: ``"before"`` or ``"after"`` the flop.
        learns: populations whose hands it learns from; none named: all.
        data: files with these hands, by source name; none named: all.
        begins: an earlier step, from whose weights it continues; None: it starts from random weights, with single
            actions first.
        wider: multiplier of the starting step's hidden units.
        hides: whether the population of some decisions is hidden, which trains ``unknown``.
        validation: what the validation set is for. It ``"chooses"`` the pass that is kept; or it is ``"learned"`` from
            as well, and the last pass is kept.
        hidden, second: units per hand, where it does not begin at another.
    """

    name: str
    street: Street
    learns: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    begins: str | None = None
    wider: int = 1
    hides: bool = False
    validation: Literal["chooses", "learned"] = "chooses"
    hidden: int = 96
    second: int = 64


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The parts of a reader and how each is made.

    Attributes:
        network: the networks, in the order in which they are trained.
        before, after: by population (``"everybody"`` for those that have none of their own) the names of the networks
            whose mean reads it before and after the flop.
        gains: by population, the factor by which the hand matters more after the flop than these networks say; 1 where
            none is given. Before the flop the validation part chooses it.
    """

    network: tuple[Step, ...]
    before: dict[str, tuple[str, ...]]
    after: dict[str, tuple[str, ...]]
    gains: dict[str, float] = {}

    def steps(self, street: Street) -> list[Step]:
        """The networks before or after the flop."""
        return [step for step in self.network if step.street == street]

    def path(self, name: str) -> list[str]:
        """A network and the networks it was continued from, back to the first or to one outside the recipe."""
        begins = {step.name: step.begins for step in self.network}
        path: list[str] = []
        earlier: str | None = name
        while earlier is not None:
            path.append(earlier)
            earlier = begins.get(earlier)
        return path

    def judged(self, names: Sequence[str]) -> list[int]:
        """The numbers of those of these populations of which no network that reads them before the flop, or that such a
        one begins at, has learned the validation part."""
        learned = {step.name for step in self.network if step.validation == "learned"}
        read_by = {name: self.before.get(name, self.before[EVERYBODY]) for name in names}
        return [
            populations.number(name)
            for name, networks in read_by.items()
            if not any(learned.intersection(self.path(network)) for network in networks)
        ]

    def made_by(self, name: str) -> object:
        """Everything that a network depends on except the hands, as plain data: equal data mean that two networks are
        made the same way. A network after the flop also depends on the ones that read its populations before it."""
        step = next((one for one in self.network if one.name == name), None)
        if step is None:
            return name  # a network that is given, not made by the recipe
        begins = None if step.begins is None else self.made_by(step.begins)
        if step.street == "before":
            return [step, begins]
        before = {group: self.before.get(group, self.before.get(EVERYBODY, ())) for group in step.learns or self.before}
        return [step, begins, {group: [self.made_by(name) for name in names] for group, names in before.items()}]


def load_recipe(name: str) -> Recipe:
    """A recipe that ships, by its name, or one of a TOML file.

    Raises:
        ConfigError: there is no such file, it is no recipe, or it names an unknown network or population.
    """
    place = Path(__file__).with_name(f"{name}.toml") if name in SHIPPED else Path(name)
    if not place.exists():
        raise ConfigError(f"recipe {name!r}: expected {' or '.join(SHIPPED)}, or a TOML file")
    recipe: Recipe = from_plain(read_toml_file(place, "recipe"), Recipe, f"recipe {name!r}", place)
    fault = _fault(recipe)
    if fault:
        raise ConfigError(f"recipe {name!r}: {fault}")
    return recipe


def _fault(recipe: Recipe) -> str:
    """What is wrong with a recipe, if anything."""
    above: dict[str, Step] = {}
    for step in recipe.network:
        if fault := _step_fault(recipe, step, above):
            return fault
        above[step.name] = step
    for street, read_by in (("before", recipe.before), ("after", recipe.after)):
        if not read_by.get(EVERYBODY):
            return f"[{street}] names no network for {EVERYBODY!r}"
        for group, names in read_by.items():
            if group != EVERYBODY and group not in populations.NAMES:
                return f"[{street}] {group!r}: expected {EVERYBODY} or one of {', '.join(populations.NAMES)}"
            for name in names:
                if name not in above or above[name].street != street:
                    return f"[{street}] {group!r} is read by {name!r}: there is no such network {street} the flop"
    for group, gain in recipe.gains.items():
        if group not in populations.NAMES:
            return f"[gains] {group!r}: expected one of {', '.join(populations.NAMES)}"
        if not 0 < gain < math.inf:
            return f"[gains] {group!r} = {gain:g}: expected a number above 0"
    return ""


def _step_fault(recipe: Recipe, step: Step, above: dict[str, Step]) -> str:
    """What is wrong with a network of a recipe, if anything; ``above``: the networks before it."""
    network = f"network {step.name!r}"
    for group in step.learns:
        if group not in populations.NAMES:
            return f"{network} learns from {group!r}: {nearest(group, populations.NAMES)}"
    if step.name in above:
        return f"two networks are called {step.name!r}"
    if step.begins is not None and (step.begins not in above or above[step.begins].street != step.street):
        return f"{network} begins at {step.begins!r}: expected one of the same street that stands above it"
    if min(step.passes, step.batch, step.wider, step.hidden, step.second) < 1 or not 0 <= step.dropout < 1:
        return f"{network}: expected whole numbers from 1 and a dropout from 0 to below 1"
    if not 0 < step.rate < math.inf or step.seed < 0 or (step.most is not None and step.most < 1):
        return f"{network}: expected a rate above 0, a seed of 0 or more, and most (if any) 1 or more"
    if step.wider > 1 and step.street == "before":
        return f"{network}: wider = {step.wider}, expected 1 before the flop, where no layer grows"
    earlier = recipe.path(step.name)[1:]
    if step.validation == "chooses" and any(above[name].validation == "learned" for name in earlier):
        return f'{network} chooses by hands that one it begins at has learned: expected "learned"'
    return ""


def pruned(recipe: Recipe, without: Sequence[str]) -> Recipe:
    """The recipe without the hands of some populations. Networks that learn from these alone are dropped; a network
    that started from a dropped one starts where that one did.

    Raises:
        ConfigError: what is left is no recipe: it has no network for everybody, say.
    """
    if not without:
        return recipe
    dropped: dict[str | None, str | None] = {}  # where each dropped network began
    steps = []
    for step in recipe.network:
        begins = dropped.get(step.begins, step.begins)
        learns = tuple(name for name in step.learns if name not in without)
        if step.learns and not learns:
            dropped[step.name] = begins
        else:
            steps.append(msgspec.structs.replace(step, learns=learns, begins=begins))

    def remaining(read_by: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        by_group = {group: tuple(name for name in names if name not in dropped) for group, names in read_by.items()}
        return {group: names for group, names in by_group.items() if names and group not in without}

    gains = {group: gain for group, gain in recipe.gains.items() if group not in without}
    smaller = Recipe(network=tuple(steps), before=remaining(recipe.before), after=remaining(recipe.after), gains=gains)
    if fault := _fault(smaller):
        raise ConfigError(f"the recipe without {', '.join(without)}: {fault}")
    return smaller


def plain_recipe(counts: Callable[[Street, tuple[int, ...]], tuple[int, int]], settings: TrainSettings) -> Recipe:
    """The recipe that suits these data.

    First networks for everybody; then, for each family of populations with enough cases, the same networks (or those of
    the population that the family starts from) trained further. Where some programs have plenty of hands, the networks
    after the flop start from one trained on these programs, which get wider networks of their own.

    Args:
        counts: gives the cases of some populations on a street, ``(training part, validation part)``.
        settings: the passes of each network, how many are averaged, their units per hand after the flop, and the share
            of units left out in the networks for all.
    """
    epochs, networks, dropout = settings.epochs, settings.networks, settings.dropout
    steps: list[Step] = []
    read_by: dict[Street, dict[str, tuple[str, ...]]] = {}
    batch: dict[Street, int] = {"before": _ALL_BATCH_SIZE, "after": _AFTER_BATCH_SIZE}
    rate: dict[Street, float] = {"before": 3e-3, "after": 2e-3}
    units: dict[str, Any] = {"hidden": settings.hidden, "second": settings.second}

    def enough(street: Street, family: tuple[int, ...]) -> bool:
        return min(counts(street, family)) >= MIN_CASES

    def named(family: Sequence[int]) -> tuple[str, ...]:
        return tuple(populations.NAMES[g] for g in family)

    def add_families(street: Street, own: dict[int, tuple[str, ...]], for_all: tuple[str, ...]) -> None:
        """Add networks for each family; ``own``: by population the networks of its own so far."""
        later = street == "after"
        for family in populations.FAMILIES:
            if any(group in own for group in family) or not enough(street, family):
                continue
            small = counts(street, family)[0] < _MIN_LARGE_FAMILY
            starts = own.get(populations.STARTS_FROM.get(family[0], -1), for_all) * networks
            names = tuple(f"{street}-{'+'.join(named(family))}-{k}" for k in range(networks))
            steps.extend(
                Step(
                    name=name, street=street, learns=named(family), begins=starts[k], seed=k, passes=epochs,
                    batch=_AFTER_BATCH_SIZE if later else _SMALL_BATCH_SIZE if small else _BATCH_SIZE,
                    dropout=min(0.9, (2 if later else 1.5) * dropout), rate=1.2e-3 if later else 3e-3,
                )
                for k, name in enumerate(names)
            )  # fmt: skip
            own |= {group: names for group in family if sum(counts(street, (group,)))}
        read_by[street] = {EVERYBODY: for_all} | {populations.NAMES[group]: names for group, names in own.items()}

    def add_for_all(street: Street, begins: str | None) -> tuple[str, ...]:
        """Add the networks for all populations: their names."""
        names = tuple(f"{street}-{k}" for k in range(networks))
        steps.extend(
            Step(
                name=name, street=street, hides=True, begins=begins, seed=k, passes=epochs, most=_MAX_CASES,
                dropout=dropout, batch=batch[street], rate=rate[street], **(units if street == "after" else {}),
            )
            for k, name in enumerate(names)
        )  # fmt: skip
        return names

    add_families("before", {}, add_for_all("before", None))
    own: dict[int, tuple[str, ...]] = {}
    programs = None
    if enough("after", populations.PLENTY):
        programs = Step(
            name="after-programs", street="after", learns=named(populations.PLENTY), passes=epochs, dropout=dropout,
            batch=batch["after"], rate=rate["after"], **units,
        )  # fmt: skip
        wide = msgspec.structs.replace(programs, name="after-programs-wide", begins=programs.name, wider=2, rate=1.2e-3)
        steps += [programs, wide]
        own = {group: (wide.name,) for group in populations.PLENTY if sum(counts("after", (group,)))}
    add_families("after", own, add_for_all("after", programs.name if programs else None))
    return Recipe(network=tuple(steps), before=read_by["before"], after=read_by["after"])


#: The option value for the reader that ships.
SHIPS = "shipped"


def made_as(path: str | None, name: str) -> tuple[ReaderWeights, Recipe]:
    """A reader and the recipe by which it was trained.

    Args:
        path: its file; None: the reader that ships.
        name: how an error calls it.

    Raises:
        ConfigError: it is no reader, does not say how it was trained, or takes ranges.
    """
    weights = load_weights(path)
    try:
        recipe = msgspec.convert(weights.card["recipe"], Recipe)
    except (KeyError, msgspec.ValidationError):
        raise ConfigError(
            f"{name} does not say how it was trained: expected one made by 'dupai train reader' of this version"
        ) from None
    if weights.ranges:
        raise ConfigError(f"{name} was trained with --ranges: expected a reader trained without")
    return weights, recipe


class Known:
    """Networks of a trained reader that a recipe would make the same way, whatever hands they learned from.

    Attributes:
        file: the reader's file.
        networks: arrays of these networks by name.
        read: numbers of the populations that only these networks read before the flop, in both recipes.
        gains: the reader's gains of these populations, by number.
        priors: priors of persons' habits, for the populations that only these networks read, on all streets.
        bits: scores of these networks on the validation part.
        card: names of these networks, and what the reader had learned from.

    Raises:
        ConfigError: as :func:`made_as`; another seed, or none of the recipe's networks.
    """

    def __init__(self, reader: str, recipe: Recipe, seed: int) -> None:
        path = None if reader == SHIPS else reader
        self.file = SHIPPED_READER if path is None else Path(path)
        weights, other = made_as(path, f"known {reader!r}")
        seed_there = int(weights.card["settings"]["seed"])
        if seed_there != seed:
            raise ConfigError(f"known {reader!r} was trained with seed {seed_there}: expected {seed}")
        names = {step.name for step in other.network}
        same = {
            step.name for step in recipe.network
            if step.name in names and recipe.made_by(step.name) == other.made_by(step.name)
        }  # fmt: skip
        if not same:
            raise ConfigError(f"known {reader!r}: it holds no network that the recipe makes the same way")
        self.networks: dict[str, dict[str, AnyArray]] = {name: step_arrays(path, name) for name in sorted(same)}
        self.bits = {name: bits for name, bits in weights.card["validation"].items() if name in same}
        self.read, after = (
            {
                populations.number(group) for group, names in read_by.items()
                if group != EVERYBODY and same.issuperset(names) and theirs.get(group) == names
            }
            for read_by, theirs in ((recipe.before, other.before), (recipe.after, other.after))
        )  # fmt: skip
        self.gains = {group: gain for group, gain in weights.gains.items() if group in self.read}
        self.priors = {group: prior for group, prior in weights.priors.items() if group in self.read & after}
        self.card = {"networks": sorted(same)} | {
            key: weights.card[key]
            for key in ("data", "hands", "populations", "known", "persons")
            if key in weights.card
        }
