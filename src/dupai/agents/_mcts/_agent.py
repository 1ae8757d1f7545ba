"""The agent ``mcts``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np

from dupai.agents._capabilities import Capabilities, class_capabilities
from dupai.agents._mcts import _layout as layout
from dupai.agents._mcts._search import Outcome, Search
from dupai.agents._protocol import Advice, BaseAgent, MatchInfo
from dupai.agents._rates import blind
from dupai.base import Z95, ConfigError, Option, Rng
from dupai.base.specs import checked_options
from dupai.base.text import nearest
from dupai.cards import NO_CARD
from dupai.notation import Reason
from dupai.reading import Reading, legal_hands, load_reader, readings_to_draw
from dupai.reading.bucket import BucketModel, BucketReader
from dupai.rules import CALL, MAX_PLAYERS, Action, HandRecord, View
from dupai.spots import POT_WORDS, Menu

_LEAVES = ("play", "strength", "potential", "effective")
_CUT_OFF = dict(zip(_LEAVES, (layout.PLAY, layout.STRENGTH, layout.POTENTIAL, layout.EFFECTIVE), strict=True))
_PLAYOUT = {"random": layout.RANDOM, "odds": layout.ODDS}
_WORDS = ("fold", "call", "all-in", *POT_WORDS)


def abstraction(text: str) -> tuple[Menu | None, bool]:
    """The actions that a search distinguishes, from words between slashes: the menu of raises (None: no raises), and
    whether folding is one of them.

    Raises:
        ConfigError: a word is unknown, or there is no call.
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
                hint = f"{nearest(word, _WORDS)}, or a number of pots"
                raise ConfigError(f"actions={text!r}: {word!r}: {hint}", key="actions", text=text) from None
            if not 0 < sizes[-1] < math.inf:
                raise ConfigError(f"actions={text!r}: a raise of {word} pots: expected more than 0", key="actions")
    if "call" not in words:
        raise ConfigError(
            f"actions={text!r} has no call: expected one, as in fold/call/half/pot/all-in", key="actions", text=text
        )
    all_in = "all-in" in words
    menu = Menu(tuple(sorted(set(sizes))), all_in=all_in) if sizes or all_in else None
    return menu, "fold" in words


class MctsOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the agent ``mcts``."""

    simulations: Annotated[int, Option("simulations a decision", 1, 10**9)] = 10_000
    ms: Annotated[
        float | None, Option("think so many milliseconds instead (then play is not reproducible)", None, 10**7)
    ] = None
    c: Annotated[float, Option("C of the rule, in pots (as after a call)", 0.0, hidden=True)] = 2.0
    selection: Annotated[Literal["uct", "ucb-tuned", "thompson"], Option("rule at our own nodes")] = "ucb-tuned"
    opponents: Annotated[
        Literal["random", "model"],
        Option("opponents' actions: any (as in the paper), or drawn from the model", hidden=True),
    ] = "model"
    determinise: Annotated[
        Literal["root", "leaf"],
        Option("opponents' hands are drawn with every simulation, or at showdowns (as in the paper)", hidden=True),
    ] = "root"
    reader: Annotated[str, Option("what reads opponents' hands: a reader by name, as bucket, uniform")] = "bucket"
    window: Annotated[int, Option("hands of an opponent that the model remembers", 1, hidden=True)] = 1000
    actions: Annotated[str, Option("no-limit: fold, call, all-in, sizes as half, pot or 0.75, between slashes")] = (
        "fold/call/half/pot/all-in"
    )
    chance: Annotated[
        Literal["rates", "cards"],
        Option("children of chance nodes: classes of our win rate, or all cards (as in the paper)", hidden=True),
    ] = "rates"
    classes: Annotated[int, Option("classes of our win rate at chance nodes", 1, 1000, hidden=True)] = 10
    widening: Annotated[float, Option("children of a chance node: visits to this power", 0.0, 1.0, hidden=True)] = 0.5
    backup: Annotated[
        Literal["visits", "children"],
        Option("a node's value: mean over its visits, or plain mean of its children (the paper's words)", hidden=True),
    ] = "visits"
    expand: Annotated[int, Option("visits of a node for each further action it tries", 1, hidden=True)] = 1
    playout: Annotated[
        Literal["random", "odds"],
        Option("our play beyond the tree: at random (the paper adds a few unnamed rules), or by pot odds", hidden=True),
    ] = "odds"
    leaf: Annotated[
        Literal["play", "strength", "potential", "effective"],
        Option("beyond the tree the hand is played out, or judged by Billings's hand strength, potential or both"),
    ] = "play"
    memory: Annotated[float, Option("most memory of the tree in MiB", 0.001, 65536.0)] = 64.0
    reuse: Annotated[bool, Option("whether the tree is kept between decisions of a hand", hidden=True)] = True
    stop: Annotated[
        Literal["never", "sure"],
        Option("early: never, or once the simulations left cannot change the most visited action"),
    ] = "never"
    choose: Annotated[
        Literal["auto", "visits", "bound"],
        Option(
            "the most visited action, or that of the largest mean less its error; auto: no-limit the latter",
            hidden=True,
        ),
    ] = "auto"

    def settings(self) -> layout.Settings:
        """The settings of the search.

        Raises:
            ConfigError: options that make no sense, or not together.
        """
        checked_options(self)
        if self.ms is not None and not 0 < self.ms < math.inf:
            raise ConfigError(f"ms={self.ms:g}: expected a time above 0", key="ms")
        if self.ms is not None and self.stop == "sure":
            raise ConfigError(
                "stop=sure needs a number of simulations: with ms= it is unknown how many are left", key="stop"
            )
        if self.opponents == "model" and self.determinise == "leaf":
            raise ConfigError(
                "opponents=model needs determinise=root: an opponent's action depends on their hand", key="determinise"
            )
        menu, can_fold = abstraction(self.actions)
        count = 2 + (0 if menu is None else len(menu.sizes) + menu.all_in)
        if count > layout.MAX_ACTIONS:
            raise ConfigError(
                f"actions: {count} with fold and call, expected at most {layout.MAX_ACTIONS}", key="actions"
            )
        return layout.Settings(
            selection=layout.SELECTIONS[self.selection],
            c=float(self.c),
            modelled=self.opponents == "model",
            at_leaf=self.determinise == "leaf",
            exact_cards=self.chance == "cards",
            playout=_PLAYOUT[self.playout],
            cut_off=_CUT_OFF[self.leaf],
            window=self.expand,
            widening=float(self.widening),
            classes=self.classes,
            sizes=() if menu is None else (*menu.sizes, *((math.inf,) if menu.all_in else ())),
            can_fold=can_fold,
            megabytes=self.memory,
            plain=self.backup == "children",
        )


class MctsAgent(BaseAgent):
    """Monte-Carlo tree search with an opponent model that learns while it plays.

    After Cao, Liu, "Computer Texas Hold'em based on Monte-Carlo Tree Search"; the preset ``paper`` is the paper's own
    player.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "paper": {
            "opponents": "random",
            "determinise": "leaf",
            "chance": "cards",
            "playout": "random",
            "selection": "uct",
            "c": 1.0,
        }
    }
    Options = MctsOptions

    def __init__(self, **options: Any) -> None:
        o = self.options = MctsOptions(**options)
        self._settings = o.settings()
        # The default reader is fast: cards of folded players do not count.
        self._reader = BucketReader(window=o.window, joint=False) if o.reader == "bucket" else load_reader(o.reader)
        self._own_model = not isinstance(self._reader, BucketReader)
        self._model = self._reader.model if isinstance(self._reader, BucketReader) else BucketModel(o.window)
        self._search: Search | None = None

    def capabilities(self) -> Capabilities:
        """It can be saved where all that it learns is in its model: what other readers learn is not."""
        saves = not self._own_model or self.options.reader == "uniform"
        return msgspec.structs.replace(class_capabilities(self), saves=saves)

    def save(self) -> bytes:
        """What its model has learned."""
        return self._model.save()

    def load(self, data: bytes) -> None:
        """Continue from what :meth:`save` returned.

        Raises:
            ConfigError: the data are not of such a model.
        """
        self._model.load(data)

    def start(self, match: MatchInfo) -> None:
        names = {seat: name for seat, name in enumerate(match.names) if seat != match.seat}
        self._reader.meet(names)
        if self._own_model:
            self._model.meet(names)
        self._searching.forget()
        if match.seconds_per_action is not None:
            # Else the first decision builds it: without a clock it may.
            self._searching.table()

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
        """The reading of every live opponent, by seat; hands are drawn from them to fit each other."""
        return readings_to_draw(self._reader, view)

    def find(self, view: View, rng: Rng, readings: Mapping[int, Reading] | None = None) -> Outcome:
        """Search from ``view``, whose viewer must be to act.

        Raises:
            AgentError: the view does not show the actor's own cards.
        """
        if view.actor < 0 or view.position != view.actor or NO_CARD in view.hole:
            raise blind(view)
        search, o = self._searching, self.options
        if not o.reuse:
            search.forget()
        held = {}
        for seat, reading in (self.readings(view) if readings is None else readings).items():
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
        until_sure = o.stop == "sure" and self._by_visits(view)
        return search.run(view, plan, rng, o.simulations if o.ms is None else None, o.ms, until_sure)

    def act(self, view: View, rng: Rng) -> Action:
        legal = view.legal
        if not legal.fold and not legal.can_raise and view.actor >= 0:
            return Action(CALL)
        outcome = self.find(view, rng)
        return outcome.actions[self._best(outcome, view)]

    def _by_visits(self, view: View) -> bool:
        """Whether the most visited action is chosen. How often an action is tried depends on the scatter of its
        results: alike in limit games, but where bets have sizes an all-in scatters most and is tried most."""
        choose = self.options.choose
        return choose == "visits" or (choose == "auto" and view.spec.betting == "limit")

    def _best(self, outcome: Outcome, view: View) -> int:
        """The most visited action (of equals the one that is worth more); or the one whose mean less its standard error
        is largest, as if one more result a pot off the mean had been seen."""
        values, n = outcome.values[:, view.actor], outcome.visits
        if self._by_visits(view):
            return max(range(n.size), key=lambda i: (int(n[i]), float(values[i])))
        pot = max(view.winnable + view.legal.to_call, 2 * view.spec.big_blind) / max(view.spec.big_blind, 1)
        return int(np.argmax(values - np.sqrt((outcome.errors**2 * n**2 + pot**2) / (n * (n + 1.0)))))

    def advise(self, view: View, rng: Rng) -> Advice:
        """The search's visits and values (chips won from here on: folding is 0), and the opponents' readings."""
        readings = self.readings(view)
        outcome = self.find(view, rng, readings)
        best, big = self._best(outcome, view), max(view.spec.big_blind, 1)
        paid = view.contributions[view.actor] + view.antes[view.actor]
        values = outcome.values[:, view.actor] * big + paid
        how = "tried_most" if self._by_visits(view) else "best_sure"
        worth, error = float(values[best] / big), Z95 * float(outcome.errors[best])
        reasons = [
            Reason(how, {"simulations": outcome.simulations}),
            Reason("worth", {"worth": worth, "error": error}),
            *(Reason("hands_known", {"seat": seat, "hands": self._model.hands(seat)}) for seat in readings),
        ]
        counts = {"simulations": outcome.simulations, "kept": outcome.reused, "nodes": outcome.nodes}
        numbers = {name: float(count) for name, count in counts.items()}
        return Advice(
            actions=outcome.actions,
            probabilities=tuple(float(i == best) for i in range(len(outcome.actions))),
            values=tuple(values.tolist()),
            visits=tuple(outcome.visits.tolist()),
            reasons=tuple(reasons),
            numbers=numbers | {"big_blinds": worth},
            readings=dict(readings),
        )
