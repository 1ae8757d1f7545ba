"""Which game a log is of: what its header names, else the usual game under which its hands reconcile."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from dupai.base import ConfigError, DupaiError
from dupai.notation._acpc import parse_acpc_line
from dupai.rules import GameSpec, load_game


class GameChoice(msgspec.Struct, frozen=True):
    """A game taken for a log: ``spec``, its ``name`` in words, and ``why`` it was taken."""

    spec: GameSpec
    name: str
    why: str


@cache
def usual_games(players: int, limit: bool) -> tuple[tuple[str, GameSpec], ...]:
    """The games tried for a log that names none, the likeliest first: (name in words, game)."""
    shipped = f"holdem.{'limit' if limit else 'nolimit'}.{players}p"
    found = [(shipped, load_game(shipped))]
    if not limit:
        others = [((1, 2), 200), ((50, 100), 10_000)] if players == 2 else [((50, 100), 10_000), ((1, 2), 200)]
        for blinds, stack in others:
            spec = GameSpec.no_limit(players, blinds, stack, odd_chips="acpc", min_raise="acpc")
            found.append((game_words(spec), spec))
    return tuple(found)


def game_words(spec: GameSpec) -> str:
    """A game in a few words: ``no-limit, 2 players, blinds 50/100, stacks 20000``."""
    blinds = "/".join(str(b) for b in sorted(b for b in spec.blinds if b))
    stacks = sorted(set(spec.stacks))
    parts = [spec.betting, f"{spec.players} players", f"blinds {blinds or 'none'}"]
    if any(spec.antes):
        parts.append(f"antes {'/'.join(map(str, sorted(set(spec.antes))))}")
    if spec.betting == "limit":
        parts.append(f"bets {'/'.join(map(str, spec.bet_sizes))}")
    if stacks != [2**31 - 1]:
        parts.append("stacks " + "/".join(map(str, stacks)))
    return ", ".join(parts)


def header_game(line: str) -> str | None:
    """The game that a header line ``# name/game/hands/seed NAME GAME HANDS SEED`` names, None for another line."""
    words = line.lstrip("#; ").split()
    if len(words) < 5 or words[0] != "name/game/hands/seed":
        return None
    return words[-3]


def choose_game(
    players: int,
    limit: bool,
    header: str | None,
    fits: Callable[[GameSpec], int],
    sample: int,
    first: str,
) -> GameChoice:
    """Take the game under which most of ``sample`` hands reconcile: ``fits(spec)`` counts them, ``first`` is the first.

    The game that the header names is tried first and wins when every hand fits, as does any earlier one of
    :func:`usual_games`.

    Raises:
        ConfigError: no hand reconciles under any game tried; names them.
    """
    tried: list[tuple[str, GameSpec, str]] = []
    unknown = ""
    if header is not None:
        try:
            spec = load_game(header)
            if spec.players == players:
                tried.append((header, spec, f"named by the header ({header})"))
        except ConfigError as error:
            unknown = f"the header names {header!r}, which is not known here ({error}); "
    if 2 <= players <= 10:
        tried += [(name, spec, "inferred") for name, spec in usual_games(players, limit)]
    best, most = None, 0
    for name, spec, why in tried:
        count = fits(spec)
        if count > most:
            counted = f"inferred: {count} of {sample} hands fit"
            best, most = GameChoice(spec, name, counted if why == "inferred" else why), count
        if count == sample:
            break
    if best is None:
        kind = f"{players} players, {'limit' if limit else 'no-limit'}"
        wrong = _what_is_wrong(first, tried[0][1]) if tried else "none has so many players"
        raise ConfigError(
            f"{unknown}no usual hold'em game fits these hands ({kind}; tried: {'; '.join(t[0] for t in tried)}): "
            f"say which it is with --game FILE or --game NAME; in the first hand, {wrong}"
        )
    return best


def _what_is_wrong(line: str, spec: GameSpec) -> str:
    try:
        record = parse_acpc_line(line, spec)
        return f"payoffs {record.payoffs} are not {tuple(record.replay().payoffs.tolist())} (in 1/{spec.split} chip)"
    except DupaiError as error:
        return str(error)
