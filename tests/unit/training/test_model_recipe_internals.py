"""Recipes of a reader: the standard one is whole, faults of others are named, and the plain one suits its data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupai.base import ConfigError, FileError
from dupai.reading._model._weights import SHIPPED_READER, network_arrays, step_arrays
from dupai.reading.populations import EXPLOITERS, FAMILIES, NAMES, PLENTY, STARTS_FROM, UNKNOWN
from dupai.training import TrainSettings
from dupai.training._model._recipe import (
    EVERYBODY,
    MIN_CASES,
    Recipe,
    Step,
    Street,
    load_recipe,
    made_as,
    plain_recipe,
    pruned,
)

GOOD = """
[[network]]
name = "all"
street = "before"
passes = 1
batch = 64
dropout = 0.1
rate = 1e-3

[[network]]
name = "later"
street = "after"
passes = 1
batch = 64
dropout = 0.1
rate = 1e-3

[before]
everybody = ["all"]

[after]
everybody = ["later"]
"""


#: A network that chooses by the validation part, and begins at one that has learned it.
_ABOVE = """
[[network]]
name = "below"
street = "before"
validation = "learned"
passes = 1
batch = 64
dropout = 0.1
rate = 1e-3

[[network]]
name = "above"
street = "before"
begins = "below"
passes = 1
batch = 64
dropout = 0.1
rate = 1e-3

