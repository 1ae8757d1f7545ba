"""OpenSpiel's universal_poker (the ACPC engine in C++) driven in step with a hand of ours."""

from __future__ import annotations

import pyspiel

from dupai.rules import RAISE


def universal_poker(spec):
    """The game of a spec without antes, every bet size allowed."""
    line = {
        "betting": "limit" if spec.betting == "limit" else "nolimit",
        "bettingAbstraction": "fullgame" if spec.betting == "no-limit" else "fcpa",
        "numPlayers": spec.players,
        "numRounds": 4,
        "blind": " ".join(map(str, spec.blinds)),
        "stack": " ".join(map(str, spec.stacks)),
        "firstPlayer": " ".join(str(p + 1) for p in spec.first_player),
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
    }
    if spec.betting == "limit":
        line["raiseSize"] = " ".join(map(str, spec.bet_sizes))
        line["maxRaises"] = " ".join(map(str, spec.max_raises))
    return pyspiel.load_game("universal_poker", line)


class Dealer:
    """One hand of universal_poker, dealt ``deck`` (hole cards by position, then five board cards; our numbers)."""

    def __init__(self, spec, deck):
        self.limit = spec.betting == "limit"
        self.state = universal_poker(spec).new_initial_state()
        self.deck = list(deck)
        self.deal()

    def deal(self):
        while self.state.is_chance_node():
            c = self.deck.pop(0)  # OpenSpiel counts cards rank by rank, we suit by suit
            self.state.apply_action(c % 13 * 4 + c // 13)

    @property
    def actor(self):
        return -1 if self.state.is_terminal() else self.state.current_player()

    def legal(self):
        """(may fold, smallest raise, largest), totals; a limit raise, which has no number, is (1, 1)."""
        actions = self.state.legal_actions()
        assert 1 in actions, "calling is always legal"
        raises = [a for a in actions if a > 1]
        if self.limit:
            assert len(raises) <= 1
            return 0 in actions, int(bool(raises)), int(bool(raises))
        if not raises:
            return 0 in actions, 0, 0
        assert raises == list(range(raises[0], raises[-1] + 1))
        return 0 in actions, raises[0], raises[-1]

    def act(self, kind, to):
        self.state.apply_action((2 if self.limit else to) if kind == RAISE else kind)
        self.deal()

    def payoffs(self):
        return self.state.returns()
