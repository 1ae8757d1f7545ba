"""Hands as PokerStars writes them, the text that trackers and study programs read."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dupai.cards import NO_CARD, card_text, describe
from dupai.notation._facts import about_text, big_blind, decided_steps, in_cents, posts_of, record_money, start_time
from dupai.rules import BOARD_CARDS, HandRecord, Step

_LIMITS = {"no-limit": "No Limit", "limit": "Limit", "pot-limit": "Pot Limit"}
_STREETS = ("", "FLOP", "TURN", "RIVER")
_ACTIONS = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets"}
_POSTS = {"small": "small blind", "big": "big blind", "extra": "big blind", "straddle": "straddle"}
_HOLE_CARDS = "*** HOLE CARDS ***"


def format_pokerstars(record: HandRecord) -> str:
    """The text of one hand, ending with blank lines. Of players' hole cards it has those of ``record.hero`` and those
    that were shown. Chips are play money, unless the record says that they are cents.

    Raises:
        RulesError: the record does not replay.
        NotationError: a payoff has a fraction of a chip.
    """
    spec, n = record.spec, record.spec.players
    won, (owner, back), pot = record_money(record)
    names = record.names or tuple(f"p{p + 1}" for p in range(n))
    seats = record.seats or tuple(range(n))
    by_seat = sorted(range(n), key=lambda p: seats[p])
    cents = in_cents(record)

    def money(chips: int) -> str:
        return f"${chips / 100:.2f}" if cents else str(chips)

    small = min((b for b in spec.blinds if b), default=0)
    stakes = spec.bet_sizes[0::3] if spec.betting == "limit" else (small, big_blind(spec))
    currency = " USD" if cents else ""
    lines = [
        f"PokerStars Hand #{record.hand}: Hold'em {_LIMITS[spec.betting]} "
        f"({'/'.join(map(money, stakes))}{currency}) - {start_time(record):%Y/%m/%d %H:%M:%S} ET",
        f"Table '{about_text(record, 'table', 'dupai')}' {max(n, max(seats) + 1)}-max "
        f"Seat #{seats[-1] + 1} is the button",
        *(f"Seat {seats[p] + 1}: {names[p]} ({money(record.stacks[p])} in chips)" for p in by_seat),
    ]
    steps = decided_steps(record)
    lines += _played(record, steps, names, money)
    if back:
        # It goes back as soon as nobody can call any more.
        last = max(i for i, line in enumerate(lines) if not line.startswith("*** ") or line == _HOLE_CARDS)
        lines.insert(last + 1, f"Uncalled bet ({money(back)}) returned to {names[owner]}")
    shows = [step for step in steps if step.kind in ("show", "muck")]
    lines += ["*** SHOW DOWN ***"] if shows else []
    shown = {s.position for s in shows if s.kind == "show" and NO_CARD not in s.cards}
    shown |= {p for p, told in enumerate(record.shown) if told and NO_CARD not in record.hole[p]}
    board = [c for c in record.board if c != NO_CARD]
    made = {p: describe([*record.hole[p], *board]) if len(board) == 5 else "the cards" for p in shown}
    lines += [f"{names[p]}: shows {_cards(record.hole[p])} ({made[p]})" for p in sorted(shown)]
    lines += [f"{names[s.position]}: mucks hand" for s in shows if s.position not in shown]
    lines += [f"{names[p]} collected {money(chips)} from pot" for p, chips in enumerate(won) if chips]
    lines += ["*** SUMMARY ***", f"Total pot {money(pot)} | Rake {money(record.rake // spec.split)}"]
    lines += [f"Board {_cards(board)}"] if board else []
    folded = {s.position for s in steps if s.kind == "fold"}
    for p in by_seat:
        role = " (button)" if p == n - 1 else ""
        end = "folded" if p in folded else f"collected ({money(won[p])})" if won[p] else "lost"
        if p in shown:
            end = f"showed {_cards(record.hole[p])} and {f'won ({money(won[p])})' if won[p] else 'lost'} with {made[p]}"
        elif any(s.position == p for s in shows):
            end = "mucked"
        lines.append(f"Seat {seats[p] + 1}: {names[p]}{role} {end}")
    return "\n".join(lines) + "\n\n\n"


def _played(record: HandRecord, steps: list[Step], names: tuple[str, ...], money: Callable[[int], str]) -> list[str]:
    """The lines from the posts to the last card."""
    spec, top = record.spec, 0
    kinds, dead = posts_of(spec)
    lines: list[str] = []
    late: list[str] = []
    for step in sorted(
        (s for s in steps if s.kind in ("ante", "post")), key=lambda s: (s.kind, spec.blinds[s.position])
    ):
        p, posted, what = step.position, step.chips, _POSTS[kinds[step.position]]
        if step.kind == "post" and dead[p]:
            what, posted = "small & big blinds", posted + dead[p]
        elif step.kind == "ante":
            what, posted = "the ante", posted - dead[p]
            if dead[p] and not spec.blinds[p]:  # a small blind after the first one is dead
                late.append(f"{names[p]}: posts small blind {money(dead[p])}{_all_in(step)}")
        if posted > 0:
            lines.append(f"{names[p]}: posts {what} {money(posted)}{_all_in(step)}")
        top = max(top, step.bet)
    lines += late
    lines.append(_HOLE_CARDS)
    if record.hero is not None and NO_CARD not in record.hole[record.hero]:
        lines.append(f"Dealt to {names[record.hero]} {_cards(record.hole[record.hero])}")
    for step in steps:
        if step.kind == "street":
            before = step.cards[: BOARD_CARDS[step.street - 1]]
            if step.cards and NO_CARD not in step.cards:
                opened = [before, step.cards[len(before) :]]
                lines.append(f"*** {_STREETS[step.street]} *** {' '.join(_cards(part) for part in opened if part)}")
            top = 0
        elif step.is_action:
            raised = f"raises {money(step.bet - top)} to {money(step.bet)}"
            chips = f" {money(step.chips)}" if step.kind in ("call", "bet") else ""
            word = raised if step.kind == "raise" else _ACTIONS[step.kind] + chips
            lines.append(f"{names[step.position]}: {word}{_all_in(step)}")
            top = max(top, step.bet)
    return lines


def _all_in(step: Step) -> str:
    return " and is all-in" if step.all_in else ""


def _cards(cards: Sequence[int]) -> str:
    return f"[{' '.join(map(card_text, cards))}]"