[before]"""


def test_the_standard_recipe_reads_every_population_and_trains_nothing_in_vain() -> None:
    recipe = load_recipe("standard")
    own = {EVERYBODY} | {name for g, name in enumerate(NAMES) if g not in (UNKNOWN, *EXPLOITERS)}
    assert set(recipe.before) == set(recipe.after) == own
    used = {name for use in (recipe.before, recipe.after) for names in use.values() for name in names}
    assert {n for name in used for n in recipe.path(name)} == {step.name for step in recipe.network}
    # Who reads a population has learned from it, but for an equilibrium that reads the program that looks for one.
    steps = {step.name: step for step in recipe.network}
    for use in (recipe.before, recipe.after):
        for group, names in use.items():
            for name in names:
                learns = steps[name].learns
                assert group == EVERYBODY or group in learns or (group, learns) == ("Hyperborean_iro", ("unknown",))


def test_the_reader_that_ships_is_what_the_standard_recipe_makes() -> None:
    weights, recipe = made_as(None, "the reader that ships")
    assert recipe == load_recipe("standard")
    assert {NAMES[g]: after for g, (_, after) in weights.gains.items() if after != 1} == recipe.gains
    # Every network of the recipe is in the file, and who reads a population are those that the recipe names.
    arrays = {step.name: step_arrays(None, step.name) for step in recipe.network}
    for street, use in enumerate((recipe.before, recipe.after)):
        for group, names in use.items():
            read_by = network_arrays(SHIPPED_READER, street, -1 if group == EVERYBODY else NAMES.index(group))
            for network, name in zip(read_by, names, strict=True):
                assert all(np.array_equal(network[key], arrays[name][key]) for key in network), (group, name)


def test_shown_hands_teach_their_own_networks_and_everybodys_alone() -> None:
    # Being shown is a selection: what is learned of it reaches others only where they begin at everybody's network.
    recipe = load_recipe("standard")
    saw = {step.name for step in recipe.network if "shown" in step.learns}
    for use, every in ((recipe.after, "all-after"), (recipe.before, "all")):
        for group, names in use.items():
            if group not in ("shown", EVERYBODY):
                assert not {n for name in names for n in recipe.path(name)} & (saw - {every}), group


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("passes = 1", "passes = 0", "expected whole numbers from 1"),
        ("dropout = 0.1", "dropout = 1", "dropout from 0 to below 1"),
        ("rate = 1e-3", "rates = 1e-3", "rates"),
        ("rate = 1e-3", "rate = -1e-3", "expected a rate above 0"),
        ("rate = 1e-3", "rate = nan", "expected a rate above 0"),
        ("rate = 1e-3", "rate = 1e-3\nseed = -3", "a seed of 0 or more"),
        ("rate = 1e-3", "rate = 1e-3\nmost = 0", "most (if any) 1 or more"),
        ("rate = 1e-3", "rate = 1e-3\nwider = 2", "wider = 2, expected 1 before the flop"),
        ("[before]", _ABOVE, "network 'above' chooses by hands that one it begins at has learned"),
        ('street = "after"', 'street = "flop"', "street"),
        ('name = "later"', 'name = "all"', "two networks are called 'all'"),
        ('name = "later"', 'name = "later"\nbegins = "all"', "begins at 'all': expected one of the same street"),
        ('name = "all"', 'name = "all"\nlearns = ["heads up"]', "learns from 'heads up': did you mean 'heads-up'?"),
        ('everybody = ["later"]', 'everybody = ["all"]', "there is no such network after the flop"),
        ('everybody = ["later"]', 'online = ["later"]', "[after] names no network for 'everybody'"),
        ('everybody = ["later"]', 'everybody = ["later"]\npros = ["later"]', "[after] 'pros': expected everybody or"),
        ("[after]", "[after", "recipe"),
        ("[before]", "[gains]\npros = 0.9\n[before]", "[gains] 'pros': expected one of"),
        ("[before]", "[gains]\nonline = 0\n[before]", "[gains] 'online' = 0: expected a number above 0"),
        ("[before]", "[gains]\nonline = nan\n[before]", "[gains] 'online' = nan: expected a number above 0"),
    ],
)
def test_faults_are_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    file = tmp_path / "r.toml"
    file.write_text(GOOD)
    assert [step.name for step in load_recipe(str(file)).network] == ["all", "later"]
    assert old in GOOD
    file.write_text(GOOD.replace(old, new, 1))
    with pytest.raises((ConfigError, FileError), match=r"^recipe ") as caught:
        load_recipe(str(file))
    assert said in str(caught.value) and str(file) in str(caught.value)


def test_a_recipe_without_some_populations_begins_where_they_did() -> None:
    recipe = load_recipe("standard")
    assert pruned(recipe, ()) == recipe
    less = pruned(recipe, ("online", "heads-up", "SmooCT"))
    steps = {step.name: step for step in less.network}
    gone = {"online-1", "online-2", "online-after", "heads-up-1", "heads-up-2", "heads-up-after-1", "heads-up-after-2"}
    gone |= {"SmooCT-after-1", "SmooCT-after-2"}
    assert {step.name for step in recipe.network} - set(steps) == gone
    assert not {"online", "heads-up", "SmooCT"} & {name for step in less.network for name in step.learns}
    assert steps["shown-1"].begins == "no-limit" and steps["shown-after-2"].begins == "others-after"
    assert steps["limit-after-3"].learns == ("Hyperborean_iro", "HITSZ")
    assert set(recipe.after) - set(less.after) == {"online", "heads-up", "SmooCT"}
    assert pruned(recipe, ("HITSZ",)).gains == {k: v for k, v in less.gains.items() if k != "HITSZ"} != less.gains
    # What is read by a mean of others too is read by these alone.
    none = pruned(recipe, ("unknown",))
    assert none.before["Hyperborean_iro"] == ("limit-1", "limit-2", "limit-3")
    assert {step.name: step.begins for step in none.network}["limit-after-3"] is None


def test_a_recipe_keeps_a_network_for_everybody(tmp_path: Path) -> None:
    file = tmp_path / "r.toml"
    file.write_text(GOOD.replace('name = "all"', 'name = "all"\nlearns = ["heads-up"]'))
    with pytest.raises(ConfigError, match=r"the recipe without heads-up: \[before\] names no network for 'everybody'"):
        pruned(load_recipe(str(file)), ("heads-up",))


def test_whom_a_network_reads_that_begins_at_one_which_learned_the_validation_part_is_not_judged_by_it() -> None:
    rate = {"street": "before", "passes": 1, "batch": 64, "dropout": 0.1, "rate": 1e-3}
    steps = (Step(name="all", **rate), Step(name="below", validation="learned", **rate))
    steps += (Step(name="above", begins="below", validation="learned", **rate), Step(name="on", begins="above", **rate))
    recipe = Recipe(network=steps, before={EVERYBODY: ("all",), "online": ("on",)}, after={})
    assert NAMES.index("online") not in recipe.judged(NAMES) and NAMES.index("heads-up") in recipe.judged(NAMES)


def test_there_is_no_such_recipe() -> None:
    with pytest.raises(ConfigError, match="recipe 'standart': expected standard, or a TOML file"):
        load_recipe("standart")


def _plain(cases: dict[int, int], networks: int = 2) -> Recipe:
    def counts(street: Street, family: tuple[int, ...]) -> tuple[int, int]:
        n = sum(cases.get(g, 0) for g in family)
        return n, n

    return plain_recipe(counts, TrainSettings(epochs=3, networks=networks, hidden=32, second=16, dropout=0.1))


def test_the_plain_recipe_has_networks_for_families_of_which_there_is_enough() -> None:
    online, shown = NAMES.index("online"), NAMES.index("shown")
    assert {shown: online} == STARTS_FROM
    recipe = _plain({online: MIN_CASES, shown: MIN_CASES, NAMES.index("heads-up"): MIN_CASES - 1})
    for street, use in (("before", recipe.before), ("after", recipe.after)):
        assert set(use) == {EVERYBODY, "online", "shown"}
        for k, (every, own, last) in enumerate(zip(use[EVERYBODY], use["online"], use["shown"], strict=True)):
            assert recipe.path(last) == [last, own, every] and last == f"{street}-shown-{k}"
    assert {step.passes for step in recipe.network} == {3}


def test_programs_in_plenty_come_first_in_the_plain_recipe() -> None:
    recipe = _plain(dict.fromkeys(range(len(NAMES)), MIN_CASES), networks=1)
    wide = recipe.after[NAMES[PLENTY[0]]]
    assert {recipe.after[NAMES[g]] for g in PLENTY} == {wide}
    assert [recipe.path(name) for name in wide] == [["after-programs-wide", "after-programs"]]
    assert recipe.path(recipe.after[EVERYBODY][0])[-1] == "after-programs"
    families = {NAMES[g] for family in FAMILIES for g in family}
    assert set(recipe.before) == set(recipe.after) == families | {EVERYBODY}
    assert {step.hidden for step in recipe.network if step.name == "after-programs"} == {32}
