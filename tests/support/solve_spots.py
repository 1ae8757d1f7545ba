"""The reference spots of the postflop solver, and the spot that a configuration of theirs describes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dupai.cfr import SolveSpot

SPOTS = json.loads((Path(__file__).parents[1] / "golden" / "solve_spots.json").read_text())["spots"]


def spot_of(config: dict[str, Any], **more: Any) -> SolveSpot:
    sizes: dict[str, dict[str, str]] = {}
    for key, value in config["bet_sizes"].items():
        street, kind = key.split("_")
        sizes.setdefault(street, {})[kind] = value
    return SolveSpot.from_dict(
        {
            "board": config["board"],
            "oop": config["range_oop"],
            "ip": config["range_ip"],
            "pot": config["pot"],
            "stack": config["effective_stack"],
            "add_allin": config["add_allin_threshold"],
            "force_allin": config["force_allin_threshold"],
            "merge": config["merging_threshold"],
            "sizes": sizes,
            **more,
        }
    )
