"""Spots that are solved for browsers: one at a time in a thread, the others wait; looked into when they are done."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, DupaiError, NoProgress, RulesError
from dupai.base.arrays import F32, F64
from dupai.cards import card_text
from dupai.cfr import Lock, SolveSpot, SpotNode, SpotSolver, load_solution, save_solution, solver_from
from dupai.notation import Reason
from dupai.web import _messages as m
from dupai.web._http import Gone, public_line

#: Solutions kept at a time, seconds that one may take, bytes that one may need.
MAX_SOLVES, MAX_SECONDS, MAX_BYTES = 8, 300.0, 1_500_000_000
#: Locks of one spot.
MAX_LOCKS = 20


class _Stop(NoProgress):
    """Stops a solver when told so, or when its time is over."""

    def __init__(self) -> None:
        self.asked = False
        self.end = time.monotonic() + MAX_SECONDS

    @property
    def cancelled(self) -> bool:
        return self.asked or time.monotonic() > self.end


class Solve:
    """A spot in work or solved."""

    def __init__(self, id: str, target: float, most: int) -> None:
        self.id, self.target, self.most = id, target, most
        self.solver: SpotSolver | None = None
        #: Both players' EV; worked out once, since a node that is looked at uses the solver's memory.
        self.evs: tuple[float, float] | None = None
        self.state = "waiting"
        self.error: str | None = None
        self.stop = _Stop()
        self.task: asyncio.Task[None] | None = None

    def status(self) -> m.SolveStatus:
        """As it stands."""
        solver = self.solver
        curve = [] if solver is None else list(solver.curve)
        pot = 1 if solver is None else solver.spot.pot
        points = tuple(m.SolvePoint(c.iterations, c.seconds, 100 * c.exploitability / pot) for c in curve)
        seconds = points[-1].seconds if points else 0.0
        return m.SolveStatus(self.id, self.state, seconds, self.target, points, self.evs, self.error)  # type: ignore[arg-type]

    @property
    def ready(self) -> bool:
        """Whether it can be looked into."""
        return self.state in ("done", "stopped") and self.solver is not None and bool(self.solver.curve)


class Solves:
    """All solves of a server."""

    def __init__(self) -> None:
        self._solves: OrderedDict[str, Solve] = OrderedDict()
        self._one = asyncio.Lock()
        self._look = asyncio.Lock()

    def find(self, id: str) -> Solve:
        """One by its id.

        Raises:
            Gone: there is none (old ones are forgotten).
        """
        if id not in self._solves:
            raise Gone("there is no such solution (old ones are forgotten when others need the room)")
        self._solves.move_to_end(id)
        return self._solves[id]

    def start(self, asked: m.SolveRequest) -> Solve:
        """Begin to solve a spot.

        Raises:
            ConfigError, NotationError: it makes no sense.
            RulesError: too many wait, or ``again`` is not solved yet.
            Gone: the solution ``again`` is forgotten.
        """
        if not 0.01 <= asked.target <= 100 or not 1 <= asked.max_iterations <= 10_000:
            raise ConfigError(
                "target, max_iterations: expected 0.01 to 100 % of the pot, and 1 to 10000 iterations", key="target"
            )
        if any(len(text) > 20_000 for text in (asked.oop, asked.ip, asked.bet, asked.raise_)):
            raise ConfigError("a range or a list of sizes is too long", key="oop")
        if len(asked.locks) > MAX_LOCKS:
            raise ConfigError(f"locks: {len(asked.locks)} given, expected at most {MAX_LOCKS}", key="locks")
        for lock in asked.locks:
            if not any(share > 0 for share in lock.strategy.values()):
                raise ConfigError(f"lock at {lock.path!r}: expected a share above 0 of an action", key="locks")
        locks = tuple(Lock.from_dict({"path": lock.path, "strategy": lock.strategy}) for lock in asked.locks)
        if asked.again is None:
            make = partial(SpotSolver, _spot_of(asked), locks=locks, memory=MAX_BYTES)
        elif asked.start is not None:
            make = partial(_from_node, self._ready(self.find(asked.again)), asked.start)
        else:
            solver = self._ready(self.find(asked.again))
            taken = {lock.path for lock in locks}
            locks += tuple(lock for lock in solver.locks if _shown(lock) is None and lock.path not in taken)
            make = partial(SpotSolver, solver.spot, locks=locks, memory=MAX_BYTES, start=solver.start)
        solve = self._new(asked.target, asked.max_iterations)
        solve.task = asyncio.create_task(self._run(solve, make))
        return solve

    def _new(self, target: float, most: int) -> Solve:
        working = [s for s in self._solves.values() if s.state in ("waiting", "running")]
        if len(working) >= MAX_SOLVES:
            raise RulesError(f"{len(working)} spots are being solved or wait: try again later")
        while len(self._solves) >= MAX_SOLVES:
            old = next(id for id, s in self._solves.items() if s.state not in ("waiting", "running"))
            dropped = self._solves.pop(old)
            if dropped.solver is not None:
                dropped.solver.close()
        solve = Solve(secrets.token_urlsafe(9), target, most)
        self._solves[solve.id] = solve
        return solve

    async def _run(self, solve: Solve, make: Callable[[], SpotSolver]) -> None:
        async with self._one:
            if solve.stop.asked:
                solve.state = "stopped"
                return
            solve.state = "running"
            solve.stop.end = time.monotonic() + MAX_SECONDS
            try:
                async with self._look:
                    solve.solver = await asyncio.to_thread(make)
                reached = await asyncio.to_thread(self._work, solve, solve.solver)
                solve.state = "done" if reached else "stopped"
            except DupaiError as error:
                solve.state, solve.error = "failed", public_line(str(error), 300)
            except Exception as error:  # noqa: BLE001 - a spot that fails must not stop the others
                solve.state, solve.error = "failed", public_line(f"{type(error).__name__}: {error}", 300)

    @staticmethod
    def _work(solve: Solve, solver: SpotSolver) -> bool:
        reached = bool(solver.run(solve.target / 100, max_iterations=solve.most, progress=solve.stop))
        solve.evs = _evs(solver)
        return reached

    def stop(self, solve: Solve) -> None:
        """Stop it; what it has is kept."""
        solve.stop.asked = True
        if solve.state == "waiting":
            solve.state = "stopped"

    async def close(self) -> None:
        """Stop all."""
        for solve in self._solves.values():
            solve.stop.asked = True
        await asyncio.gather(*(s.task for s in self._solves.values() if s.task is not None), return_exceptions=True)

    def form(self, solve: Solve) -> m.SolveForm:
        """Its spot as the page's form shows it.

        Raises:
            RulesError: it is not set up yet.
        """
        solver = solve.solver
        if solver is None:
            raise RulesError(f"the spot is {solve.state}: nothing is set up yet")
        spot = solver.spot
        plain = spot.to_dict()
        first = next(iter(plain["sizes"].values()))["oop"]
        shown = [_shown(lock) for lock in solver.locks]
        form = m.SolveForm(
            board=plain["board"], oop=plain["oop"], ip=plain["ip"], pot=spot.pot, stack=spot.stack, bet=first["bet"],
            raise_=first["raise"], locks=tuple(lock for lock in shown if lock is not None), whole=False,
        )  # fmt: skip
        return msgspec.structs.replace(
            form, whole=None not in shown and solver.start is None and _spot_of(form) == spot
        )

    async def node(self, solve: Solve, path: str) -> m.SolveNode:
        """One node of a solved spot.

        Raises:
            RulesError: it is not solved yet.
            ConfigError, NotationError: there is no such path.
        """
        async with self._look:
            return await asyncio.to_thread(_node, self._ready(solve), path)

    async def runouts(self, solve: Solve, path: str) -> m.Runouts:
        """What follows each card that can come after a node: both players' EV, and how often each action is taken.

        Raises:
            RulesError: it is not solved yet.
            ConfigError: no card comes there.
        """
        async with self._look:
            return await asyncio.to_thread(_runouts, self._ready(solve), path)

    async def file(self, solve: Solve) -> bytes:
        """The file of ``dupai solve --save``.

        Raises:
            RulesError: it is not solved yet.
        """
        solver = self._ready(solve)

        def save() -> bytes:
            with tempfile.TemporaryDirectory(prefix="dupai-web-") as folder:
                place = Path(folder) / "spot.solve"
                save_solution(solver, place)
                return place.read_bytes()

        async with self._look:
            return await asyncio.to_thread(save)

    async def open(self, data: bytes) -> Solve:
        """A solution from its file.

        Raises:
            FileError: it is none.
        """

        def load() -> tuple[SpotSolver, tuple[float, float] | None]:
            with tempfile.TemporaryDirectory(prefix="dupai-web-") as folder:
                # The name is ours: nothing of the upload becomes a path.
                place = Path(folder) / "spot.solve"
                place.write_bytes(data)
                solver = load_solution(place)
                return solver, _evs(solver)

        async with self._look:
            solver, evs = await asyncio.to_thread(load)
        solve = self._new(0.0, 0)
        solve.solver, solve.evs, solve.state = solver, evs, "done"
        return solve

    @staticmethod
    def _ready(solve: Solve) -> SpotSolver:
        if not solve.ready or solve.solver is None:
            if solve.state == "stopped":
                raise RulesError("the spot was stopped before its first check: there is nothing to look at")
            raise RulesError(f"the spot is {solve.state}: nodes can be looked at when it is solved or stopped")
        return solve.solver


def _spot_of(asked: m.SolveRequest | m.SolveForm) -> SolveSpot:
    """The spot of a form.

    Raises:
        ConfigError, NotationError: it makes no sense.
    """
    return SolveSpot.from_dict(
        {"board": asked.board, "oop": asked.oop, "ip": asked.ip, "pot": asked.pot, "stack": asked.stack,
         "sizes": {"bet": asked.bet, "raise": asked.raise_}}
    )  # fmt: skip


def _from_node(solver: SpotSolver, path: str) -> SpotSolver:
    return solver_from(SpotNode(solver, path), memory=MAX_BYTES)[0]


def _shown(lock: Lock) -> m.SolveLock | None:
    """A lock as the form shows it; None where it has bounds, or frequencies by hand."""
    shares = lock.strategy or {}
    if not shares or not all(isinstance(share, int | float) for share in shares.values()):
        return None
    return m.SolveLock(lock.path, {action: float(share) for action, share in shares.items()})


def _evs(solver: SpotSolver) -> tuple[float, float] | None:
    """Both players' EV; None before the first check of the exploitability."""
    if not solver.curve:
        return None
    oop, ip = solver.evs()
    return float(oop), float(ip)


