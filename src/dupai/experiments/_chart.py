"""Charts as SVG whose text and axes take the colour of the page around them."""

from __future__ import annotations

import io
import re
from typing import Any

from dupai.base import optional_package
from dupai.experiments._paper import Chart

#: Colours that stand out from a light and from a dark page.
_HUES = ["#2f7fd1", "#d9772b", "#2f9e5f", "#b65cc7", "#cf4a4a", "#8a7a2f", "#2aa0a8", "#7d7df0", "#9a6a4a", "#5f7f95"]
#: Stands for the colour of the page's text while a chart is drawn.
_INK = "#010203"


def chart_svg(chart: Chart) -> str:
    """A chart as an ``<svg>`` element; its text and axes have ``currentColor``.

    Raises:
        MissingPackage: matplotlib is not installed.
    """
    text = io.StringIO()
    _drawn(chart).savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    svg = re.sub(r"^.*?(?=<svg)", "", text.getvalue(), count=1, flags=re.DOTALL)
    return svg.replace(_INK, "currentColor").replace("<text ", '<text fill="currentColor" ')


def _drawn(chart: Chart) -> Any:
    matplotlib = optional_package("matplotlib", "report", "drawing charts", "matplotlib.figure")
    ink = dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), _INK)
    style = {"svg.hashsalt": "dupai", "svg.fonttype": "none", "font.size": 10, "grid.color": _INK, **ink}
    with matplotlib.rc_context({**style, "axes.prop_cycle": matplotlib.rcsetup.cycler(color=_HUES)}):
        rows = -(-len(chart.lines) // 2) if len(chart.lines) > 1 else 0
        figure = matplotlib.figure.Figure(figsize=(5.4, 3.2 + 0.2 * rows), layout="constrained")
        axes = figure.add_subplot()
        for line in chart.lines:
            _draw(axes, line)
        axes.set_xscale("log" if chart.log_x else "linear")
        axes.set_yscale("log" if chart.log_y else "linear")
        axes.set_xlabel(chart.x)
        axes.set_ylabel(chart.y)
        axes.grid(alpha=0.15)
        axes.spines[["top", "right"]].set_visible(False)
        if rows:
            figure.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return figure


def _draw(axes: Any, line: Any) -> None:
    dots = "o" if len(line.x) < 15 else None
    if line.printed:
        behind = {"color": "#8c8c8c", "linewidth": 4, "alpha": 0.55, "zorder": 0, "markersize": 6}
        axes.plot(line.x, line.y, label=line.label, marker=dots, **behind)
        return
    style = "--" if line.dashed else "-"
    (drawn,) = axes.plot(line.x, line.y, style, label=line.label, linewidth=1.6, marker=dots, markersize=3)
    if line.band:
        low, high = ([y + s * b for y, b in zip(line.y, line.band, strict=True)] for s in (-1, 1))
        axes.fill_between(line.x, low, high, color=drawn.get_color(), alpha=0.18, linewidth=0)
