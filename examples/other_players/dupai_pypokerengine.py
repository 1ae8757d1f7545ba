"""Players written for PyPokerEngine as agents of dupai.

A player is an object with PyPokerEngine's methods: ``declare_action(valid_actions, hole_card, round_state)`` returns an
action and an amount, and the ``receive_...`` messages tell it what happens. Nothing of PyPokerEngine is imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

from dupai.agents import BaseAgent, MatchInfo, Option
from dupai.base import ConfigError, Rng
from dupai.cards import cards_text
from dupai.rules import CALL, FOLD, Action, HandRecord, HandState, View

_STREETS = ("preflop", "flop", "turn", "river")


def load_player(place: str) -> Any:
    """What ``module:name`` names.

    Raises:
        ConfigError: there is no such thing.
    """
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(f"player={place!r}: expected module:name of something to import ({error})") from error


def pypokerengine_cards(cards: tuple[int, ...]) -> list[str]:
    """Cards with the suit first, as ``SA`` and ``DT``."""
    text = cards_text(cards)
    return [text[i + 1].upper() + text[i] for i in range(0, len(text), 2)]


class Fish:
    """An example of a player: it calls, and raises the smallest amount with a pair in hand."""

    def declare_action(self, valid_actions: list[Any], hole_card: list[str], round_state: Any) -> tuple[str, int]:
        raising = valid_actions[2]["amount"]["min"]
        if hole_card[0][1] == hole_card[1][1] and raising >= 0 and len(round_state["action_histories"]["preflop"]) < 6:
            return "raise", raising
        return "call", valid_actions[1]["amount"]


class PyPokerEngineAgent(BaseAgent):
    """A player written for PyPokerEngine: player=module:Class, called without arguments."""

    def __init__(
        self, player: Annotated[str, Option("module:Class of the player", file=True)] = "dupai_pypokerengine:Fish"
    ) -> None:
        self._player = load_player(player)()
        self._names: tuple[str, ...] = ()
        self._seat = 0
        self._told = 0
        self._street = -1

    def _tell(self, message: str, *values: Any) -> None:
        receive = getattr(self._player, f"receive_{message}_message", None)
        if receive is not None:
            receive(*values)

    def start(self, match: MatchInfo) -> None:
        self._names, self._seat = match.names, match.seat
        spec = match.spec
        small, big = sorted(b for b in spec.blinds if b)[:1] or [0], spec.big_blind
        rule = {
            "initial_stack": max(spec.stacks),
            "max_round": match.hands or 0,
            "small_blind_amount": small[0],
            "ante": max(spec.antes),
            "blind_structure": {},
        }
        seats = [
            {"uuid": str(c), "name": name, "stack": max(spec.stacks), "state": "participating"}
            for c, name in enumerate(match.names)
        ]
        if hasattr(self._player, "set_uuid"):
            self._player.set_uuid(str(match.seat))
        self._tell("game_start", {"player_num": spec.players, "rule": {**rule, "big_blind": big}, "seats": seats})

    def begin(self, hand: View) -> None:
        self._told, self._street = 0, -1
        self._tell("round_start", hand.hand, pypokerengine_cards(hand.hole), self._seats(hand))

    def act(self, view: View, rng: Rng) -> Action:
        state = self._round_state(view)
        self._tell_news(view.actions, view.street, state)
        answer, amount = self._player.declare_action(self._valid(view), pypokerengine_cards(view.hole), state)
        if answer == "fold":
            # Where it is free, PyPokerEngine lets a player fold; a check gives nothing up.
            return Action.fold() if view.legal.fold else Action.call()
        if answer == "call":
            return Action.call()
        # A total of this street; ours counts the whole hand.
        return Action.raise_to(amount + self._before(view))

    def end(self, record: HandRecord) -> None:
        state = record.at()
        final = self._round_state(state.view(record.hero))
        self._tell_news(final_actions(state), state.street, final)
        # The pot has been paid by now: PyPokerEngine's result has the stacks after it.
        payoffs, stacks = self._by_chair(record, record.payoffs), self._by_chair(record, record.stacks)
        for seat, stack, payoff in zip(final["seats"], stacks, payoffs, strict=True):
            seat["stack"] = stack + payoff // record.spec.split
        winners = [
            seat for seat, won in zip(final["seats"], self._by_chair(record, record.payoffs), strict=True) if won > 0
        ]
        shown = [
            {"uuid": str(seat), "hand": {"card": pypokerengine_cards(two)}}
            for seat, two in zip(record.seats, record.hole, strict=True)
            if 255 not in two
        ]
        self._tell("round_result", winners, shown, final)

    # translations

    def _before(self, view: View) -> int:
        """Chips of this seat from earlier streets."""
        return view.contributions[view.actor] - view.bets[view.actor]

    def _valid(self, view: View) -> list[dict[str, Any]]:
        legal, mine = view.legal, self._before(view)
        low, high = (legal.min_to - mine, legal.max_to - mine) if legal.can_raise else (-1, -1)
        return [
            {"action": "fold", "amount": 0},
            {"action": "call", "amount": view.bets[view.actor] + legal.to_call},
            {"action": "raise", "amount": {"min": low, "max": high}},
        ]

    def _by_chair(self, hand: View | HandRecord, values: tuple[Any, ...]) -> list[Any]:
        """Values by position in the order of the chairs that were dealt in."""
        return [values[hand.seats.index(chair)] for chair in sorted(hand.seats)]

    def _seats(self, view: View) -> list[dict[str, Any]]:
        folded, all_in = self._by_chair(view, view.folded), self._by_chair(view, view.all_in)
        stacks = self._by_chair(view, view.stacks)
        return [
            {
                "uuid": str(chair),
                "name": self._names[chair],
                "stack": stacks[k],
                "state": "folded" if folded[k] else "allin" if all_in[k] else "participating",
            }
            for k, chair in enumerate(sorted(view.seats))
        ]

    def _pot(self, view: View) -> dict[str, Any]:
        """Main pot and side pots as PyPokerEngine counts them: one up to the chips of each all-in player, the smallest
        first, then one of all chips above. Pots may be empty."""
        paid = self._by_chair(view, tuple(map(sum, zip(view.contributions, view.antes, strict=True))))
        folded, all_in = self._by_chair(view, view.folded), self._by_chair(view, view.all_in)
        pots: list[dict[str, Any]] = []
        below = 0
        for level in [*sorted(chips for chips, out in zip(paid, all_in, strict=True) if out), max(paid)]:
            chairs = zip(sorted(view.seats), paid, folded, strict=True)
            eligibles = [str(chair) for chair, chips, out in chairs if chips >= level and not out]
            upto = sum(min(chips, level) for chips in paid)
            pots.append({"amount": upto - below, "eligibles": eligibles})
            below = upto
        return {"main": {"amount": pots[0]["amount"]}, "side": pots[1:]}

    def _round_state(self, view: View) -> dict[str, Any]:
        chairs = sorted(view.seats)
        blinds = view.spec.blinds
        small, big = min((b, p) for p, b in enumerate(blinds) if b)[1], blinds.index(view.spec.big_blind)
        index = {position: chairs.index(seat) for position, seat in enumerate(view.seats)}
        return {
            "street": _STREETS[view.street] if not view.finished else "showdown",
            "pot": self._pot(view),
            "community_card": pypokerengine_cards(view.board),
            "dealer_btn": index[view.spec.button],
            "next_player": index[view.actor] if view.actor >= 0 else "not_found",
            "small_blind_pos": index[small],
            "big_blind_pos": index[big],
            "round_count": view.hand,
            "small_blind_amount": blinds[small],
            "seats": self._seats(view),
            "action_histories": self._histories(view),
        }

    def _histories(self, view: View) -> dict[str, list[dict[str, Any]]]:
        """What everybody did, with amounts as totals of their street; ``add_amount``: by how much a raise is more."""
        n, blinds = view.spec.players, view.spec.blinds
        street_bets, now = list(blinds), 0
        posts = sorted((b, p) for p, b in enumerate(blinds) if b)
        first = posts[0][1]
        histories: dict[str, list[dict[str, Any]]] = {"preflop": []}
        for position in ((first + k) % n for k in range(n)):
            if view.spec.antes[position]:
                entry = {"action": "ANTE", "amount": view.spec.antes[position], "uuid": str(view.seats[position])}
                histories["preflop"].append(entry)
        for k, (blind, position) in enumerate(posts):
            word = "SMALLBLIND" if k == 0 and len(posts) > 1 else "BIGBLIND"
            entry = {"action": word, "amount": blind, "add_amount": posts[0][0], "uuid": str(view.seats[position])}
            histories["preflop"].append(entry)
        state = HandState(view.spec, stacks=view.start_stacks, seats=view.seats)
        for street, position, action in view.actions:
            if street != now:
                now, street_bets = street, [0] * n
            before = state.contributions[position]
            state.follow(action)
            paid, bet = state.contributions[position] - before, max(street_bets)
            street_bets[position] += paid
            uuid = str(view.seats[position])
            entries = histories.setdefault(_STREETS[street], [])
            if action.kind == FOLD:
                entries.append({"action": "FOLD", "uuid": uuid})
            elif action.kind == CALL:
                entries.append({"action": "CALL", "amount": street_bets[position], "paid": paid, "uuid": uuid})
            else:
                to = street_bets[position]
                entry = {"action": "RAISE", "amount": to, "paid": paid, "add_amount": to - bet, "uuid": uuid}
                entries.append(entry)
        return histories

    def _tell_news(self, actions: tuple[Any, ...], street: int, state: dict[str, Any]) -> None:
        """Streets that have begun and actions that this player has not been told of."""
        posts = ("ANTE", "SMALLBLIND", "BIGBLIND")
        entries = [e for street in state["action_histories"].values() for e in street if e["action"] not in posts]
        for (at, _, _), entry in zip(actions[self._told :], entries[self._told :], strict=True):
            self._tell_street(at, state)
            news = {"player_uuid": entry["uuid"], "action": entry["action"].lower(), "amount": entry.get("amount", 0)}
            self._tell("game_update", news, state)
        self._told = len(actions)
        self._tell_street(street, state)

    def _tell_street(self, street: int, state: dict[str, Any]) -> None:
        while self._street < street:
            self._street += 1
            self._tell("street_start", _STREETS[self._street], state)


def final_actions(state: HandState) -> tuple[Any, ...]:
    """All actions of a hand as a view lists them."""
    return state.view(None).actions
