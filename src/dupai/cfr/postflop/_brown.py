"""River sub-games as JSON, as N. Brown's ``poker_solver`` exports them: a spot of ours with the same tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dupai.base import ConfigError
from dupai.ranges import Range


def spot_of_brown(data: Mapping[str, Any]) -> dict[str, Any]:
    """The plain data of a spot (see ``SolveSpot.from_dict``) of such a sub-game.

    Raises:
        ConfigError: a field is missing or wrong, or later raises have other sizes than the first.
    """
    try:
        sizes: dict[str, Any] = {}
        for player in ("oop", "ip"):
            kinds = ("first_bets", "first_raises", "next_raises")
            bets, raises, later = (_sizes(data, data.get(f"{player}_{kind}") or data["bet_sizes"]) for kind in kinds)
            if raises != later:
                raise ConfigError(f"{player}_next_raises: expected the sizes of {player}_first_raises", key="sizes")
            sizes[player] = {"bet": bets, "raise": raises}
        oop, ip = map(_range, data["players"])
        cap = max(1, int(data.get("max_raises", 1000)))
        plain = {key: int(data[key]) for key in ("pot", "stack")}
        board = "".join(data["board"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ConfigError(f"the river sub-game lacks a field or has a wrong one: {error}", key="players") from None
    # A cap of hundreds of raises is none.
    raise_cap = cap if cap <= 100 else 0
    return {"board": board, "oop": oop, "ip": ip, **plain, "sizes": sizes, "raise_cap": raise_cap, "shallow": True}


def _sizes(data: Mapping[str, Any], shares: list[float]) -> str:
    return ", ".join([*(f"{100 * float(share):.10g}%" for share in shares), *["a"] * bool(data["include_all_in"])])


def _range(player: Mapping[str, Any]) -> Range:
    """Hands with weights, which may have any sum."""
    weights = list(map(float, player.get("weights") or [1.0] * len(player["hands"])))
    top = max(weights)
    return Range({hand: weight / top for hand, weight in zip(player["hands"], weights, strict=True) if weight})
