"""Regret minimisation and best responses by walking through the game again and again: slow and obvious."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from dupai.games import CHANCE, OVER, Game


class NaiveCfr:
    """Discounted regret minimisation, alternating updates, history by history."""

    def __init__(
        self, game: Game[Any], alpha: float, beta: float, gamma: float, plus: bool = False, predictive: bool = False
    ) -> None:
        """``alpha`` of inf: positive regrets stay; ``beta`` of inf: negative ones do."""
        self.game, self.alpha, self.beta, self.gamma = game, alpha, beta, gamma
        self.plus, self.predictive = plus, predictive
        self.regret: dict[Any, list[float]] = {}
        self.sum: dict[Any, list[float]] = {}
        self.now: dict[Any, list[float]] = {}
        self.t = 0

    def strategy(self, key: Any, n: int) -> list[float]:
        seen = self.regret.get(key, [0.0] * n)
        if self.predictive:
            seen = [r + g for r, g in zip(seen, self.now.get(key, [0.0] * n), strict=True)]
        good = [max(r, 0.0) for r in seen]
        return [g / sum(good) for g in good] if sum(good) > 0 else [1 / n] * n

    def iterate(self) -> None:
        self.t += 1
        for player in range(self.game.players):
            gained: dict[Any, list[float]] = {}
            self.walk(self.game.root(), player, [1.0] * (self.game.players + 1), gained)
            for key, now in gained.items():
                old = self.regret.get(key, [0.0] * len(now))
                new = [a + b for a, b in zip(old, now, strict=True)]
                self.regret[key] = [self.factor(r) * (max(r, 0.0) if self.plus else r) for r in new]
                self.now[key] = now

    def factor(self, r: float) -> float:
        power = self.alpha if r > 0 else self.beta
        return 1.0 if power == float("inf") else self.t**power / (self.t**power + 1)

    def walk(self, state: Any, player: int, reach: list[float], gained: dict[Any, list[float]]) -> tuple[float, ...]:
        game = self.game
        who = game.actor(state)
        if who == OVER:
            return game.payoffs(state)
        actions = game.actions(state)
        key = None if who == CHANCE else (who, game.information(state, who))
        probs = game.chances(state) if who == CHANCE else self.strategy(key, len(actions))
        place = game.players if who == CHANCE else who
        values = []
        for action, p in zip(actions, probs, strict=True):
            after = [r * p if i == place else r for i, r in enumerate(reach)]
            values.append(self.walk(game.child(state, action), player, after, gained))
        mean = tuple(sum(p * v[i] for p, v in zip(probs, values, strict=True)) for i in range(game.players))
        if who == player:
            outside = 1.0
            for i, r in enumerate(reach):
                outside *= 1.0 if i == who else r
            mine = gained.setdefault(key, [0.0] * len(actions))
            total = self.sum.setdefault(key, [0.0] * len(actions))
            for a, p in enumerate(probs):
                mine[a] += outside * (values[a][who] - mean[who])
                total[a] += self.t**self.gamma * reach[who] * p
        return mean

    def policy(self, player: int) -> Any:
        def of(information: Any, actions: Sequence[int]) -> list[float]:
            total = self.sum.get((player, information), [0.0])
            return [x / sum(total) for x in total] if sum(total) > 0 else [1 / len(actions)] * len(actions)

        return of


def naive_best_response(game: Game[Any], policies: Sequence[Any], player: int) -> float:
    """What ``player`` can win against the others: all states of an information set choose together."""
    where: dict[Any, list[tuple[Any, float]]] = defaultdict(list)

    def place(state: Any, outside: float) -> None:
        who = game.actor(state)
        if who == OVER:
            return
        probs: Sequence[float] = [1.0] * len(game.actions(state))
        if who == player:
            where[game.information(state, player)].append((state, outside))
        elif who == CHANCE:
            probs = game.chances(state)
        else:
            probs = policies[who](game.information(state, who), game.actions(state))
        for action, p in zip(game.actions(state), probs, strict=True):
            place(game.child(state, action), outside * p)

    place(game.root(), 1.0)
    chosen: dict[Any, int] = {}

    def choice(information: Any) -> int:
        if information not in chosen:
            states = where[information]
            worth = {a: sum(w * value(game.child(s, a)) for s, w in states) for a in game.actions(states[0][0])}
            chosen[information] = max(worth, key=lambda a: worth[a])
        return chosen[information]

    def value(state: Any) -> float:
        who = game.actor(state)
        if who == OVER:
            return game.payoffs(state)[player]
        if who == player:
            return value(game.child(state, choice(game.information(state, player))))
        known = () if who == CHANCE else (game.information(state, who), game.actions(state))
        probs = game.chances(state) if who == CHANCE else policies[who](*known)
        return sum(p * value(game.child(state, a)) for a, p in zip(game.actions(state), probs, strict=True) if p)

    return value(game.root())
