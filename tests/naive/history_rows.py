"""The rows of the hand store, slowly and obviously: one hand at a time, chips counted in plain lists."""

from __future__ import annotations

from dupai.cards import NO_CARD, card_text
from dupai.rules import CALL, FOLD, HandState
from naive.spots_rows import full_raise


def text(cards):
    """Cards as text, None when none is known."""
    if all(c == NO_CARD for c in cards):
        return None
    return "".join("??" if c == NO_CARD else card_text(c) for c in cards)


def action_rows(record):
    """The rows of ``actions`` of a record, as dicts without hand_id and player."""
    spec = record.spec
    n = spec.players
    state = HandState(spec, record.hole, record.board, record.stacks, record.seats or None, record.hand)
    ante = [min(a, s) for a, s in zip(spec.antes, record.stacks, strict=True)]
    put = [min(b, s - a) for b, s, a in zip(spec.blinds, record.stacks, ante, strict=True)]
    before = [0] * n  # put in on earlier streets
    folded = [False] * n
    rows = []
    street = 0
    bets = []  # (position, kind, whether it is a bet or raise that the rules count) of this street
    story = []  # positions of bets and raises on earlier streets
    level = spec.big_blind  # of the last bet or raise that the rules count
    for number, action in enumerate(record.actions):
        if state.street != street:
            street = state.street
            before = put.copy()
            story += [p for p, _, counts in bets if counts]
            bets = []
            level = max(*put, spec.big_blind)
        p = state.actor
        legal = state.legal
        behind = record.stacks[p] - ante[p] - put[p]
        raisers = [q for q, _, counts in bets if counts]
        since = bets[max((k + 1 for k, (_, _, counts) in enumerate(bets) if counts), default=0) :]
        own = [kind for q, kind, _ in bets if q == p]
        if action.kind == FOLD:
            kind = "fold"
        elif action.kind == CALL:
            kind = "call" if legal.to_call else "check"
        else:
            kind = "raise" if raisers or legal.to_call or (street == 0 and spec.big_blind) else "bet"
        row = {
            "n": number,
            "street": street,
            "position": p,
            "players": n,
            "kind": kind,
            "to_call": legal.to_call,
            "bet": put[p] - before[p],
            "pot": sum(ante) + sum(put),
            "stack": behind,
            "min_to": legal.min_to,
            "live": n - sum(folded),
            "able": sum(not f and record.stacks[q] > ante[q] + put[q] for q, f in enumerate(folded)),
            "raises": len(raisers),
            "calls": sum(k == "call" for _, k, _ in since),
            "aggressor": raisers[-1] if raisers else None,
            "leader": story[-1] if story else None,
            "acted": len(own),
            "checked": "check" in own,
        }
        state.follow(action)
        if kind == "fold":
            folded[p] = True
        elif kind == "call":
            put[p] += legal.to_call
        elif kind in ("bet", "raise"):
            put[p] = action.to
        counts = kind in ("bet", "raise") and full_raise(record, street, put[p], level)
        level = max(level, put[p]) if counts else level
        bets.append((p, kind, counts))
        row["total"] = put[p]
        row["paid"] = put[p] + ante[p] - record.stacks[p] + behind
        row["all_in"] = row["paid"] > 0 and put[p] + ante[p] == record.stacks[p]
        rows.append(row)
    return rows


def player_rows(record):
    """The rows of ``players``, as dicts without hand_id."""
    spec = record.spec
    state = record.at()
    ante = [min(a, s) for a, s in zip(spec.antes, record.stacks, strict=True)]
    folds = {position: street for street, position, action in state.actions if action.kind == FOLD}
    showdown = len(folds) < spec.players - 1
    rows = []
    for p in range(spec.players):
        put = state.contributions[p]
        rows.append(
            {
                "position": p,
                "players": spec.players,
                "seat": record.seats[p] if record.seats else None,
                "player": record.names[p] if record.names else None,
                "stack": record.stacks[p],
                "ante": ante[p],
                "blind": min(spec.blinds[p], record.stacks[p] - ante[p]),
                "put": put,
                "hole": text(record.hole[p]),
                "shown": record.shown[p],
                "hero": record.hero == p,
                "mucked": text(record.mucked[p]) if record.mucked else None,
                "folded": folds.get(p),
                "all_in": put + ante[p] == record.stacks[p],
                "showdown": showdown and p not in folds,
                "payoff": record.payoffs[p],
                "payoff_bb": record.payoffs[p] / spec.split / spec.big_blind,
            }
        )
    return rows


def given_back(spec, state):
    """Chips by position that nobody else matched, counted one by one. A player who paid the whole ante stands above all
    antes, anybody else where his chips end."""
    top = max(state.antes)
    level = [
        a if a < asked else top + c for a, asked, c in zip(state.antes, spec.antes, state.contributions, strict=True)
    ]
    back = [0] * len(level)
    for p, mine in enumerate(level):
        covered = max(other for i, other in enumerate(level) if i != p)
        chips = [*range(1, state.antes[p] + 1), *range(top + 1, top + state.contributions[p] + 1)]
        back[p] = sum(covered < chip <= mine for chip in chips)
    return back


def hand_row(record):
    """The row of ``hands``, without what the source adds (hand_id, source, line, game, proven, played ...)."""
    spec = record.spec
    state = record.at()
    put = sorted(state.contributions)
    folded = sum(a.kind == FOLD for _, _, a in state.actions)
    ante = sum(min(a, s) for a, s in zip(spec.antes, record.stacks, strict=True))
    return {
        "hand": record.hand,
        "section": record.section,
        "betting": spec.betting,
        "players": spec.players,
        "small_blind": min(b for b in spec.blinds if b),
        "big_blind": max(spec.blinds),
        "ante": max(spec.antes),
        "split": spec.split,
        "street": state.street,
        "showdown": folded < spec.players - 1,
        "board": text(record.board) or "",
        "actions": len(record.actions),
        "pot": ante + sum(put) - (sum(given_back(record.spec, state))),
        "rake": record.rake,
        "hero": record.hero,
        "comment": record.comment,
    }
