"""What the BR-PSO paper prints, from ``printed.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dupai.experiments._verdict import nested_figures, paper_data, printed_figures

_DATA = paper_data(__file__)
_ONE = printed_figures({key: _DATA[key] for key in ("predictor", "more_particles")})
FOUND_BY: Mapping[str, str] = _DATA["found_by"]
POLICIES = printed_figures(_DATA["policies"])
ORDER: Sequence[int] = _DATA["order"]
FITNESS = printed_figures(_DATA["fitness"])
PREDICTOR, MORE_PARTICLES = _ONE["predictor"], _ONE["more_particles"]


#: By run and style.
FIGURES, FOUND = nested_figures(_DATA["winnings"]), nested_figures(_DATA["found"])