def _node(solver: SpotSolver, path: str) -> m.SolveNode:
    node = SpotNode(solver, path)
    prefix = f"{path}/" if path else ""
    if node.kind == "card":
        cards = [card_text(c) for c in range(52) if c not in node.board]
        actions = tuple(m.SolveAction(text, prefix + text, "card") for text in cards)
    else:
        actions = _actions(node, prefix)
    return m.SolveNode(
        path=path, kind=node.kind, board=tuple(card_text(c) for c in node.board), player=node.player,
        pot=float(node.pot), reached=node.reached, solved=node.solved, trail=_trail(solver, path), actions=actions,
        strategy=tuple(_numbers(row) for row in node.strategy),
        ev=tuple(map(_numbers, node.ev)), equity=tuple(map(_numbers, node.equity)),
        reach=tuple(tuple(np.round(w, 5).tolist()) for w in node.weights),
    )  # fmt: skip


def _actions(node: SpotNode, prefix: str) -> tuple[m.SolveAction, ...]:
    """The actions of a node where a player acts."""
    return tuple(
        m.SolveAction(str(a), prefix + str(a), _KINDS.get(a.kind, a.kind), _about(a), _number(p))
        for a, p in zip(node.actions, node.frequencies(), strict=True)
    )


#: Kinds of actions by the names that the solver has for them.
_KINDS: dict[str, Any] = {"allin": "all-in"}


