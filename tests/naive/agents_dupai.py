"""A response to a model on a river, one hand of the opponent after the other. Slow and plain."""

from dupai.cards import COMBO_CARDS, strength
from dupai.rules import FOLD, Action
from dupai.spots import spots


def naive_value(state, model, hand, action, held):
    """What ``hand`` wins by ``action`` from here on, folding being 0: the mean over the opponent's hands (``held``:
    weight by combo)."""
    me = state.actor
    own = {*COMBO_CARDS[hand].tolist(), *state.board}
    weights = {h: float(w) for h, w in enumerate(held) if w > 0 and not own & set(COMBO_CARDS[h].tolist())}
    mine = strength([*COMBO_CARDS[hand].tolist(), *state.board])
    shares = {}
    for h in weights:
        theirs = strength([*COMBO_CARDS[h].tolist(), *state.board])
        shares[h] = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0

    def after(now, step):
        new = now.copy()
        new.apply(step)
        return new

    def got(now, range_):
        """Chips got from a state on, summed over a range of the opponent."""
        pot, put = sum(now.contributions), now.contributions[me]
        if now.actor < 0:
            even = pot - abs(2 * put - pot)
            return sum(w * (even * shares[h] + max(2 * put - pot, 0)) for h, w in range_.items())
        if now.actor == me:
            called = after(now, Action.call())
            paid = called.contributions[me] - put
            return max(0.0, got(called, range_) - paid * sum(range_.values()))
        spot = spots(now.view(None))[-1]
        chances, menu = model.probs(spot), model.menu(spot)
        total = 0.0
        for column in range(len(menu)):
            part = {h: w * float(chances[h, column]) for h, w in range_.items() if chances[h, column] > 0}
            if part and menu.action(spot, column).kind == FOLD:
                total += pot * sum(part.values())
            elif part:
                total += got(after(now, menu.action(spot, column)), part)
        return total

    if action.kind == FOLD:
        return 0.0
    new = after(state, action)
    paid = new.contributions[me] - state.contributions[me]
    return got(new, weights) / sum(weights.values()) - paid
