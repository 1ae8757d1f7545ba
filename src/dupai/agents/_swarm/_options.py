"""The swarm's options, the paper's runs by name, a library of counter-policies, and the settings that kernels take."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np

from dupai.agents._rates import DEALS_HELP, MAX_DEALS
from dupai.agents._swarm import _layout as layout
from dupai.base import ConfigError, Option
from dupai.base.arrays import F64
from dupai.base.specs import check_between, checked_options
from dupai.spots import SIZE_HELP, size_code

_CLEAN = {"off": layout.CHIPS, "allin": layout.ALL_IN, "cards": layout.CARDS}


#: Sets of five numbers, by the option ``streets``.
SITUATIONS = {"alike": 1, "flop": 2, "each": 4}


class SwarmOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the agent ``swarm``."""

    variant: Annotated[
        Literal["br", "pso", "1", "2", "3", "4", "quick"],
        Option("whose constants are used: a run of the paper, or quick, ours"),
    ] = "br"
    streets: Annotated[
        Literal["alike", "flop", "each"],
        Option("five numbers for all streets (as in the paper), five before the flop and five after it, or for each"),
    ] = "alike"
    m: Annotated[int, Option("particles", 4, layout.MAX_PARTICLES)] = 20
    nf: Annotated[int | None, Option("hands of a particle's turn; none: as the variant", 1, hidden=True)] = None
    updates: Annotated[
        int | None, Option("updates until the weights have their last values; none: those of the match", 1, hidden=True)
    ] = None
    w: Annotated[str | None, Option("inertia, first/last", hidden=True)] = None
    c1: Annotated[str | None, Option("weight of a particle's own best, first/last", hidden=True)] = None
    c2: Annotated[str | None, Option("weight of the common best, first/last", hidden=True)] = None
    speed: Annotated[
        str | None, Option("largest change at an update: none, a number, or five with / between", hidden=True)
    ] = None
    edge: Annotated[float, Option("shares stay so far from 0 and 1", 1e-6, 0.4, hidden=True)] = 0.01
    dmin: Annotated[float, Option("smallest steepness", 0.01, 1000.0, hidden=True)] = 1.0
    dmax: Annotated[float, Option("largest steepness", 0.01, 1000.0, hidden=True)] = 100.0
    nobody: Annotated[
        Literal["own", "redraw"],
        Option("while no particle was ever positive: each follows its own best, or all are drawn anew", hidden=True),
    ] = "own"
    clean: Annotated[
        Literal["off", "allin", "cards"] | None,
        Option("fitness: chips; all-ins at their equity; and less what the own cards explain", hidden=True),
    ] = None
    race: Annotated[
        int | None, Option("times that the worse half of the field stops early in a generation", 0, 6, hidden=True)
    ] = None
    warm: Annotated[int | None, Option("hands of watching the opponent before a start from the library; 0: off", 0)] = (
        None
    )
    spread: Annotated[
        float | None, Option("how far from the library policy particles start", 0.0, 1.0, hidden=True)
    ] = None
    detect: Annotated[int, Option("hands of one test whether the opponent has changed; 0: off", 0)] = 0
    alarm: Annotated[float, Option("z from which the opponent counts as changed", 0.0, hidden=True)] = 5.0
    table: Annotated[Literal["one", "each"], Option("one swarm for the table, or one for each opponent")] = "one"
    size: Annotated[str, Option(SIZE_HELP)] = "random"
    deals: Annotated[int, Option(DEALS_HELP, 1, MAX_DEALS)] = 1000


class Variant(NamedTuple):
    """The constants of a run; ``w``, ``c1``, ``c2`` are first and last values."""

    hands: int
    w: tuple[float, float]
    c1: tuple[float, float]
    c2: tuple[float, float]
    speed: tuple[float, ...] = (math.inf,) * layout.DIMENSIONS
    replace: bool = True
    clean: str = "off"
    race: int = 0
    warm: int = 0
    spread: float = 0.1


_DYNAMIC = ((0.95, 0.675), (2.5, 0.5), (0.5, 2.5))
_FIXED = ((0.5, 0.5), (1.5, 1.5), (1.5, 1.5))
#: Section 3.2 of the paper: the standard PSO, BR-PSO, and its cases 1 to 4; then ours.
VARIANTS = {
    "pso": Variant(1000, (0.5, 0.5), (0.1, 0.1), (0.1, 0.1), replace=False),
    "br": Variant(1000, *_DYNAMIC),
    "1": Variant(2000, *_DYNAMIC),
    "2": Variant(2000, *_FIXED),
    "3": Variant(2000, *_DYNAMIC, (0.1, 0.1, 5.0, 0.1, 5.0)),
    "4": Variant(2000, *_FIXED, (0.3, 0.3, 5.0, 0.3, 5.0)),
    "quick": Variant(400, *_FIXED, clean="cards", race=2, warm=200, spread=0.05),
}


def _numbers(key: str, text: str, counts: tuple[int, ...], expected: str) -> tuple[float, ...]:
    """``0.5/0.1`` as floats, as many as one of ``counts``.

    Raises:
        ConfigError: the text is anything else.
    """
    try:
        values = tuple(float(word) for word in text.split("/"))
    except ValueError:
        values = ()
    if len(values) not in counts or any(math.isnan(x) for x in values):
        raise ConfigError(f"{key}={text!r}: expected {expected}", key=key, text=text)
    return values


