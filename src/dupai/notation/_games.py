"""The game of a log: the one that its header names, or else the usual game under which its hands reconcile."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from dupai.base import ConfigError, DupaiError
from dupai.notation._acpc import parse_acpc_line
from dupai.rules import MAX_PLAYERS, UNLIMITED, GameSpec, load_game


class GameChoice(msgspec.Struct, frozen=True):
    """The game chosen for a log: ``spec``, its ``name`` in words, and ``why`` it was chosen."""

    spec: GameSpec
    name: str
    why: str


@cache
def usual_games(players: int, limit: bool) -> tuple[tuple[str, GameSpec], ...]:
    """The games tried for a log that names none, the likeliest first: (name in words, game)."""
    shipped = f"holdem.{'limit' if limit else 'nolimit'}.{players}p"
    stakes = [] if limit else [((1, 2), 200), ((50, 100), 10_000)]
    games = (_acpc_game(players, *stake) for stake in (stakes if players == 2 else reversed(stakes)))
    return ((shipped, load_game(shipped)), *((game_words(spec), spec) for spec in games))


def _acpc_game(players: int, blinds: tuple[int, int], stack: int, bet_sizes: tuple[int, ...] = ()) -> GameSpec:
    """A game under the ACPC's rules; ``bet_sizes`` are those of a limit game."""
    if bet_sizes:
        return GameSpec.limit(players, blinds, bet_sizes, stack, odd_chips="acpc", min_raise="acpc")
    return GameSpec.no_limit(players, blinds, stack, odd_chips="acpc", min_raise="acpc")


def game_words(spec: GameSpec) -> str:
    """A game in a few words: ``no-limit, 2 players, blinds 50/100, stacks 20000``."""
    blinds = "/".join(str(b) for b in sorted(b for b in spec.blinds if b))
    stacks = sorted(set(spec.stacks))
    parts = [spec.betting, f"{spec.players} players", f"blinds {blinds or 'none'}"]
    if any(spec.antes):
        parts.append(f"antes {'/'.join(map(str, sorted(set(spec.antes))))}")
    if spec.betting == "limit":
        parts.append(f"bets {'/'.join(map(str, spec.bet_sizes))}")
    if stacks != [UNLIMITED]:
        parts.append("stacks " + "/".join(map(str, stacks)))
    return ", ".join(parts)


def header_game(line: str) -> str | None:
    """The game that a header line ``# name/game/hands/seed NAME GAME HANDS SEED`` names, None for another line."""
    words = line.lstrip("#; ").split()
    return words[-3] if len(words) >= 5 and words[0] == "name/game/hands/seed" else None


class LogSample(msgspec.Struct, frozen=True):
    """What a game is chosen by: ``players`` and whether it is ``limit``; the ``header``'s game; the number of
    ``hands``; the ``least`` and ``most`` chips that anybody lost; number and text of the ``first`` hand's line."""

    players: int
    limit: bool
    header: str | None
    hands: int
    least: int
    most: int
    first: tuple[int, str]


def _guessed_games(sample: LogSample) -> tuple[tuple[str, GameSpec], ...]:
    """Games whose small blind is the smallest loss (a small blind given up), twice that the big blind, and whose stacks
    are the largest loss or, where nobody was all-in, beyond reach."""
    small, n = sample.least, sample.players
    if small < 1:
        return ()
    sizes = (2 * small, 2 * small, 4 * small, 4 * small) if sample.limit else ()
    stacks = dict.fromkeys((max(sample.most, 2 * small), UNLIMITED))
    games = (_acpc_game(n, (small, 2 * small), stack, sizes) for stack in stacks)
    return tuple((game_words(spec), spec) for spec in games)


def choose_game(sample: LogSample, fits: Callable[[GameSpec], tuple[int, int]]) -> GameChoice:
    """Choose the game under which most hands of a sample reconcile; ``fits(spec)`` returns how many hands reconcile and
    how many replay at all.

    Games are tried in turn until every hand fits: the one that the header names, :func:`usual_games`, games with the
    stakes that the hands suggest. If no hand reconciles under any of them, the header's game is chosen, or the one
    under which most hands replay if those are the majority.

    Raises:
        ConfigError: neither; names the games tried and says what is wrong with the first hand.
    """
    tried: list[tuple[str, GameSpec, str]] = []
    unknown = ""
    named = False
    header, n = sample.header, sample.players
    if header is not None:
        try:
            spec = load_game(header)
            named = spec.players == n
            if named:
                tried.append((header, spec, f"named by the header ({header})"))
        except ConfigError as error:
            unknown = f"the header names {header!r}, which is not known here ({error}); "
    if 2 <= n <= MAX_PLAYERS:
        tried += [(name, spec, "") for name, spec in (*usual_games(n, sample.limit), *_guessed_games(sample))]
    best, most = None, (0, sample.hands // 2)
    for name, spec, why in tried:
        count = fits(spec)
        if count > most:
            best, most = GameChoice(spec, name, why or f"inferred: {count[0]} of {sample.hands} hands fit"), count
        if count[0] == sample.hands:
            break
    if best is None and named:
        name, spec, why = tried[0]
        return GameChoice(spec, name, why)
    if best is None:
        line, text = sample.first
        kind = f"{n} players, {'limit' if sample.limit else 'no-limit'}"
        wrong = _what_is_wrong(text, tried[0][1]) if tried else f"there are {n} players, expected 2 to {MAX_PLAYERS}"
        raise ConfigError(
            f"{unknown}no usual hold'em game fits these hands ({kind}; tried: {'; '.join(t[0] for t in tried)}): "
            f"say which it is with --game FILE or --game NAME; line {line}: {wrong}"
        )
    return best


def _what_is_wrong(line: str, spec: GameSpec) -> str:
    try:
        record = parse_acpc_line(line, spec)
        return f"payoffs {record.payoffs} are not {tuple(record.replay().payoffs.tolist())} (in 1/{spec.split} chip)"
    except DupaiError as error:
        return str(error)
