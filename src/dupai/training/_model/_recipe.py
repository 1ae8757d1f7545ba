"""Recipes: the networks that a reader is made of, what each learns from and for how long, and who it reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from dupai.base import AnyArray, ConfigError, from_plain, nearest, read_toml_file
from dupai.reading import SHIPPED_READER, ReaderWeights, load_weights, populations, step_arrays

Street = Literal["before", "after"]
#: Recipes that ship, by name; the files stand beside this module.
SHIPPED = ("standard",)
#: Whom the networks serve that serve all populations without any of their own.
EVERYBODY = "everybody"
#: Fewest cases of a family of populations in each part for which networks of its own are trained.
FEWEST = 100
#: At most so many cases of each population in a pass for all; networks for some see all there are.
_MOST = 8000
#: Cases of a step before the flop: for all populations, for a family of many cases, and for one of fewer than so many
#: (large steps teach them too little: docs/results/reader-model.md, calibration). After the flop.
_ALL_BATCH, _BATCH, _SMALL_BATCH, _SMALL = 3072, 1024, 128, 60_000
_AFTER_BATCH = 768


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
        name: used in ``begins`` of later steps and in the recipe's tables of who is read by which networks.
        street: ``"before"`` or ``"after"`` the flop.
        learns: populations whose hands it learns from; none named: all.
        data: files that they are from, by source name; none named: all.
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
        gains: by population, how much more the hand matters after the flop than these networks say; 1 where nothing is
            said. (Before it the validation part chooses.)
    """

    network: tuple[Step, ...]
    before: dict[str, tuple[str, ...]]
    after: dict[str, tuple[str, ...]]
    gains: dict[str, float] = {}

    def steps(self, street: Street) -> list[Step]:
        """The networks before or after the flop."""
        return [step for step in self.network if step.street == street]

    def path(self, name: str) -> list[str]:
        """A network and those that it goes back to, up to the first or one that is none of the recipe's."""
        steps = {step.name: step for step in self.network}
        path: list[str] = []
        at: str | None = name
        while at is not None:
            path.append(at)
            at = steps[at].begins if at in steps else None
        return path

    def made_by(self, name: str) -> object:
        """All that a network depends on, but the hands: data that are equal where it is made the same way. One after
        the flop is taught on top of what its populations are read by before it."""
        step = next((step for step in self.network if step.name == name), None)
        if step is None:
            return name  # none of the recipe's: it is given
        begins = None if step.begins is None else self.made_by(step.begins)
        if step.street == "before":
            return [step, begins]
        beneath = {
            group: self.before.get(group, self.before.get(EVERYBODY, ())) for group in step.learns or self.before
        }
        return [step, begins, {group: [self.made_by(n) for n in names] for group, names in beneath.items()}]