def policy_of(text: str) -> F64:
    """The five numbers of a policy, ``x1/x2/x3/x4/x5``.

    Raises:
        ConfigError: they are not five numbers with 0 < x2 <= x1 < 1, 0 < x4 < 1, x3 and x5 above 0.
    """
    x = _numbers("x", text, (layout.DIMENSIONS,), "x1/x2/x3/x4/x5, as in 0.86/0.85/90.96/0.99/15.11")
    for k, high in ((0, 1.0), (1, 1.0), (3, 1.0), (2, math.inf), (4, math.inf)):
        if not 0.0 < x[k] < high:
            limits = "between 0 and 1, both left out" if high == 1.0 else "a positive number"
            raise ConfigError(f"x={text!r}: x{k + 1}={x[k]:g}: expected {limits}", key="x", text=text)
    if x[1] > x[0]:
        raise ConfigError(
            f"x={text!r}: x2={x[1]:g} is above x1={x[0]:g}: expected P(raise) <= P(call or raise)", key="x", text=text
        )
    return np.array(x)


def _ends(key: str, text: str | None, default: tuple[float, float]) -> tuple[float, float]:
    """First and last value of a weight, ``0.95/0.675`` or one number for both."""
    if text is None or text.casefold() == "none":
        return default
    values = _numbers(key, text, (1, 2), "a number, or first/last, as in 0.95/0.675")
    if not all(0.0 <= x < math.inf for x in values):
        raise ConfigError(f"{key}={text!r}: expected numbers of at least 0", key=key, text=text)
    return values[0], values[-1]


def _speeds(text: str | None, default: tuple[float, ...]) -> tuple[float, ...]:
    """Limits of a number's change at one update; ``none`` lifts them."""
    if text is None:
        return default
    if text.casefold() == "none":
        return (math.inf,) * layout.DIMENSIONS
    values = _numbers("speed", text, (1, layout.DIMENSIONS), "none, one number, or five, as in 0.1/0.1/5/0.1/5")
    if not all(x > 0.0 for x in values):
        raise ConfigError(f"speed={text!r}: expected positive numbers", key="speed", text=text)
    return values * layout.DIMENSIONS if len(values) == 1 else values


#: Made by ``tools/swarm_library.py``.
LIBRARY_FILE = Path(__file__).with_name("library.npz")


class Library(NamedTuple):
    """Known opponents by name: the best policy against each, ``policies`` ``float64[n, 5]``; their rates while the
    ``first`` policy (``float64[5]``) was played, ``features`` ``float64[n, 4]``."""

    names: tuple[str, ...]
    policies: F64
    features: F64
    first: F64

    def into(self, config: Any, probe: int) -> None:
        """Write it into the settings of a swarm that watches its opponent for ``probe`` hands."""
        g = config[0]
        n = len(self.names)
        assert n <= layout.MAX_LIBRARY, f"{n} policies: at most {layout.MAX_LIBRARY} fit"
        # Where streets differ each starts with the same five.
        again = layout.MAX_NUMBERS // layout.DIMENSIONS
        g["probe"], g["known"], g["first"] = probe, n, np.tile(self.first, again)
        g["library"][:n] = np.tile(self.policies, again)
        g["features"][:n] = self.features


@cache
def load_library() -> Library:
    """The library that ships."""
    with np.load(LIBRARY_FILE, allow_pickle=False) as file:
        return Library(tuple(map(str, file["names"])), file["policies"], file["features"], file["first"])


def make_config(o: SwarmOptions) -> Any:
    """The settings as kernels take them (``CONFIG_DTYPE[1]``), checked.

    Raises:
        ConfigError: names the option and says what was expected.
    """
    checked_options(o)
    check_between("dmin", o.dmin, 0.01, o.dmax)
    variant = VARIANTS[o.variant]
    hands = variant.hands if o.nf is None else o.nf
    check_between("nf", hands, 1, 10**9)
    rungs = variant.race if o.race is None else o.race
    if o.race is None and min(hands, o.m) < 2**rungs:
        rungs = 0
    if min(hands, o.m) < 2**rungs:
        expected = f"nf={hands} and m={o.m} to be at least 2**race = {2**rungs}"
        raise ConfigError(f"race={rungs}: expected {expected}", key="race")
    config: Any = np.zeros(1, layout.CONFIG_DTYPE)
    again = layout.MAX_NUMBERS // layout.DIMENSIONS
    values = {
        "numbers": layout.DIMENSIONS * SITUATIONS[o.streets],
        "particles": o.m,
        "hands": hands,
        "updates": o.updates or 0,
        "w": _ends("w", o.w, variant.w),
        "c1": _ends("c1", o.c1, variant.c1),
        "c2": _ends("c2", o.c2, variant.c2),
        "speed": _speeds(o.speed, variant.speed) * again,
        "low": (o.edge, o.edge, o.dmin, o.edge, o.dmin) * again,
        "high": (1.0 - o.edge, 1.0 - o.edge, o.dmax, 1.0 - o.edge, o.dmax) * again,
        "replace": variant.replace,
        "redraw": o.nobody == "redraw",
        "size": size_code(o.size),
        "deals": o.deals,
        "clean": _CLEAN[o.clean or variant.clean],
        "rungs": rungs,
        "spread": variant.spread if o.spread is None else o.spread,
        "window": o.detect,
        "alarm": o.alarm,
    }
    for name, value in values.items():
        config[0][name] = value
    return config


def difference(mine: Any, other: Any) -> str:
    """The first setting in which two configurations differ, in words; empty if there is none."""
    for name in layout.CONFIG_DTYPE.names or ():
        a, b = mine[0][name], other[0][name]
        if np.any(a != b):
            return f"{name} differs" if np.ndim(a) else f"{name} is {b:g} there, {a:g} here"
    return ""
