"""Settings of a swarm: the paper's runs by name, and everything that can be changed."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._swarm._layout import ALL_IN, CARDS, CHIPS, CONFIG_DTYPE, DIMENSIONS, MAX_PARTICLES
from dupai.base import ConfigError, check_between

F64 = npt.NDArray[np.float64]

CLEAN = {"off": CHIPS, "allin": ALL_IN, "cards": CARDS}


class Preset(NamedTuple):
    """One of the paper's runs: ``ends`` are first and last values of w, c1, c2."""

    hands: int
    w: tuple[float, float]
    c1: tuple[float, float]
    c2: tuple[float, float]
    speed: tuple[float, ...] = (math.inf,) * DIMENSIONS
    replace: bool = True
    clean: str = "off"
    race: int = 0
    warm: int = 0
    spread: float = 0.1


_DYNAMIC = ((0.95, 0.675), (2.5, 0.5), (0.5, 2.5))
_FIXED = ((0.5, 0.5), (1.5, 1.5), (1.5, 1.5))
#: Section 3.2 of the paper: the standard PSO, BR-PSO, and its cases 1 to 4; then ours.
PRESETS = {
    "pso": Preset(1000, (0.5, 0.5), (0.1, 0.1), (0.1, 0.1), replace=False),
    "br": Preset(1000, *_DYNAMIC),
    "1": Preset(2000, *_DYNAMIC),
    "2": Preset(2000, *_FIXED),
    "3": Preset(2000, *_DYNAMIC, (0.1, 0.1, 5.0, 0.1, 5.0)),
    "4": Preset(2000, *_FIXED, (0.3, 0.3, 5.0, 0.3, 5.0)),
    "quick": Preset(400, *_FIXED, clean="cards", race=2, warm=200, spread=0.05),
}


def numbers(key: str, text: str, counts: tuple[int, ...], expected: str) -> tuple[float, ...]:
    """``0.5/0.1`` as floats, as many as one of ``counts``.

    Raises:
        ConfigError: it is not that.
    """
    try:
        found = tuple(float(word) for word in text.split("/"))
    except ValueError:
        found = ()
    if len(found) not in counts or any(math.isnan(x) for x in found):
        raise ConfigError(f"{key}={text!r}: expected {expected}")
    return found


def policy_of(text: str) -> F64:
    """The five numbers of a policy, ``x1/x2/x3/x4/x5``.

    Raises:
        ConfigError: they are not five numbers with 0 < x2 <= x1 < 1, 0 < x4 < 1, x3 and x5 above 0.
    """
    x = numbers("x", text, (DIMENSIONS,), "x1/x2/x3/x4/x5, as in 0.86/0.85/90.96/0.99/15.11")
    for k, low, high in ((0, 0.0, 1.0), (1, 0.0, 1.0), (3, 0.0, 1.0), (2, 0.0, math.inf), (4, 0.0, math.inf)):
        if not low < x[k] < high:
            limits = "between 0 and 1, both left out" if high == 1.0 else "a positive number"
            raise ConfigError(f"x={text!r}: x{k + 1}={x[k]:g}: expected {limits}")
    if x[1] > x[0]:
        raise ConfigError(f"x={text!r}: x2={x[1]:g} is above x1={x[0]:g}: expected P(raise) <= P(call or raise)")
    return np.array(x)


def ends(key: str, text: str | None, default: tuple[float, float]) -> tuple[float, float]:
    """First and last value of a weight, ``0.95/0.675`` or one number for both."""
    if text is None or text.casefold() == "none":
        return default
    found = numbers(key, text, (1, 2), "a number, or first/last, as in 0.95/0.675")
    if not all(0.0 <= x < math.inf for x in found):
        raise ConfigError(f"{key}={text!r}: expected numbers of at least 0")
    return found[0], found[-1]


def speeds(text: str | None, default: tuple[float, ...]) -> tuple[float, ...]:
    """Limits of a number's change at one update; ``none`` lifts them."""
    if text is None:
        return default
    if text.casefold() == "none":
        return (math.inf,) * DIMENSIONS
    found = numbers("speed", text, (1, DIMENSIONS), "none, one number, or five, as in 0.1/0.1/5/0.1/5")
    if not all(x > 0.0 for x in found):
        raise ConfigError(f"speed={text!r}: expected positive numbers")
    return found * DIMENSIONS if len(found) == 1 else found


def make_config(
    *,
    variant: str,
    m: int,
    nf: int | None,
    updates: int | None,
    w: str | None,
    c1: str | None,
    c2: str | None,
    speed: str | None,
    edge: float,
    dmin: float,
    dmax: float,
    nobody: str,
    size: float,
    deals: int,
    clean: str | None,
    race: int | None,
    spread: float | None,
    detect: int,
    alarm: float,
) -> Any:
    """The settings as kernels take them (``CONFIG_DTYPE[1]``), checked.

    Raises:
        ConfigError: names the option and says what was expected.
    """
    preset = PRESETS[variant]
    check_between("m", m, 4, MAX_PARTICLES)
    hands = preset.hands if nf is None else nf
    check_between("nf", hands, 1, 10**9)
    rungs = preset.race if race is None else race
    check_between("race", rungs, 0, 6)
    if race is None and min(hands, m) < 2**rungs:
        rungs = 0
    if hands < 2**rungs or m < 2**rungs:
        raise ConfigError(f"race={rungs}: expected nf={hands} and m={m} to be at least 2**race = {2**rungs}")
    check_between("dmin", dmin, 0.01, dmax)
    config: Any = np.zeros(1, CONFIG_DTYPE)
    g = config[0]
    g["particles"] = m
    g["hands"] = hands
    g["updates"] = updates or 0
    g["w"] = ends("w", w, preset.w)
    g["c1"] = ends("c1", c1, preset.c1)
    g["c2"] = ends("c2", c2, preset.c2)
    g["speed"] = speeds(speed, preset.speed)
    g["low"] = (edge, edge, dmin, edge, dmin)
    g["high"] = (1.0 - edge, 1.0 - edge, dmax, 1.0 - edge, dmax)
    g["replace"] = preset.replace
    g["redraw"] = nobody == "redraw"
    g["size"] = size
    g["deals"] = deals
    g["clean"] = CLEAN[preset.clean if clean is None else clean]
    g["rungs"] = rungs
    g["spread"] = preset.spread if spread is None else spread
    g["window"] = detect
    g["alarm"] = alarm
    return config


def difference(mine: Any, other: Any) -> str:
    """The first setting in which two configurations differ, in words; empty when there is none."""
    for name in CONFIG_DTYPE.names or ():
        a, b = mine[0][name], other[0][name]
        if np.any(a != b):
            if np.ndim(a):
                return f"{name} differs"
            return f"{name} is {b:g} there, {a:g} here"
    return ""
