"""The agent ``mcts``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from dupai.agents._mcts._layout import EFFECTIVE, ODDS, PLAY, POTENTIAL, RANDOM, STRENGTH, THOMPSON, UCB_TUNED, UCT
from dupai.agents._mcts._search import Found, Search, Settings
from dupai.agents._protocol import Advice, BaseAgent, MatchInfo
from dupai.agents._rates import blind
from dupai.base import ConfigError, Option, Rng, check_between, nearest
from dupai.cards import NO_CARD
from dupai.reading import BucketModel, BucketReader, Reading, legal_hands, load_reader
from dupai.rules import CALL, MAX_PLAYERS, Action, HandRecord, View
from dupai.spots import POT_WORDS, Menu

F64 = npt.NDArray[np.float64]

_SELECTION = {"uct": UCT, "ucb-tuned": UCB_TUNED, "thompson": THOMPSON}
_CUT_OFF = {"play": PLAY, "strength": STRENGTH, "potential": POTENTIAL, "effective": EFFECTIVE}
_PLAYOUT = {"random": RANDOM, "odds": ODDS}
_WORDS = ("fold", "call", "all-in", *POT_WORDS)


def abstraction(text: str) -> tuple[Menu | None, bool]:
    """The actions that a search tells apart, from words between slashes: the menu of raises (None: no raises), and
    whether folding is one of them.

    Raises:
        ConfigError: a word is none of them, or there is no call.
    """
    words = [w.strip() for w in text.split("/") if w.strip()]
    sizes = []
    for word in words:
        if word in POT_WORDS:
            sizes.append(POT_WORDS[word])
        elif word not in _WORDS:
            try:
                sizes.append(float(word))
            except ValueError:
                raise ConfigError(f"actions={text!r}: {word!r}: {nearest(word, _WORDS)}, or a number of pots") from None
            if not 0 < sizes[-1] < math.inf:
                raise ConfigError(f"actions={text!r}: a raise of {word} pots: expected more than 0")
    if "call" not in words:
        raise ConfigError(f"actions={text!r} has no call: expected one, as in fold/call/half/pot/all-in")
    all_in = "all-in" in words
    menu = Menu(tuple(sorted(set(sizes))), all_in=all_in) if sizes or all_in else None
    return menu, "fold" in words


class MctsAgent(BaseAgent):
    """Monte-Carlo tree search with an opponent model that learns while it plays.

    After Cao, Liu, "Computer Texas Hold'em based on Monte-Carlo Tree Search". The paper's own player is
    opponents=random,determinise=leaf,chance=cards,playout=random.
    """

    reproducible: ClassVar[bool] = True

    def __init__(
        self,
        simulations: Annotated[int, Option("simulations a decision", 1, 10**9)] = 10_000,
        ms: Annotated[
            float | None, Option("think so many milliseconds instead (then play is not reproducible)", None, 10**7)
        ] = None,
        c: Annotated[float, Option("C of the rule, in pots (as after a call)", 0.0)] = 2.0,
        selection: Annotated[Literal["uct", "ucb-tuned", "thompson"], Option("rule at our own nodes")] = "ucb-tuned",
        opponents: Annotated[
            Literal["random", "model"], Option("opponents' actions: any (as in the paper), or drawn from the model")
        ] = "model",
        determinise: Annotated[
            Literal["root", "leaf"], Option("opponents' hands are drawn with every simulation, or at showdowns (paper)")
        ] = "root",
        reader: Annotated[str, Option("who reads opponents' hands: a reader by name, as bucket, uniform")] = "bucket",
        window: Annotated[int, Option("hands of an opponent that the model remembers", 1)] = 1000,
        actions: Annotated[
            str, Option("no-limit: fold, call, all-in, sizes as half, pot or 0.75, between slashes")
        ] = "fold/call/half/pot/all-in",
        chance: Annotated[
            Literal["rates", "cards"], Option("children of chance nodes: classes of our win rate, or every cards")
        ] = "rates",
        classes: Annotated[int, Option("classes of our win rate at chance nodes", 1, 1000)] = 10,
        widening: Annotated[float, Option("children of a chance node: visits to this power", 0.0, 1.0)] = 0.5,
        expand: Annotated[int, Option("visits of a node for each further action it tries", 1)] = 1,
        playout: Annotated[
            Literal["random", "odds"], Option("how our side plays beyond the tree: at random, or by pot odds")
        ] = "odds",
        leaf: Annotated[
            Literal["play", "strength", "potential", "effective"],
            Option("beyond the tree the hand is played out, or judged by Billings's hand strength, potential or both"),
        ] = "play",
        memory: Annotated[float, Option("most memory of the tree in MiB", 0.001, 65536.0)] = 64.0,
        reuse: Annotated[bool, Option("whether the tree is kept between decisions of a hand")] = True,
        stop: Annotated[
            Literal["never", "sure"],
            Option("early: never, or once the simulations left cannot change the most visited action"),
        ] = "never",
        choose: Annotated[
            Literal["auto", "visits", "bound"],
            Option("the most visited action, or that of the largest mean less its error; auto: no-limit the latter"),
        ] = "auto",
    ) -> None:
        if ms is not None and not 0 < ms < math.inf:
            raise ConfigError(f"ms={ms:g}: expected a time above 0")
        if ms is not None and stop == "sure":
            raise ConfigError("stop=sure needs a number of simulations: with ms= nobody knows how many are left")
        if opponents == "model" and determinise == "leaf":
            raise ConfigError("opponents=model needs determinise=root: what an opponent does depends on what it holds")
        check_between("simulations", simulations, 1, None)
        menu, can_fold = abstraction(actions)
        self._simulations = None if ms is not None else simulations
        self._ms = ms
        if ms is not None:
            self.reproducible = False  # type: ignore[misc]
        self._reuse = reuse
        sizes = () if menu is None else (*menu.sizes, *((math.inf,) if menu.all_in else ()))
        self._settings = Settings(
            _SELECTION[selection],
            c,
            opponents == "model",
            determinise == "leaf",
            chance == "cards",
            _PLAYOUT[playout],
            _CUT_OFF[leaf],
            expand,
            widening,
            classes,
            sizes,
            can_fold,
            memory,
        )
        self._until_sure = stop == "sure"
        self._choose = choose
        # Jointly consistent readings would take the shared cards into account twice: hands are drawn to fit.
        self._reader = BucketReader(window=window, joint=False) if reader == "bucket" else load_reader(reader)
        self._model = self._reader.model if isinstance(self._reader, BucketReader) else BucketModel(window)
        if not self._own_model or reader == "uniform":
            # Only then is the agent Saveable: what other readers learn is not in the model.
            self.save, self.load = self._model.save, self._model.load
        self._search: Search | None = None

    def start(self, match: MatchInfo) -> None:
        names = {seat: name for seat, name in enumerate(match.names) if seat != match.seat}
        self._reader.meet(names)
        if self._own_model:
            self._model.meet(names)
        self._searching.forget()

    @property
    def _own_model(self) -> bool:
        """Whether the model of what opponents do is not that of the reader."""
        return not isinstance(self._reader, BucketReader)

    @property
    def _searching(self) -> Search:
        if self._search is None:
            self._search = Search(self._settings)
        return self._search

    def observe(self, record: HandRecord) -> None:
        self._reader.observe(record)
        if self._own_model and self._settings.modelled:
            self._model.observe(record)
        self._searching.forget()

    def close(self) -> None:
        self._search = None

    # deciding --------------------------------------------------------------------------------------------------------

    def readings(self, view: View) -> Mapping[int, Reading]:
        """What the reader thinks of every live opponent, by seat."""
        return self._reader.read(view)

    def find(self, view: View, rng: Rng, readings: Mapping[int, Reading] | None = None) -> Found:
        """Search from ``view``, whose viewer must be to act.

        Raises:
            AgentError: the view does not show the actor's own cards.
        """
        if view.actor < 0 or view.position != view.actor or NO_CARD in view.hole:
            raise blind(view)
        search = self._searching
        if not self._reuse:
            search.forget()
        read = self.readings(view) if readings is None else readings
        held = {}
        for seat, reading in read.items():
            position = view.seats.index(seat)
            weights = np.where(legal_hands(view, position), reading.p, 0.0)
            held[position] = weights if weights.sum() > 0 else legal_hands(view, position).astype(np.float64)
        tables = np.zeros((MAX_PLAYERS, *self._model.table(view.seats[0]).shape))
        raises = np.zeros((MAX_PLAYERS, *self._model.sizes(view.seats[0]).shape))
        if self._settings.modelled:
            for position, seat in enumerate(view.seats):
                tables[position] = self._model.table(seat)
                raises[position] = self._model.sizes(seat)
        plan = search.prepare(view, held, tables, raises, self._model.hand_buckets(()))
        return search.run(view, plan, rng, self._simulations, self._ms, self._until_sure and self._by_visits(view))

    def act(self, view: View, rng: Rng) -> Action:
        legal = view.legal
        if not legal.fold and not legal.can_raise and view.actor >= 0:
            return Action(CALL)
        found = self.find(view, rng)
        return found.actions[self._best(found, view)]

    def _by_visits(self, view: View) -> bool:
        """Whether the most visited action is chosen. How often an action is tried depends on how much its results
        scatter: alike in limit games, but where bets have sizes an all-in scatters most and is tried most."""
        return self._choose == "visits" or (self._choose == "auto" and view.spec.betting == "limit")

    def _best(self, found: Found, view: View) -> int:
        """The most visited action (of equals the one that is worth more); or the one whose mean less its standard error
        is largest, as if one more result a pot off the mean had been seen."""
        values, n = found.values[:, view.actor], found.visits
        if self._by_visits(view):
            return max(range(n.size), key=lambda i: (int(n[i]), float(values[i])))
        pot = max(view.pot + view.legal.to_call, 2 * view.spec.big_blind) / max(view.spec.big_blind, 1)
        return int(np.argmax(values - np.sqrt((found.errors**2 * n**2 + pot**2) / (n * (n + 1.0)))))

    def advise(self, view: View, rng: Rng) -> Advice:
        """The search's visits and values (chips won from here on: folding is 0), and the opponents' readings."""
        readings = self.readings(view)
        found = self.find(view, rng, readings)
        best = self._best(found, view)
        paid = view.contributions[view.actor] + view.antes[view.actor]
        blind_ = max(view.spec.big_blind, 1)
        values = found.values[:, view.actor] * blind_ + paid
        how = "most visited" if self._by_visits(view) else "largest mean less its error"
        reasons = [
            f"{how} of {found.simulations:,} simulations"
            + (f", {found.kept:,} kept from before" if found.kept else "")
            + f" in a tree of {found.nodes:,} nodes",
            f"worth {values[best] / blind_:+.2f} ± {1.96 * found.errors[best]:.2f} big blinds from here on (95 %)",
        ]
        reasons += [f"hands of seat {seat} that the model knows: {self._model.hands(seat):,}" for seat in readings]
        return Advice(
            actions=found.actions,
            probabilities=tuple(float(i == best) for i in range(len(found.actions))),
            values=tuple(values.tolist()),
            visits=tuple(found.visits.tolist()),
            reasons=tuple(reasons),
            numbers={
                "simulations": float(found.simulations),
                "kept": float(found.kept),
                "nodes": float(found.nodes),
                "big_blinds": float(values[best] / blind_),
            },
            readings=dict(readings),
        )
