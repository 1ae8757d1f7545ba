"""``python -m dupai.history._tracker._fit FOLDER [FILE]``: the population of a folder's hands, as the file of priors.

Rates: a Beta prior for each table size, class of position and statistic, by maximum likelihood of the beta-binomial
distribution over players (each player counts once, however many hands he has; players of more than ``CAP``
opportunities are scaled down to that). Hands of players without names tell the mean only: each opportunity counts as
that of another player. Where fewer than ``ENOUGH`` players have ten opportunities, the mean is drawn towards that of
all positions (and that towards all sizes), which count for ``BORROWED`` opportunities, and the strength is theirs.
Strengths stay between ``WEAKEST`` and ``STRONGEST``, so that no prior is worth more than a few hundred opportunities.

Mean fractions: DerSimonian and Laird's moments over players with 10 bets: mean, spread between players, standard
deviation of one bet. Results: the mean is that of all hands (what the rake leaves: chips are conserved), by position
too, both drawn towards all sizes, which count for ``BORROWED_HANDS``; the spread is that of moments over players with
50 hands, the same for all positions.

Left out: limit games (another game; one match of three programs), all hands with a program in them that only exists to
exploit the others (``LEFT_OUT``: neither its play nor the results against it are those of any population), files that
are not hold'em.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import DupaiError
from dupai.history._corpora import corpora
from dupai.history._tracker._batch import UNNAMED, HandBatch, file_batches
from dupai.history._tracker._definitions import DEFINITIONS
from dupai.history._tracker._facts import MONEY_WIDTH, SIZE_CLASSES, SIZE_GROUPS, SIZE_WIDTH
from dupai.history._tracker._population import ALL, FILE, SIZES, MoneyPrior, Population, RatePrior, SizePrior
from dupai.history._tracker._stats import CELLS, COLUMNS, StatsTable
from dupai.spots import POSITION_CLASSES

LEFT_OUT = frozenset(p.name for p in corpora().population if p.kind == "exploiter")
ENOUGH = 8
CAP = 2000
BORROWED = 20.0
BORROWED_HANDS = 5_000
WEAKEST, STRONGEST = 2.0, 200.0
#: Players' true results differ by at least so many big blinds per hand (what moments of so noisy a thing cannot see).
LEAST_SPREAD = 0.05
_LIMIT = 1
_GOLD = (5**0.5 - 1) / 2

_Ints = npt.NDArray[np.int64]
_Floats = npt.NDArray[np.float64]


def _highest(f: Callable[[float], float], low: float, high: float, steps: int = 28) -> float:
    """Where a function with one hump is highest (golden section)."""
    a, b = high - _GOLD * (high - low), low + _GOLD * (high - low)
    fa, fb = f(a), f(b)
    for _ in range(steps):
        if fa < fb:
            low, a, fa = a, b, fb
            b = low + _GOLD * (high - low)
            fb = f(b)
        else:
            high, b, fb = b, a, fa
            a = high - _GOLD * (high - low)
            fa = f(a)
    return (low + high) / 2


def fit_beta(successes: _Ints, trials: _Ints, single: tuple[int, int] = (0, 0)) -> tuple[float, float]:
    """``(mean, strength)`` of the Beta distribution of players' rates, by maximum likelihood.

    The beta-binomial log-likelihood is a sum of log(a + j), log(b + j), log(a + b + j) over j below successes, failures
    and trials: counted once for each j. ``single``: successes and number of further trials, each of another player.
    """
    over = trials > CAP
    scaled = np.where(over, np.rint(successes * (CAP / np.maximum(trials, 1))), successes).astype(np.int64)
    n = np.minimum(trials, CAP)

    def above(counts: _Ints) -> _Floats:
        """How many players have more than j, for j = 0, 1, ..."""
        top = int(counts.max(initial=0))
        return (len(counts) - np.cumsum(np.bincount(counts, minlength=top + 1))[:top]).astype(float)

    hit, miss, both = above(scaled), above(n - scaled), above(n)
    jh, jm, jb = np.arange(len(hit)), np.arange(len(miss)), np.arange(len(both))
    s1, n1 = single

    def likelihood(mean: float, strength: float) -> float:
        a, b = mean * strength, (1.0 - mean) * strength
        value = hit @ np.log(a + jh) + miss @ np.log(b + jm) - both @ np.log(strength + jb)
        return float(value + s1 * np.log(mean) + (n1 - s1) * np.log(1.0 - mean))

    def best_mean(log_strength: float) -> float:
        k = float(np.exp(log_strength))
        x = _highest(lambda x: likelihood(1.0 / (1.0 + np.exp(-x)), k), -9.0, 9.0)
        return float(1.0 / (1.0 + np.exp(-x)))

    def profile(log_strength: float) -> float:
        return likelihood(best_mean(log_strength), float(np.exp(log_strength)))

    found = _highest(profile, float(np.log(WEAKEST)), float(np.log(STRONGEST)), 16)
    return best_mean(found), float(np.exp(found))


def _rate(column: _Ints, unnamed: _Ints, parent: RatePrior | None) -> RatePrior | None:
    """The prior of one cell from ``int64[players, 2]`` and ``int64[2]``; None where nothing was ever counted."""
    n, s = column[:, 0], column[:, 1]
    have = n > 0
    whole, hits = int(n.sum() + unnamed[0]), int(s.sum() + unnamed[1])
    players = int(have.sum())
    if int((n >= 10).sum()) >= ENOUGH or (parent is None and whole):
        mean, strength = fit_beta(s[have], n[have], (int(unnamed[1]), int(unnamed[0])))
    elif parent is not None:
        mean, strength = (hits + BORROWED * parent.mean) / (whole + BORROWED), parent.strength
    else:
        return None
    return RatePrior(round(mean, 5), round(strength, 2), players, whole)


def _moments(n: _Ints, total: _Floats, squares: _Floats, least: int, floor: float) -> MoneyPrior:
    """DerSimonian and Laird: mean, spread and standard deviation of one observation."""
    enough = n >= least
    if int(enough.sum()) < 2:
        whole = max(int(n.sum()), 1)
        mean = float(total.sum()) / whole
        var = max(float(squares.sum()) / whole - mean * mean, 0.0)
        return MoneyPrior(round(mean, 5), floor * 2, round(max(var**0.5, floor), 5), int((n > 0).sum()), int(n.sum()))
    n, total, squares = n[enough], total[enough], squares[enough]
    means = total / n
    within = max(float((squares - total * means).sum() / max(int((n - 1).sum()), 1)), floor**2)
    weight = n / within
    centre = float((weight * means).sum() / weight.sum())
    q = float((weight * (means - centre) ** 2).sum())
    size = float(weight.sum() - (weight**2).sum() / weight.sum())
    spread2 = max((q - (len(n) - 1)) / size, floor**2) if size > 0 else floor**2
    weight = 1.0 / (within / n + spread2)
    centre = float((weight * means).sum() / weight.sum())
    return MoneyPrior(
        round(centre, 5), round(float(spread2**0.5), 5), round(float(within**0.5), 5), len(n), int(n.sum())
    )


def _result(counts: _Ints, near: MoneyPrior | None, spread: MoneyPrior | None) -> MoneyPrior:
    """Results per hand from ``int64[players + 1, 3]``, the last those of nobody in particular; the mean is drawn
    towards that of ``near``. ``spread`` gives the differences between players where there are too few to tell, and
    always for a position (which is known by its ``near`` being another)."""
    n, total, squares = counts[:, 0], counts[:, 1] / 1e6, counts[:, 2] / 1e6
    hands = int(n.sum())
    mean = (float(total.sum()) + (BORROWED_HANDS * near.mean if near else 0.0)) / (
        hands + (BORROWED_HANDS if near else 0)
    )
    sd = max(float(squares.sum()) / max(hands, 1) - mean * mean, LEAST_SPREAD**2) ** 0.5
    enough = int((n[:-1] >= 50).sum())
    if spread is not None and (spread is not near or enough < ENOUGH):
        width = spread.spread
    else:
        width = _moments(n[:-1], total[:-1], squares[:-1], 50, LEAST_SPREAD).spread
    return MoneyPrior(round(mean, 5), width, round(sd, 5), int((n[:-1] > 0).sum()), hands)


def _size_prior(counts: _Ints, parent: SizePrior | None) -> SizePrior | None:
    """Bet sizes of one group; ``counts int64[players, SIZE_WIDTH]``."""
    k = len(SIZE_CLASSES)
    n = counts[:, :k].sum(axis=1)
    have = n > 0
    if parent is not None and int((n >= 10).sum()) < ENOUGH:
        means = counts[:, :k].sum(axis=0) + BORROWED * np.array(parent.classes)
        means /= means.sum()
        return SizePrior(tuple(round(float(m), 5) for m in means), parent.strength, parent.fraction)
    if not have.any():
        return None
    fits = [fit_beta(counts[have, c], n[have]) for c in range(k)]
    means = np.array([m for m, _ in fits])
    means /= means.sum()
    # One strength for all classes: the geometric mean, frequent classes weighing more.
    strength = float(np.exp(sum(m * np.log(s) for m, (_, s) in zip(means.tolist(), fits, strict=True))))
    sized = n - counts[:, k - 1]
    fraction = _moments(sized, counts[:, k] / 1e3, counts[:, k + 1] / 1e6, 10, 0.05)
    return SizePrior(tuple(round(float(m), 5) for m in means), round(strength, 2), fraction)


def _never(counts: _Ints, unnamed: _Ints, statistic: int, expected: float) -> bool:
    """Whether a statistic does not arise here: less than 1 % of the opportunities that the hands would give elsewhere
    (straddles and missing blinds make a few where the rules know none)."""
    found = int(counts[:, 2 * statistic].sum() + unnamed[2 * statistic])
    return expected >= 20 and found < 0.01 * expected


def fit_population(table: StatsTable, about: dict[str, object]) -> Population:
    """Priors from the counters of everybody."""
    people = [name for name, _ in table.players() if name != UNNAMED]
    known = {name for name, _ in table.players()}
    counts = np.stack([table.player(name).counts for name in people])  # [players, cells, columns]
    unnamed = table.player(UNNAMED).counts if UNNAMED in known else np.zeros((CELLS, COLUMNS), np.int64)
    places = len(POSITION_CLASSES)
    cells = counts.reshape(len(people), len(SIZES), places, COLUMNS)
    nobody = unnamed.reshape(len(SIZES), places, COLUMNS)
    money = COLUMNS - MONEY_WIDTH
    rates: dict[str, dict[str, dict[str, RatePrior]]] = {}
    results: dict[str, dict[str, MoneyPrior]] = {}
    bets: dict[str, dict[str, SizePrior]] = {}
    world = [
        _rate(cells.sum(axis=(1, 2))[:, 2 * d : 2 * d + 2], nobody.sum(axis=(0, 1))[2 * d : 2 * d + 2], None)
        for d in range(len(DEFINITIONS))
    ]

    everyone = np.concatenate([cells, nobody[None]])[..., money:]  # [players + 1, sizes, positions, 3]
    world_result = _result(everyone.sum(axis=(1, 2)), None, None)
    all_hands = int(cells[..., money].sum() + nobody[..., money].sum())
    for i, size in enumerate(SIZES):
        whole, whole_nobody = cells[:, i].sum(axis=1), nobody[i].sum(axis=0)
        hands = int(whole[:, money].sum() + whole_nobody[money])
        rates[str(size)] = {ALL: {}}
        result = _result(everyone[:, i].sum(axis=1), world_result, world_result)
        results[str(size)] = {ALL: result}
        for d, row in enumerate(DEFINITIONS):
            at = slice(2 * d, 2 * d + 2)
            everywhere = world[d]
            expected = 0.0 if everywhere is None else everywhere.n * hands / all_hands
            if everywhere is None or _never(whole, whole_nobody, d, expected):
                continue  # it does not arise at this size
            prior = _rate(whole[:, at], whole_nobody[at], everywhere)
            if prior is not None:
                rates[str(size)][ALL][row.name] = prior
        for p, place in enumerate(POSITION_CLASSES):
            here, here_nobody = cells[:, i, p], nobody[i, p]
            seen = int(here[:, money].sum() + here_nobody[money])
            if not seen:
                continue
            anywhere = _result(everyone[:, :, p].sum(axis=1), None, None)
            results[str(size)][place] = _result(everyone[:, i, p], anywhere, result)
            found = rates[str(size)].setdefault(place, {})
            for d, row in enumerate(DEFINITIONS):
                at = slice(2 * d, 2 * d + 2)
                parent = rates[str(size)][ALL].get(row.name)
                expected = 0.0 if parent is None else parent.n * seen / hands
                if parent is None or _never(here, here_nobody, d, expected):
                    continue  # it does not arise here
                prior = _rate(here[:, at], here_nobody[at], parent)
                if prior is not None:
                    found[row.name] = prior
        bets[str(size)] = {}
        for g, group in enumerate(SIZE_GROUPS):
            start = 2 * len(DEFINITIONS) + g * SIZE_WIDTH
            at = slice(start, start + SIZE_WIDTH)
            size_prior = _size_prior(whole[:, at], _size_prior(cells.sum(axis=(1, 2))[:, at], None))
            if size_prior is not None:
                bets[str(size)][group] = size_prior
    return Population(about=about, rates=rates, results=results, bets=bets)


def _taken(path: Path) -> Iterator[HandBatch]:
    """Batches of the hands that tell about the population; in the others nobody is counted."""
    for batch in file_batches(path):
        out = batch.specs["betting"][batch.spec_of] == _LIMIT
        strange = np.array([name in LEFT_OUT for name in batch.names] or [False])
        out |= ((batch.players >= 0) & strange[batch.players]).any(axis=1)
        players = np.where(out[:, None], -1, batch.players)
        if not out.all():
            yield batch._replace(players=players)


def gather(paths: Sequence[Path]) -> tuple[StatsTable, dict[str, int]]:
    """Counters over all files that can be read, and hands by file name."""
    table = StatsTable()
    hands: dict[str, int] = {}
    for path in paths:
        before = table.hands
        try:
            for batch in _taken(path):
                table.add(batch)
        except DupaiError as error:
            sys.stderr.write(f"left out: {error}\n")
        if table.hands > before:
            hands[path.name] = table.hands - before
            sys.stderr.write(f"{path.name}: {hands[path.name]:,} hands\n")
    return table, hands


def main(arguments: Sequence[str]) -> int:
    """Build the file of priors."""
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write("usage: python -m dupai.history._tracker._fit FOLDER [FILE]\n")
        return 2
    folder = Path(arguments[0])
    paths = sorted(p for p in folder.rglob("*") if p.name.endswith((".log.xz", ".log", ".phhs.xz", ".phhs", ".phh")))
    table, hands = gather(paths)
    if not hands:
        sys.stderr.write(f"{folder}: no hands found\n")
        return 2
    people = [name for name, _ in table.players() if name != UNNAMED]
    found = fit_population(table, {"version": 1, "files": hands, "players": len(people)})
    out = Path(arguments[1]) if len(arguments) == 2 else FILE
    text = msgspec.json.format(msgspec.json.encode(found), indent=0).replace(b"], ", b"],\n")
    out.write_bytes(text + b"\n")
    sys.stderr.write(f"{out}: {sum(hands.values()):,} hands, {len(people):,} players, {out.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
