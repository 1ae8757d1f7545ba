"""The solver of blueprints: regret minimisation with public chance sampling."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec
import numpy as np

from dupai.base import ConfigError, Estimate, FileError, NoProgress, Progress, Rng
from dupai.base.arrays import F32, AnyArray
from dupai.base.files import SIZE_LIMITS, array_of, read_arrays
from dupai.cards import CLASSES
from dupai.cfr._blueprint._cards import CardBuckets
from dupai.cfr._blueprint._kernels import DOWN, SUBTREE, UP, WHOLE, Deal, Held, Room, Tables, pass_kernel
from dupai.cfr._blueprint._tree import DECISION, BetMenu, BettingTree, betting_tree
from dupai.rules import GameSpec

#: Turns and rivers dealt to one flop: its buckets take longest.
RUNOUTS = 4
#: Passes between two discounts.
_FADE = 40
#: Share of decisions in which a player who learns takes any action. Per action it stays below what is played (RARE).
TREMBLE = 0.02
#: Actions that a hand takes more rarely are not taken: they stem from the first passes.
RARE = 0.03
#: Streams of random boards: to learn on, to measure on.
_LEARN, _MEASURE, _RESPOND = 0, 1, 2


class PassSolver:
    """Regret minimisation by passes over a tree of betting, for any game of two players and public cards.

    Sums and regrets are weighted linearly (Brown, Sandholm, "Solving imperfect-information games via discounted regret
    minimization", 2019): every 40 passes both are multiplied by t / (t + 1).

    With more than one job, what follows on the second street after each way to get there is gone through in a thread of
    its own. No two of these subtrees share a decision, so the result is the same to the bit with any number of jobs.

    Args:
        tree: the betting. buckets: by street. hands: most that a board leaves. cards: numbers of cards in a
            :class:`Deal`. unit: what a chip counts. jobs: threads. tremble: the share of decisions in which a player
            who learns takes any action, all alike.
    """

    def __init__(
        self,
        tree: BettingTree,
        buckets: tuple[int, ...],
        hands: int,
        cards: int,
        unit: float,
        jobs: int = 1,
        tremble: float = 0.0,
    ) -> None:
        self.tree, self.buckets, self.unit, self.tremble = tree, buckets, unit, tremble
        self.offsets, self.entries = tree.offsets(buckets)
        self.regrets, self.plan = (np.zeros(self.entries, np.float32) for _ in range(2))
        self.passes = 0
        self._roots = second_street(tree) if jobs > 1 else []
        self._none = np.full(len(tree.kind), -1, np.int32)
        at = self._none.copy()
        at[self._roots] = np.arange(len(self._roots))
        reach, value = np.zeros((2, len(self._roots), 2, hands), np.float32)
        self._held = Held(at, reach, value, WHOLE, 0.0)
        self._pool = ThreadPoolExecutor(jobs) if self._roots else None
        self._sizes = _depth(tree) + 1, hands, max(buckets) * int(tree.n.max()), cards
        #: One for each thread.
        self._rooms = [self._room() for _ in range(jobs)]

    def _room(self) -> Room:
        depth, hands, widest, cards = self._sizes
        reach, value = np.zeros((2, depth, 2, hands), np.float32)
        mix = np.zeros((depth, widest), np.float32)
        return Room(reach, value, mix, np.zeros(max(self.buckets)), np.zeros(cards))

    def go(self, deal: Deal, tables: Tables | None = None, weight: float = 1.0, fixed: int = 0) -> float:
        """One pass over a deal; gives what position 0 won on average.

        Args:
            tables: default: this solver's own. fixed: bits of the players who do not learn.
        """
        n = len(deal.group)
        mine = Tables(self.regrets, self.plan, self.plan, self.regrets) if tables is None else tables
        buckets = np.array(self.buckets, np.int64)
        tremble = self.tremble if tables is None else 0.0
        held = Held(self._held.at, self._held.reach[:, :, :n], self._held.value[:, :, :n], WHOLE, tremble)
        rooms = [room._replace(reach=room.reach[:, :, :n], value=room.value[:, :, :n]) for room in self._rooms]

        def part(phase: int, root: int, room: Room) -> float:
            now = held._replace(phase=phase)
            return float(
                pass_kernel(self.tree, self.offsets, buckets, deal, mine, now, root, room, self.unit, weight, fixed)
            )

        if self._pool is None:
            return part(WHOLE, 0, rooms[0])
        part(DOWN, 0, rooms[0])
        free = deque(rooms)

        def below(root: int) -> None:
            room = free.popleft()
            part(SUBTREE, root, room)
            free.append(room)

        list(self._pool.map(below, self._roots))
        return part(UP, 0, rooms[0])

    def below(self, node: int, deal: Deal, reach: AnyArray, tables: Tables) -> AnyArray:
        """``float32[2, n]``: what the hands of both positions win below a node, where nobody learns.

        Args:
            reach: ``float32[2, n]``: the weights of their hands.
        """
        n = len(deal.group)
        room = self._room()  # its own: several threads may ask
        held = Held(self._none.copy(), reach[None], np.zeros((1, 2, n), np.float32), SUBTREE, 0.0)
        held.at[node] = 0
        room = room._replace(reach=room.reach[:, :, :n], value=room.value[:, :, :n])
        buckets = np.array(self.buckets, np.int64)
        pass_kernel(self.tree, self.offsets, buckets, deal, tables, held, node, room, self.unit, 1.0, 3)
        return np.asarray(held.value[0])

    def learned(self) -> None:
        """Count a pass, and fade what was learned before where it is time."""
        self.passes += 1
        if self.passes % _FADE == 0:
            fade(self.passes // _FADE, self.regrets, self.plan)

    def iterate(self, deals: Sequence[Deal]) -> None:
        """One iteration over all boards of a small game: one player learns after the other, against what stays as it
        was until all boards are done; discounts as in DCFR (the same paper, with 1.5, and 2 for the strategies)."""
        for learner in (0, 1):
            tables = Tables(self.regrets, self.plan, self.plan, self.regrets.copy())
            for deal in deals:
                self.go(deal, tables, fixed=8 >> learner)
        self.passes += 1
        kept = self.passes**1.5
        self.regrets *= np.where(self.regrets > 0, np.float32(kept / (kept + 1)), np.float32(0.5))
        self.plan *= np.float32((self.passes / (self.passes + 1)) ** 2)

    def rows(self, node: int) -> AnyArray:
        """``float32[buckets, actions]``: the shares of a decision's actions in the average strategy."""
        k, n = self.buckets[self.tree.street[node]], int(self.tree.n[node])
        begin = int(self.offsets[node])
        return shares(self.plan[begin : begin + k * n].reshape(k, n))


def fade(blocks: int, *tables: AnyArray) -> None:
    """Linear weights: what was learned in the first ``blocks`` blocks counts less."""
    for table in tables:
        table *= np.float32(blocks / (blocks + 1))


def shares(sums: AnyArray) -> AnyArray:
    """Rows as probabilities; even where a row is empty."""
    total = sums.sum(axis=1, keepdims=True)
    return np.where(total > 0, sums / np.where(total > 0, total, 1), 1 / sums.shape[1])


def as_played(chances: AnyArray) -> F32:
    """``float32[entries]``: a file's probabilities as they are played, not normalised, without what is rare."""
    return np.where(chances < 255 * RARE, np.float32(0), chances.astype(np.float32))


class Measured(msgspec.Struct, frozen=True):
    """How far a blueprint is from an equilibrium inside its abstraction, mbb/hand. It is measured as its file plays it.

    Boards that share a flop are alike, so an estimate is of the means by flop, and its ``n`` the number of flops.

    Attributes:
        value: what the big blind (position 0) wins.
        responses: what a response learned against the fixed blueprint wins from each position. It uses the same bets
            and buckets and was learned in so many passes: the best response wins at least about as much.
        exploitability: the mean of what the two win beyond the value.
        passes, boards: of learning, for each player, and of measuring.
    """

    value: Estimate
    responses: tuple[Estimate, Estimate]
    exploitability: Estimate
    passes: int
    boards: int


class BlueprintSolver(PassSolver):
    """Solves heads-up hold'em in an abstraction of cards and bets.

    Args:
        spec: a game for two, no-limit or limit, without antes. menu: its bets. buckets: its cards. seed: of the boards.
        jobs: threads. tremble: as :class:`PassSolver`. Without it nobody learns what follows an action that is not
            taken any more, and a player who does take it meets a strategy from the first passes.

    Raises:
        ConfigError: another game, or the abstraction is too large for a file.
    """

    def __init__(
        self,
        spec: GameSpec,
        menu: BetMenu,
        buckets: CardBuckets,
        seed: int = 1,
        jobs: int = 1,
        tremble: float = TREMBLE,
    ) -> None:
        self.spec, self.menu, self.cards, self.seed = spec, menu, buckets, seed
        #: Spent in :meth:`solve`, earlier runs included.
        self.seconds = 0.0
        tree = betting_tree(spec, menu)
        size = tree.offsets(buckets.counts)[1]
        most = SIZE_LIMITS["blueprint"] - _beside(tree, buckets)
        if size > most:
            raise ConfigError(
                f"the abstraction has {size:,} probabilities: expected at most {most:,}, which a file can hold; use "
                "fewer buckets or bets",
                key="menu",
            )
        super().__init__(tree, buckets.counts, 1326, 52, 1 / max(spec.blinds), jobs, tremble)
        self._flop: tuple[tuple[int, int], AnyArray] = ((-1, -1), np.zeros(0, np.int16))

    @property
    def nodes(self) -> int:
        """Decisions of the tree."""
        return int((self.tree.n > 0).sum())

    def arrays(self) -> dict[str, AnyArray]:
        """What a file of the blueprint holds: the cards, and the average strategy with eight bits a probability."""
        chances = np.zeros(self.entries, np.uint8)
        for node in np.flatnonzero(self.tree.kind == DECISION).tolist():
            rows = self.rows(node)
            begin = int(self.offsets[node])
            chances[begin : begin + rows.size] = np.rint(rows * 255).astype(np.uint8).ravel()
        return self.cards._asdict() | {"chances": chances}

    def deal(self, number: int, stream: int = _LEARN) -> Deal:
        """The board of a pass: the same number deals the same board."""
        flop = number // RUNOUTS
        cards = drawn(Rng(self.seed, 0, flop, 10 * stream), 3, ())
        board = (*cards, *drawn(Rng(self.seed, 0, number, 10 * stream + 1), 2, cards))
        if self._flop[0] != (flop, stream):
            self._flop = (flop, stream), self.cards.of(cards)
        return self.cards.deal(board, self._flop[1:])[0]

    def solve(self, passes: int, progress: Progress | None = None, enough: Callable[[], bool] | None = None) -> None:
        """Go on until there were ``passes`` passes in all, ``enough()``, or ``progress`` is cancelled."""
        progress = progress or NoProgress()
        began, before = time.monotonic(), self.seconds
        while self.passes < passes and not progress.cancelled and not (enough and enough()):
            self.go(self.deal(self.passes))
            self.learned()
            self.seconds = before + time.monotonic() - began
            progress.report(self.passes, passes, "boards")

    def measure(self, passes: int = 600, boards: int = 300, progress: Progress | None = None) -> Measured | None:
        """Learn a response of each player against the average strategy as a file of it plays, and measure both on fresh
        boards. Where ``progress`` is cancelled while they are measured, on the boards so far.

        Returns:
            None where nothing was learned or fewer than two flops were dealt.
        """
        progress = progress or NoProgress()
        total = 2 * passes + boards
        played = as_played(self.arrays()["chances"])
        answers = []
        for player in (0, 1):
            # It starts from the blueprint's regrets, counted as those of a few passes.
            regrets = self.regrets * np.float32(_FADE / max(self.passes, _FADE))
            plan = np.zeros_like(self.plan)
            tables = Tables(regrets, plan, played, regrets)
            for t in range(passes):
                if progress.cancelled:
                    return None
                self.go(self.deal(t, _RESPOND), tables, fixed=2 - player)
                if (t + 1) % _FADE == 0:
                    fade((t + 1) // _FADE, regrets, plan)
                progress.report(player * passes + t + 1, total, "boards")
            answers.append(self._joined(player, played, plan))
        found: list[list[float]] = []
        while len(found) < boards and not progress.cancelled:
            deal = self.deal(len(found), _MEASURE)
            found.append(
                [
                    1000 * self.go(deal, Tables(self.regrets, self.plan, plan, self.regrets), fixed=3)
                    for plan in (played, *answers)
                ]
            )
            progress.report(2 * passes + len(found), total, "boards")
        if not passes or len(found) <= RUNOUTS:
            return None
        flops = np.array([np.mean(found[t : t + RUNOUTS], axis=0) for t in range(0, len(found), RUNOUTS)])
        gains = (flops[:, 1] - flops[:, 0], flops[:, 0] - flops[:, 2])
        return Measured(
            Estimate.of(flops[:, 0]),
            (Estimate.of(flops[:, 1]), Estimate.of(-flops[:, 2])),
            Estimate.of((gains[0] + gains[1]) / 2),
            passes,
            len(found),
        )

    def _joined(self, player: int, played: F32, plan: AnyArray) -> AnyArray:
        """The blueprint with ``player``'s decisions of another plan, where that one has been."""
        out = played.copy()
        for node in np.flatnonzero((self.tree.kind == DECISION) & (self.tree.player == player)).tolist():
            k, n, begin = self.buckets[self.tree.street[node]], int(self.tree.n[node]), int(self.offsets[node])
            mine, theirs = (table[begin : begin + k * n].reshape(k, n) for table in (out, plan))
            been = theirs.sum(axis=1) > 0
            mine[been] = theirs[been]
        return out

    # kept between runs ----------------------------------------------------------------------------------------------

    def save(self, file: IO[bytes]) -> None:
        """Write the solver, to be continued by :meth:`load`."""
        np.savez(
            file, menu=_text(self._about), passes=self.passes, seconds=self.seconds,
            regrets=self.regrets, plan=self.plan, **self.cards._asdict(),
        )  # fmt: skip

    @property
    def _about(self) -> bytes:
        about = {"game": self.spec, "menu": self.menu, "seed": self.seed, "tremble": self.tremble}
        return msgspec.json.encode(about)

    def load(self, path: Path) -> None:
        """Continue from a file of :meth:`save` of the same game, bets, cards and seed.

        Raises:
            FileError: the file is not that.
        """
        with stored_work(path, self._about, self.cards) as stored:
            tables = [array_of(stored, name, self.plan.shape, np.float32, exact=True) for name in ("regrets", "plan")]
            passes, seconds = read_clock(stored)
        (self.regrets, self.plan), self.passes, self.seconds = tables, passes, seconds


@contextmanager
def stored_work(path: Path, about: bytes, cards: CardBuckets) -> Iterator[dict[str, AnyArray]]:
    """The arrays of a solver that was saved with the same ``about`` (game, bets, seed) and cards.

    Raises:
        FileError: it was another one, or the file is none; also where the block finds that by a ValueError, KeyError or
            TypeError.
    """
    stored = read_arrays(path, "blueprint in work", packed=False)
    try:
        if bytes(stored["menu"]) != about or not all(np.array_equal(stored[k], v) for k, v in cards._asdict().items()):
            raise ValueError
        yield stored
    except (ValueError, KeyError, TypeError):
        message = f"{path} is not a blueprint in work of this game, these bets and cards and this seed"
        raise FileError(f"{message}: expected a file of save()", path=path) from None


def read_clock(stored: dict[str, AnyArray], end: str = "") -> tuple[int, float]:
    """The passes and seconds of a solver that was saved, under names that may end in something.

    Raises:
        ValueError: they are none. KeyError: there are none.
    """
    passes = int(array_of(stored, f"passes{end}", (), np.int64, exact=True))
    seconds = float(array_of(stored, f"seconds{end}", (), np.float64))
    if passes < 0 or seconds < 0:
        raise ValueError
    return passes, seconds


def _text(data: bytes) -> AnyArray:
    return np.frombuffer(data, np.uint8)


def drawn(rng: Rng, n: int, without: tuple[int, ...]) -> tuple[int, ...]:
    """Cards drawn from those that are left."""
    cards: list[int] = []
    while len(cards) < n:
        card = int(rng.below(52))
        if card not in cards and card not in without:
            cards.append(card)
    return tuple(cards)


def _beside(tree: BettingTree, buckets: CardBuckets) -> int:
    """Bytes that a file takes beside the probabilities: centres, values of actions before the flop, a card."""
    opening = int(tree.n[(tree.kind == DECISION) & (tree.street == 0)].sum()) * (4 + 2 * 4 * CLASSES)
    return sum(array.nbytes for array in buckets) + opening + (1 << 20)


def second_street(tree: BettingTree) -> list[int]:
    """Where the second street begins, the largest subtrees first."""
    size = np.ones(len(tree.kind), np.int64)
    for node in range(len(tree.kind) - 1, -1, -1):
        size[node] += sum(int(size[child]) for child in tree.children(node))
    roots = [
        child
        for node in np.flatnonzero((tree.kind == DECISION) & (tree.street == 0)).tolist()
        for child in tree.children(node)
        if tree.kind[child] == DECISION and tree.street[child] == 1
    ]
    return sorted(roots, key=lambda root: -int(size[root]))


def _depth(tree: BettingTree) -> int:
    depth = np.ones(len(tree.kind), np.int64)
    for node in range(len(tree.kind)):
        if tree.n[node]:
            at = tree.first[node]
            depth[at : at + tree.n[node]] = depth[node] + 1
    return int(depth.max())
