"""The staged tree hand by hand: every hand of the opponent is a dictionary entry, every place a hand replayed from its
start, every next card a loop.

Private modules: the opponent's model is an input of the search, and both get the same one.
"""

from dupai.agents._experience._expert import ExpertModel
from dupai.cards import CARDS, COMBO_CARDS, COMBO_INDEX, strength
from dupai.rules import BOARD_CARDS, Action, HandState
from dupai.spots import spots


def looked_at(spot, menu, closed, shove):
    """Actions by column of a menu, None where nothing is looked at."""
    call, pot = spot["to_call"], spot["pot"] + spot["to_call"]
    found = [Action.fold() if call > 0 else None, Action.call()] + [None] * (len(menu) - 2)
    low, high = spot["min_to"], spot["max_to"]
    if closed or high <= 0:
        return found
    shoving = menu.all_in and spot["effective"] - call <= shove * pot
    for i, size in enumerate(menu.sizes):
        to = min(max(round(spot["total"] + call + size * pot), low), high)
        action = Action.raise_to(to)
        if action not in found and (to < high or not shoving):
            found[2 + i] = action
    if shoving:
        found[len(menu) - 1] = Action.raise_to(high)
    return found


class Twin:
    """``search`` is a StagedSearch whose model is an ExpertModel; cards are never sampled."""

    def __init__(self, search, view, shove=(8.0, 3.0)):
        self.search, self.view, self.shove = search, view, shove
        self.me = view.actor
        self.hole = view.hole
        self.leaves = 0

    def values(self, weights):
        """Chips that each action brings, by action; ``weights`` by combo."""
        dealt = {*self.hole, *self.view.board}
        weights = {h: w for h, w in weights.items() if w > 0 and not dealt & set(COMBO_CARDS[h].tolist())}
        total = sum(weights.values())
        weights = {h: w / total for h, w in weights.items()}
        played = [action for _, _, action in self.view.actions]
        paid = self.view.contributions[self.me] + self.view.antes[self.me]
        board = tuple(self.view.board)
        return {
            action: self.value([*played, action], board, weights) + paid
            for action in looked_at(self.due(played, board), self.search.menus.first, False, self.shove[0])
            if action is not None
        }

    def state(self, played, board):
        hole = [None, None]
        hole[self.me] = self.hole
        state = HandState(self.view.spec, hole, board, stacks=self.view.start_stacks)
        for action in played:
            state.apply(action)
        return state

    def due(self, played, board):
        return spots(self.state(played, board))[-1]

    def value(self, played, board, weights):
        """Weighted sum of what the hand brings (what was paid in before counts)."""
        if not weights:
            return 0.0
        state = self.state(played, board)
        mine, his = (state.contributions[p] + state.antes[p] for p in (self.me, 1 - self.me))
        if state.finished:
            if state.folded[self.me]:
                return -mine * sum(weights.values())
            if state.folded[1 - self.me]:
                return his * sum(weights.values())
            self.leaves += 1
            return min(mine, his) * sum(w * self.duel(h, board) for h, w in weights.items())
        if len(board) < BOARD_CARDS[state.street]:
            return sum(self.value(played, (*board, card), left) for card, left in self.next(board, weights))
        spot = self.due(played, board)
        menu = self.search.menus.later
        closed = spot["raises"] >= self.search.menus.raises[spot.street > self.view.street]
        actions = looked_at(spot, menu, closed, self.shove[1])
        own = state.actor == self.me
        model = self.search.own if own else self.search.model
        legal = [action is not None for action in actions]
        chances = self.chances(model, spot, menu, legal)
        found = []
        for column, action in enumerate(actions):
            if action is None:
                continue
            if own:
                share = 1.0 if self.search.maximise else float(chances[COMBO_INDEX[self.hole]][column])
                left = weights
            else:
                share = 1.0
                left = {h: w * float(chances[h][column]) for h, w in weights.items()}
                left = {h: w for h, w in left.items() if w > 0}
            if share > 0:
                found.append(share * self.value([*played, action], board, left))
        return max(found) if own and self.search.maximise else sum(found)

    def chances(self, model, spot, menu, legal):
        import numpy as np

        from dupai.agents._experience._expert import rules_of_hands

        assert isinstance(model, ExpertModel)
        return model.columns(spot, menu, np.array(legal))[rules_of_hands(model.book, spot)]

    def next(self, board, weights):
        """Every next card with the weights of the hands that do not hold it."""
        for card in range(CARDS):
            if card in board or card in self.hole:
                continue
            left = {h: w for h, w in weights.items() if card not in COMBO_CARDS[h]}
            # Both hands and the board are known to be out of the deck.
            unseen = CARDS - len(board) - 4
            yield card, {h: w / unseen for h, w in left.items()}

    def duel(self, hand, board):
        """Chance to win less chance to lose, over all that may still come."""
        theirs = tuple(COMBO_CARDS[hand].tolist())
        if len(board) == 5:
            mine, his = strength((*board, *self.hole)), strength((*board, *theirs))
            return float((mine > his) - (mine < his))
        out = {*board, *self.hole, *theirs}
        rest = [c for c in range(CARDS) if c not in out]
        return sum(self.duel(hand, (*board, c)) for c in rest) / len(rest)
