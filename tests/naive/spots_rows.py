"""Decisions of a hand worked out from the story alone: who put in what, street by street, in plain Python."""

from __future__ import annotations

from dupai.rules import CALL, FOLD, RAISE, HandRecord
from dupai.spots import DID_BET, DID_CALL, DID_CHECK, DID_FOLD, DID_RAISE, position_class


def full_raise(record: HandRecord, street: int, to: int, full: int) -> bool:
    """Whether the rules count a raise to ``to`` above the last full bet: in limit games an all-in of less than half a
    bet above it is none. The ACPC's rules count every raise."""
    spec = record.spec
    return spec.betting != "limit" or spec.min_raise == "acpc" or 2 * (to - full) >= spec.bet_sizes[street]


def rows(record: HandRecord) -> list[dict[str, object]]:
    """The fields of every decision of a finished hand that can be told without the rules' own state."""
    n = record.spec.players
    state = record.at(0)
    out: list[dict[str, object]] = []
    street, raises, calls, aggressor, leader, raise_by, raise_pot = 0, 0, 0, -1, -1, 0, 0
    acted, checked = [0] * n, [0] * n
    full = record.spec.big_blind
    for number, action in enumerate(record.actions):
        if state.street != street:
            street = state.street
            leader = aggressor if aggressor >= 0 else leader
            raises, calls, aggressor, raise_by, raise_pot = 0, 0, -1, 0, 0
            full = max(*state.contributions, record.spec.big_blind)
            acted, checked = [0] * n, [0] * n
        p, legal = state.actor, state.legal
        pot, stack, total = state.pot, state.stacks[p], state.contributions[p]
        reach = [state.contributions[i] + state.stacks[i] for i in range(n) if i != p and not state.folded[i]]
        first = record.spec.first_player[3]
        order = [(first + k) % n for k in range(n)]
        later = order[order.index(p) + 1 :]
        row: dict[str, object] = {
            "n": number,
            "street": street,
            "position": p,
            "class": position_class(n, p),
            "players": n,
            "pot": pot,
            "to_call": legal.to_call,
            "total": total,
            "bet": state.bets[p],
            "stack": stack,
            "effective": max(min(stack, max(reach) - total), 0),
            "min_to": legal.min_to,
            "max_to": legal.max_to,
            "live": n - sum(state.folded),
            "after": sum(not state.folded[i] for i in later),
            "raises": raises,
            "calls": calls,
            "aggressor": aggressor,
            "leader": leader,
            "acted": acted[p],
            "checked": checked[p],
            "raise_by": raise_by,
            "raise_pot": raise_pot,
        }
        opened = legal.to_call > 0 or raises > 0 or (street == 0 and max(state.contributions) > 0)
        before = state.stacks[p]
        acted[p] += 1
        if action.kind == FOLD:
            row["did"] = DID_FOLD
        elif action.kind == CALL:
            row["did"] = DID_CALL if legal.to_call else DID_CHECK
            calls += legal.to_call > 0
            checked[p] |= legal.to_call == 0
        else:
            assert action.kind == RAISE
            row["did"] = DID_RAISE if opened else DID_BET
            to = action.to or legal.min_to
            if full_raise(record, street, to, full):
                raises, calls, aggressor, full = raises + 1, 0, p, max(full, to)
                raise_by, raise_pot = to - total - legal.to_call, pot + legal.to_call
        state.follow(action)
        row["paid"] = before - state.stacks[p]
        row["to"] = state.contributions[p]
        row["all_in"] = int(before > 0 and state.stacks[p] == 0)
        out.append(row)
    return out