def _about(action: Any) -> Reason:
    """An action of the solver; its calls name no chips."""
    if action.kind == "call":
        return Reason("choice.call_bet")
    kind = {"allin": "all_in"}.get(action.kind, action.kind)
    return Reason(f"choice.{kind}", {"to": action.amount} if action.amount else {})


def _trail(solver: SpotSolver, path: str) -> tuple[m.SolveAction, ...]:
    """The actions and cards that lead to a node."""
    trail: list[m.SolveAction] = []
    for text in path.split("/") if path else ():
        before = trail[-1].path if trail else ""
        node = SpotNode(solver, before)
        here = f"{before}/{text}" if before else text
        if node.kind == "card":
            trail.append(m.SolveAction(text, here, "card"))
        else:
            # A path may also spell an action as a share of the pot.
            spelt = m.SolveAction(text, here, "bet", Reason("text", text=text))
            actions = _actions(node, f"{before}/" if before else "")
            trail.append(next((one for one in actions if one.path == here), spelt))
    return tuple(trail)


def _number(x: Any) -> float | None:
    return round(float(x), 5) if np.isfinite(x) else None


def _numbers(row: F64 | F32) -> tuple[float | None, ...]:
    return tuple(None if x != x else x for x in np.round(row.astype(np.float64), 5).tolist())


def _runouts(solver: SpotSolver, path: str) -> m.Runouts:
    node = SpotNode(solver, path)
    if node.kind != "card":
        raise ConfigError(f"path {path!r}: no card comes there (it is a node of kind {node.kind})", key="path")
    actions: tuple[m.SolveAction, ...] = ()
    cards = []
    for card in range(52):
        if card in node.board:
            continue
        after = SpotNode(solver, f"{path}/{card_text(card)}" if path else card_text(card))
        actions = _actions(after, "")
        oop, ip = (_number(after.mean(after.ev, p)) for p in range(2))
        cards.append(m.Runout(card_text(card), (oop, ip), tuple(action.p for action in actions)))
    return m.Runouts(actions, tuple(cards))
