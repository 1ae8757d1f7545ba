"""Verdicts on a paper's printed figures, computed from our measurement and never set by hand.

Every rule is two-sided: a value that is too good is as far from the printed one as a value that is too bad.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from dupai.base import ConfigError, Estimate, clustered_error, t95
from dupai.base.files import read_toml_file

#: What a verdict can be, from best to worst.
Kind = Literal["agrees", "ordering agrees", "differs", "cannot be compared"]
KINDS: tuple[Kind, ...] = ("agrees", "ordering agrees", "differs", "cannot be compared")

#: Fewer observations than these say nothing: a normal interval is too narrow for them.
MIN_DEALS = 10

_NUMBER = r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
_FORMS = {
    "number": re.compile(rf"(?:about )?({_NUMBER})"),
    "range": re.compile(rf"({_NUMBER})\s*(?:-|–|to)\s*({_NUMBER})"),
    "power": re.compile(r"(?:order of )?10\^([-+]?\d+)"),
    "at least": re.compile(rf"(?:over|more than|at least) ({_NUMBER})"),
    "at most": re.compile(rf"(?:under|less than|at most|up to) ({_NUMBER})"),
}


class Printed(msgspec.Struct, frozen=True):
    """A figure as a paper prints it.

    Attributes:
        where: its place in the paper: ``"table 3"``, ``"figure 9"``, ``"equation 27"``, ``"section 4.2"``.
        text: the figure as it is printed: a number (``"32,620"``), a range (``"59-63"``), an order of magnitude
            (``"10^7"``, which means the exponent), a bound (``"over 95"``), or words (``"loses"``). The digits give
            its precision.
        unit: of the figure.
        se: its standard error, where the paper prints one.
        cut: whether its digits are known to be cut off, not rounded.
    """

    where: str
    text: str
    unit: str = ""
    se: float = 0.0
    cut: bool = False

    @property
    def limits(self) -> tuple[float, float] | None:
        """Least and greatest value that would be printed so; None for words."""
        for form, pattern in _FORMS.items():
            if match := pattern.fullmatch(self.text.strip()):
                low, high = _limits(form, match.groups())
                value = (low + high) / 2
                return (value, high + (high - value)) if self.cut and value > 0 else (low, high)
        return None

    @property
    def value(self) -> float | None:
        """The number printed; the middle of a range; the bound; None for words."""
        if (limits := self.limits) is None:
            return None
        low, high = limits
        if math.isinf(low) or math.isinf(high):
            return high if math.isinf(low) else low
        if self._is("power") or self.cut:
            return low
        return (low + high) / 2

    @property
    def precision(self) -> float:
        """Half a unit of the last digit printed; 0 for anything but a plain number."""
        match = _FORMS["number"].fullmatch(self.text.strip())
        return _half_unit(match[1]) if match else 0.0

    def _is(self, form: str) -> bool:
        return _FORMS[form].fullmatch(self.text.strip()) is not None


def paper_data(module: str, name: str = "printed") -> dict[str, Any]:
    """A file of data beside a module (its ``__file__``): what a paper prints, or another."""
    return read_toml_file(Path(module).with_name(f"{name}.toml"), "recipe")


def printed_figures(figures: Mapping[str, Any]) -> dict[str, Printed]:
    """Printed figures by name, from plain data."""
    return msgspec.convert(figures, dict[str, Printed])


def nested_figures(figures: Mapping[str, Any]) -> dict[tuple[str, str], Printed]:
    """Printed figures by two names, from plain data by one and then by the other."""
    return {(a, b): one for a, under in figures.items() for b, one in printed_figures(under).items()}


def _half_unit(number: str) -> float:
    digits, _, exponent = number.partition("e")
    places = len(digits.partition(".")[2])
    return 0.5 * 10.0 ** (int(exponent or 0) - places)


def _limits(form: str, numbers: Sequence[str]) -> tuple[float, float]:
    if form == "power":
        return 10.0 ** int(numbers[0]), 10.0 ** (int(numbers[0]) + 1)
    low, high = ((float(n.replace(",", "")), _half_unit(n)) for n in (numbers[0], numbers[-1]))
    if form == "at least":
        return low[0], math.inf
    if form == "at most":
        return -math.inf, high[0]
    # Rounding errors of the subtraction must not exclude a value at the edge.
    return low[0] - low[1] * (1 + 1e-9), high[0] + high[1] * (1 + 1e-9)


class Verdict(msgspec.Struct, frozen=True):
    """What a measurement says of a printed figure.

    Attributes:
        kind: the verdict.
        why: how it came about: the factor, the significance, what is missing and what stands in.
        factor: our figure over the printed one, where both are positive or both negative.
        errors: of an ordering: our difference in its standard errors, positive where the order is the paper's.
    """

    kind: Kind
    why: str
    factor: float | None = None
    errors: float | None = None


def judge(
    printed: Printed,
    ours: Estimate | float | str | None,
    *,
    ordering: Estimate | None = None,
    error: float = 0.0,
    missing: str = "",
    stand_in: str = "",
) -> Verdict:
    """The verdict on a printed figure.

    * *agrees*: the printed figure lies in our 95 % interval (of both errors, where the printed figure has one), or,
      where ours has none, ours rounds to it.
    * *ordering agrees*: it does not, but what it says of the order of two things holds: the 95 % interval of
      ``ordering`` is above 0.
    * *differs*: neither.
    * *cannot be compared*: something is missing, our interval holds the printed figure and is so wide that this says
      nothing (its half width exceeds that figure: it holds zero or twice the figure too; for an order of magnitude our
      own figure or the decade printed), or there are fewer than 10 observations.

    Args:
        printed: the paper's figure.
        ours: our measurement; a bare number has no interval; words or a code have to be the printed ones; None: there
            is none.
        ordering: our difference in the direction that the paper states (first less second); for words it decides
            alone.
        error: standard error of the printed figure itself, where the paper measured one sample and prints no error
            (its own is used where it does): both errors count then.
        missing: what a comparison would need and we do not have; the verdict is then *cannot be compared*.
        stand_in: what stands in for it.
    """
    if missing:
        return Verdict("cannot be compared", f"missing: {missing}" + (f"; {stand_in} stand in" if stand_in else ""))
    if isinstance(ours, str):
        same = ours == printed.text
        return Verdict("agrees" if same else "differs", "the same" if same else f"printed: {printed.text}")
    limits = printed.limits
    if limits is None:
        return judge_order(ordering if ordering is not None else ours)
    if ours is None:
        return Verdict("cannot be compared", "not measured")
    mean, half, few = _measured(printed, ours, error)
    if few:
        return Verdict("cannot be compared", few)
    inside = mean - half <= limits[1] and mean + half >= limits[0]
    if inside and (wide := _too_wide(printed, ours, mean, half)):
        return Verdict("cannot be compared", wide)
    if inside:
        return Verdict("agrees", _reason(printed, mean, half, error), factor=_factor(printed, mean))
    factor = _factor(printed, mean)
    away = (
        f"ours is {factor_text(factor)} the printed figure" if factor is not None else "ours is on the other side of 0"
    )
    if ordering is not None:
        order = judge_order(ordering)
        if order.kind != "differs":
            kind: Kind = "ordering agrees" if order.kind == "ordering agrees" else "differs"
            return Verdict(kind, f"{away}; the order: {order.why}", factor, order.errors)
        return Verdict("differs", f"{away}; the order is the reverse: {order.why}", factor, order.errors)
    return Verdict("differs", away, factor)


def judge_order(difference: Estimate | float | None) -> Verdict:
    """The verdict on an order ("A wins more than B", "loses") from our difference in the direction stated."""
    if difference is None:
        return Verdict("cannot be compared", "not measured")
    bare = not isinstance(difference, Estimate)
    if not isinstance(difference, Estimate):
        difference = Estimate(difference, 0.0, MIN_DEALS)
    if few := _too_few(difference):
        return Verdict("cannot be compared", few)
    low, high = difference.interval()
    exact = difference.se == 0
    errors = None if exact else difference.mean / difference.se
    said = ("exact" if bare else f"all {difference.n} alike") if errors is None else f"{errors:+.1f} standard errors"
    if low > 0:
        return Verdict("ordering agrees", said, errors=errors)
    if high < 0 or exact:
        return Verdict("differs", f"the other way round, {said}" if difference.mean else "no difference", errors=errors)
    return Verdict("cannot be compared", f"not separated: {said} from no difference", errors=errors)


def judge_orders(differences: Sequence[Estimate]) -> Verdict:
    """The verdict on an order of more than two: every neighbour's difference has to be in the printed direction; the
    least certain one decides."""

    def certainty(verdict: Verdict) -> float:
        exact = verdict.errors is None and verdict.kind == "ordering agrees"
        return math.inf if exact else verdict.errors or 0.0

    verdicts = [judge_order(difference) for difference in differences]
    return max(verdicts, key=lambda v: (_WORST.index(v.kind), -certainty(v)))


_WORST: tuple[Kind, ...] = ("agrees", "ordering agrees", "cannot be compared", "differs")


def difference(first: Estimate, second: Estimate) -> Estimate:
    """First less second, of independent samples; the smaller sample counts."""
    return Estimate(first.mean - second.mean, math.hypot(first.se, second.se), min(first.n, second.n))


def over_groups(values: Iterable[tuple[Hashable, float]]) -> Estimate:
    """The mean of values of which those of a group depend on each other, as where the same cards are played against
    several opponents; ``n`` counts the groups."""
    pairs = list(values)
    groups = {group: k for k, group in enumerate(dict.fromkeys(group for group, _ in pairs))}
    n = len(groups)
    if n < 2:
        return Estimate(sum(v for _, v in pairs) / len(pairs) if pairs else math.nan, math.nan, n)
    each = np.array([value for _, value in pairs], np.float64)
    error = clustered_error(each, np.array([groups[group] for group, _ in pairs]))
    # The estimator is for many groups; this is its usual correction for few.
    return Estimate(float(each.mean()), error * math.sqrt(n / (n - 1)), n)


def exceeding(estimate: Estimate, bound: float) -> Estimate:
    """How far an estimate lies above a bound, for an ordering against a fixed number."""
    return estimate._replace(mean=estimate.mean - bound)


def _too_few(estimate: Estimate) -> str:
    if not math.isfinite(estimate.mean):
        return "no observations"
    if estimate.n < MIN_DEALS:
        return f"too few observations: {estimate.n}, and {MIN_DEALS} are needed"
    return "" if math.isfinite(estimate.se) else f"no interval from {estimate.n} observation{'s' * (estimate.n != 1)}"


def _measured(printed: Printed, ours: Estimate | float, error: float) -> tuple[float, float, str]:
    """Our mean, the half width of the interval that counts, and why there is none (if so)."""
    if not isinstance(ours, Estimate):
        if not math.isfinite(ours):
            raise ConfigError(f"{printed.where}: our figure is {ours}, expected a number or an estimate", key="ours")
        return float(ours), 1.96 * (printed.se or error), ""
    if few := _too_few(ours):
        return ours.mean, math.nan, few
    return ours.mean, t95(max(ours.n - 1, 1)) * math.hypot(ours.se, printed.se or error), ""


def _too_wide(printed: Printed, ours: Estimate | float, mean: float, half: float) -> str:
    """Why an interval that holds the printed figure says nothing; empty: it does say something."""
    size = abs(printed.value or 0.0)
    # An order of magnitude reaches to ten times the number printed: there our figure and the decade are the measure.
    wide = half > (min(abs(mean), 9 * size) if printed._is("power") else size) > 0
    if wide and isinstance(ours, Estimate):
        return f"too wide an interval: ± {half:,.4g} is more than the figure itself"
    return ""


def _reason(printed: Printed, mean: float, half: float, error: float) -> str:
    limits = printed.limits
    if printed._is("power") and limits is not None and limits[0] <= mean < limits[1]:
        return "the same exponent"
    if not half:
        return "within the printed precision"
    return "in the interval of both errors" if printed.se or error else "in our 95 % interval"


def _factor(printed: Printed, mean: float) -> float | None:
    value = printed.value
    return mean / value if value and mean / value > 0 else None


def factor_text(factor: float) -> str:
    """``1.3 times``; a factor below 1 is said as its inverse: ``1/1,200 of``."""
    if factor >= 1:
        return f"{factor:,.3g} times" if factor < 1000 else f"{factor:,.0f} times"
    inverse = 1 / factor
    return f"{factor:.2f} times" if inverse < 10 else f"1/{inverse:,.0f} of"