def load_recipe(name: str) -> Recipe:
    """A recipe that ships, by its name, or one of a TOML file.

    Raises:
        ConfigError: there is no such file, it is no recipe, or it names networks or populations that there are not.
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
    seen: dict[str, Step] = {}
    for step in recipe.network:
        for group in step.learns:
            if group not in populations.NAMES:
                return f"network {step.name!r} learns from {group!r}{nearest(group, populations.NAMES)}"
        if step.name in seen:
            return f"two networks are called {step.name!r}"
        if step.begins is not None and (step.begins not in seen or seen[step.begins].street != step.street):
            return (
                f"network {step.name!r} begins at {step.begins!r}: expected one of the same street that stands above it"
            )
        if min(step.passes, step.batch, step.wider, step.hidden, step.second) < 1 or not 0 <= step.dropout < 1:
            return f"network {step.name!r}: expected whole numbers from 1 and a dropout from 0 to below 1"
        if not 0 < step.rate < math.inf or step.seed < 0 or (step.most is not None and step.most < 1):
            return f"network {step.name!r}: expected a rate above 0, a seed of 0 or more, and most (if any) 1 or more"
        if step.wider > 1 and step.street == "before":
            return f"network {step.name!r}: wider = {step.wider}, expected 1 before the flop, where no layer grows"
        below = recipe.path(step.name)[1:]
        if step.validation == "chooses" and any(seen[n].validation == "learned" for n in below):
            return f'network {step.name!r} chooses by hands that one it begins at has learned: expected "learned"'
        seen[step.name] = step
    for street, use in (("before", recipe.before), ("after", recipe.after)):
        if not use.get(EVERYBODY):
            return f"[{street}] names no network for {EVERYBODY!r}"
        for group, names in use.items():
            if group != EVERYBODY and group not in populations.NAMES:
                return f"[{street}] {group!r}: expected {EVERYBODY} or one of {', '.join(populations.NAMES)}"
            for name in names:
                if name not in seen or seen[name].street != street:
                    return f"[{street}] {group!r} is read by {name!r}: there is no such network {street} the flop"
    for group, gain in recipe.gains.items():
        if group not in populations.NAMES:
            return f"[gains] {group!r}: expected one of {', '.join(populations.NAMES)}"
        if not 0 < gain < float("inf"):
            return f"[gains] {group!r} = {gain:g}: expected a number above 0"
    return ""


def pruned(recipe: Recipe, without: Sequence[str]) -> Recipe:
    """The recipe without the hands of some populations. Networks that learn from these alone are dropped; a network
    that started from a dropped one starts where that one did.

    Raises:
        ConfigError: what is left is no recipe: it has no network for everybody, say.
    """
    if not without:
        return recipe
    gone: dict[str | None, str | None] = {}
    steps = []
    for step in recipe.network:
        begins = gone.get(step.begins, step.begins)
        learns = tuple(name for name in step.learns if name not in without)
        if step.learns and not learns:
            gone[step.name] = begins
        else:
            steps.append(msgspec.structs.replace(step, learns=learns, begins=begins))

    def left(use: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        some = {group: tuple(n for n in names if n not in gone) for group, names in use.items()}
        return {group: names for group, names in some.items() if names and group not in without}

    gains = {group: gain for group, gain in recipe.gains.items() if group not in without}
    rest = Recipe(network=tuple(steps), before=left(recipe.before), after=left(recipe.after), gains=gains)
    if fault := _fault(rest):
        raise ConfigError(f"the recipe without {', '.join(without)}: {fault}")
    return rest


def plain_recipe(
    counts: Callable[[Street, tuple[int, ...]], tuple[int, int]],
    *,
    epochs: int,
    networks: int,
    hidden: int,
    second: int,
    dropout: float,
) -> Recipe:
    """The recipe that suits these data.

    First networks for everybody; then, for each family of populations with enough cases, the same networks (or those of
    the population that the family starts from) trained further. Where some programs have plenty of hands, the networks
    after the flop start from one trained on these programs, which get wider networks of their own.

    Args:
        counts: cases of these populations, ``(training part, validation part)``.
        epochs: passes of each network.
        networks: how many are averaged.
        hidden, second: units per hand after the flop.
        dropout: share of units left out, of the networks for all.
    """
    steps: list[Step] = []
    use: dict[Street, dict[str, tuple[str, ...]]] = {}
    batch: dict[Street, int] = {"before": _ALL_BATCH, "after": _AFTER_BATCH}
    rate: dict[Street, float] = {"before": 3e-3, "after": 2e-3}
    units: dict[str, Any] = {"hidden": hidden, "second": second}

    def enough(street: Street, family: tuple[int, ...]) -> bool:
        return min(counts(street, family)) >= FEWEST

    def named(family: Sequence[int]) -> tuple[str, ...]:
        return tuple(populations.NAMES[g] for g in family)

    def families(street: Street, made: dict[int, tuple[str, ...]], every: tuple[str, ...]) -> None:
        later = street == "after"
        for family in populations.FAMILIES:
            if any(g in made for g in family) or not enough(street, family):
                continue
            few = counts(street, family)[0] < _SMALL
            starts = made.get(populations.STARTS_FROM.get(family[0], -1), every) * networks
            some = tuple(f"{street}-{'+'.join(named(family))}-{k}" for k in range(networks))
            steps.extend(
                Step(
                    name=name, street=street, learns=named(family), begins=starts[k], seed=k, passes=epochs,
                    batch=_AFTER_BATCH if later else _SMALL_BATCH if few else _BATCH,
                    dropout=min(0.9, (2 if later else 1.5) * dropout), rate=1.2e-3 if later else 3e-3,
                )
                for k, name in enumerate(some)
            )  # fmt: skip
            made |= {g: some for g in family if sum(counts(street, (g,)))}
        use[street] = {EVERYBODY: every} | {populations.NAMES[g]: some for g, some in made.items()}

    def for_all(street: Street, begins: str | None) -> tuple[str, ...]:
        names = tuple(f"{street}-{k}" for k in range(networks))
        steps.extend(
            Step(
                name=name, street=street, hides=True, begins=begins, seed=k, passes=epochs, most=_MOST, dropout=dropout,
                batch=batch[street], rate=rate[street], **(units if street == "after" else {}),
            )
            for k, name in enumerate(names)
        )  # fmt: skip
        return names

    families("before", {}, for_all("before", None))
    own: dict[int, tuple[str, ...]] = {}
    programs = None
    if enough("after", populations.PLENTY):
        programs = Step(
            name="after-programs", street="after", learns=named(populations.PLENTY), passes=epochs, dropout=dropout,
            batch=batch["after"], rate=rate["after"], **units,
        )  # fmt: skip
        wide = msgspec.structs.replace(programs, name="after-programs-wide", begins=programs.name, wider=2, rate=1.2e-3)
        steps += [programs, wide]
        own = {g: (wide.name,) for g in populations.PLENTY if sum(counts("after", (g,)))}
    families("after", own, for_all("after", programs.name if programs else None))
    return Recipe(network=tuple(steps), before=use["before"], after=use["after"])


#: Stands for the reader that ships.
SHIPS = "shipped"


def made_as(path: str | None, name: str) -> tuple[ReaderWeights, Recipe]:
    """A reader and the recipe by which it was trained; ``name``: what to call it; no path: the one that ships.

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
    """Networks of a reader that a recipe makes the same way (from whatever hands they have learned there).

    Attributes:
        file: the reader's.
        networks: arrays by name.
        gains: by number, those of populations that are read before the flop by such networks alone, as there.
        read: the numbers of these populations.
        priors: of persons' habits, of the populations that are read by such networks before and after the flop.
        bits: what the validation part said of them.
        card: which these are, and what the reader had learned from.

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
        self.bits = {n: bits for n, bits in weights.card["validation"].items() if n in same}
        self.read, after = (
            {
                populations.number(group) for group, names in use.items()
                if group != EVERYBODY and same.issuperset(names) and theirs.get(group) == names
            }
            for use, theirs in ((recipe.before, other.before), (recipe.after, other.after))
        )  # fmt: skip
        self.gains = {g: gain for g, gain in weights.gains.items() if g in self.read}
        self.priors = {g: prior for g, prior in weights.priors.items() if g in self.read & after}
        self.card = {"networks": sorted(same)} | {
            key: weights.card[key]
            for key in ("data", "hands", "populations", "known", "persons")
            if key in weights.card
        }
