"""Open Hand History: a hand as one JSON object, version 1.4.6 of https://hh-specs.handhistory.org, read and written.

The amount of an action is what it puts into the pot. Some programs write a raise as the whole bet on the street: their
hands are recognized by their money, which only adds up so. The format does not name the smallest bet under a straddle:
it is the straddle, or the big blind where the hand is only legal so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import product
from operator import sub
from typing import Any

import msgspec

from dupai.base import DupaiError, NotationError, __version__
from dupai.cards import NO_CARD, card_text
from dupai.notation._chips import quote
from dupai.notation._facts import about_text, big_blind, decided_steps, in_cents, posts_of, record_money, start_time
from dupai.notation._phh import record_of_phh
from dupai.rules import BOARD_CARDS, HandRecord

_STREETS = ("Preflop", "Flop", "Turn", "River", "Showdown")
_LIMITS = {"no-limit": "NL", "limit": "FL", "pot-limit": "PL"}
_WORDS = {"ante": "Post Ante", "show": "Shows Cards", "muck": "Mucks Cards"}
_BLINDS = {"small": "Post SB", "big": "Post BB", "extra": "Post Extra Blind", "straddle": "Straddle"}
#: The site of hands that no site dealt, and the currency of chips.
_NO_SITE, _CHIPS = "dupai", "Chips"
#: Actions that change nothing in a hand, and those that post what.
_IDLE = ("Sits Down", "Stands Up", "Sits Out", "Added Chips")
_POSTS = {"Post Ante": "ante", "Post Dead": "dead", "Post SB": "small_blind", "Post BB": "big_blind"}
_POSTS |= {"Post Extra Blind": "big_blind", "Straddle": "straddle"}
_PLAIN = {"Fold": "f", "Check": "cc", "Call": "cc", "Shows Cards": "sm", "Mucks Cards": "sm"}


def format_ohh(record: HandRecord) -> str:
    """One hand as an Open Hand History document, ending with a blank line.

    Raises:
        RulesError: the record does not replay.
        NotationError: a payoff has a fraction of a chip.
    """
    spec, n, cents = record.spec, record.spec.players, in_cents(record)
    won, _, pot = record_money(record)
    seats = record.seats or tuple(range(n))
    names = record.names or tuple(f"p{p + 1}" for p in range(n))
    site = about_text(record, "venue", _NO_SITE)

    def amount(chips: int) -> float:
        return chips / 100 if cents else chips

    fee, payer = int(dict(record.about).get("_cash_out", 0)), -1
    if fee:  # sites tell it of the player who recorded the hand
        payer = won.index(max(won)) if record.hero is None else record.hero
    wins = [
        {"player_id": p, "win_amount": amount(w), **({"cashout_fee": amount(fee)} if p == payer else {})}
        for p, w in enumerate(won) if w or p == payer
    ]  # fmt: skip
    pots = [{"number": 0, "amount": amount(pot), "rake": amount(record.rake // spec.split), "player_wins": wins}]
    document = {
        "spec_version": "1.4.6", "internal_version": __version__, "site_name": site, "network_name": site,
        "tournament": False, "game_number": str(record.hand), "start_date_utc": f"{start_time(record).isoformat()}Z",
        "table_name": about_text(record, "table", _NO_SITE), "game_type": "Holdem",
        "bet_limit": {"bet_type": _LIMITS[spec.betting], "bet_cap": 0}, "table_size": max(n, max(seats) + 1),
        "currency": about_text(record, "currency", "USD" if cents else _CHIPS), "dealer_seat": seats[-1] + 1,
        "small_blind_amount": amount(min((b for b in spec.blinds if b), default=0)),
        "big_blind_amount": amount(big_blind(spec)),
        "ante_amount": amount(max(map(sub, spec.antes, posts_of(spec)[1]))),
        **({} if record.hero is None else {"hero_player_id": record.hero}), "flags": [],
        "players": [
            {"id": p, "seat": seats[p] + 1, "name": names[p], "starting_stack": amount(record.stacks[p])}
            for p in range(n)
        ],
        "rounds": _rounds(record, amount), "pots": pots,
    }  # fmt: skip
    return json.dumps({"ohh": document}, ensure_ascii=False) + "\n\n"


def _rounds(record: HandRecord, amount: Callable[[int], float]) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = []

    def begin(street: int, cards: Sequence[int] = ()) -> None:
        rounds.append({"id": len(rounds), "street": _STREETS[street], "cards": _texts(cards), "actions": []})

    def add(player: int, action: str, **fields: Any) -> None:
        actions = rounds[-1]["actions"]
        actions.append({"action_number": len(actions), "player_id": player, "action": action, **fields})

    begin(0)
    steps = decided_steps(record)
    posts = sum(step.kind in ("ante", "post") for step in steps)
    blinds, dead = posts_of(record.spec)
    for k, step in enumerate(steps):
        for p, two in enumerate(record.hole) if k == posts else ():
            if NO_CARD not in two:
                add(p, "Dealt Cards", cards=_texts(two))
        if step.kind == "street":
            begin(step.street, step.cards[BOARD_CARDS[step.street - 1] :])
        elif step.kind in ("show", "muck") and rounds[-1]["street"] != _STREETS[-1]:
            begin(len(_STREETS) - 1)
        if step.kind not in ("street", "return", "win", "lose"):
            cards = _texts(step.cards) if step.kind == "show" else []
            action = _BLINDS[blinds[step.position]] if step.kind == "post" else step.kind.capitalize()
            action = "Mucks Cards" if step.kind == "show" and not cards else _WORDS.get(step.kind, action)
            over = min(dead[step.position], step.chips) if step.kind == "ante" else 0
            if over:
                add(step.position, "Post Dead", amount=amount(over), is_allin=step.all_in)
            if step.chips > over or not over:
                chips = step.chips - over
                fields = {"amount": amount(chips)} if chips else {"cards": cards} if cards else {}
                add(step.position, action, **fields, is_allin=step.all_in)
    return rounds


def _texts(cards: Sequence[int]) -> list[str]:
    return [card_text(c) for c in cards if c != NO_CARD]


# reading -------------------------------------------------------------------------------------------------------------


def is_ohh(head: str) -> bool:
    """Whether a text begins as a file of Open Hand History."""
    return head.lstrip("\ufeff \r\n\t[").startswith("{") and '"ohh"' in head


def read_ohh(lines: Iterable[str]) -> Iterator[tuple[int, HandRecord | str]]:
    """The hands of a text of Open Hand History: the line on which each begins, and the hand or why there is none.

    Hands are objects that begin on a new line; blank lines stand between them.
    """
    start = 0
    held: list[str] = []
    for number, line in enumerate(lines, 1):
        text = line.strip().lstrip("\ufeff")
        if line.rstrip() in ("[", "]"):
            continue
        if held and (not text or line.startswith("{")):
            yield start, _read("\n".join(held))
            held = []
        if text:
            start = start if held else number
            held.append(text)
    if held:
        yield start, _read("\n".join(held))


def _read(text: str) -> HandRecord | str:
    try:
        hand = json.loads(text.removesuffix(","), parse_float=Decimal)["ohh"]
        return record_of_ohh(hand)
    except DupaiError as error:
        return str(error)
    except (ValueError, KeyError, TypeError, RecursionError):
        return f'{quote(text)} is no hand of Open Hand History: expected {{"ohh": ...}} on lines of its own'


def record_of_ohh(hand: Mapping[str, Any]) -> HandRecord:
    """The hand of one ``ohh`` object, whose numbers with a fraction are :class:`~decimal.Decimal`.

    Raises:
        NotationError: it is not hold'em, something is missing, or its money does not add up.
        RulesError: an action is not legal where it stands.
    """
    try:
        straddled = any(action["action"] == "Straddle" for action in hand["rounds"][0]["actions"])
        ways = product((False, True)[: 1 + straddled], (False, True))
        fields = [_phh_fields(hand, raises_to, small_bets) for small_bets, raises_to in ways]
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise NotationError(f"the hand lacks a field or has a wrong one: {error}") from None
    first: DupaiError | None = None
    for one in fields:
        try:
            record = record_of_phh(one)
            if record.rake != one["_rake"] * record.spec.split:
                raise NotationError(f"the pots say a rake of {one['_rake']}: the players lose {sum(record.payoffs)}")
            # The winnings are in the payoffs.
            about = tuple((field, value) for field, value in record.about if field != "winnings")
            return msgspec.structs.replace(record, about=about)
        except DupaiError as error:
            first = first or error
    assert first is not None
    raise first


def _phh_fields(hand: Mapping[str, Any], raises_to: bool, small_bets: bool) -> dict[str, Any]:
    """The fields of a PHH table; ``raises_to``: the amount of a raise is the whole bet on the street; ``small_bets``:
    the smallest bet is the big blind, whatever the straddle is."""
    if hand["game_type"] != "Holdem":
        raise NotationError(f"{hand['game_type']}: not hold'em")
    rounds = [(r["street"], r.get("cards") or "", a) for r in hand["rounds"] for a in [None, *r["actions"]]]
    playing = {a["player_id"] for _, _, a in rounds if a and a["action"] not in _IDLE}
    players = [p for p in hand["players"] if p["id"] in playing]
    players.sort(key=lambda p: (p["seat"] - hand["dealer_seat"] - 1) % 1000)
    place = {p["id"]: k for k, p in enumerate(players)}
    cents = not hand.get("tournament") and hand.get("currency", _CHIPS).lower() not in ("", _CHIPS.lower(), "play")

    def chips(amount: Any) -> int:
        value = Decimal(str(amount)) * (100 if cents else 1)
        if value != int(value):
            raise NotationError(f"{amount} is not a whole number of {'cents' if cents else 'chips'}")
        return int(value)

    stacks = [chips(p["starting_stack"]) for p in players]
    nominal = {name: chips(hand.get(f"{name}_amount") or 0) for name in ("ante", "small_blind", "big_blind")}
    posted = {kind: [0] * len(players) for kind in ("ante", "blind")}
    actions: list[str] = []
    bets: dict[int, int] = {}
    hero, first = None, -1
    for street, cards, action in rounds:
        if action is None:
            actions += [f"d db {''.join(cards)}"] if cards else []
            bets = dict.fromkeys(range(len(players)), 0)
            continue
        if (kind := action["action"]) in _IDLE:
            continue
        k, put = place[action["player_id"]], chips(action.get("amount") or 0)
        two = "".join(action.get("cards") or ())
        name = _POSTS.get(kind, "")
        bets[k] += put * (name not in ("ante", "dead"))
        if first < 0 and street == _STREETS[0] and not name and kind != "Dealt Cards":
            first = k
        if name:
            # A player who is all-in posts less than the game asks for.
            left = stacks[k] - posted["ante"][k] - put
            due = put if left > 0 or name not in nominal else max(put, nominal[name])
            posted["ante" if name in ("ante", "dead") else "blind"][k] += due
        elif kind in ("Bet", "Raise"):
            bets[k] = put if raises_to and kind == "Raise" else bets[k]
            actions.append(f"p{k + 1} cbr {bets[k]}")
        elif kind in _PLAIN:
            shown = two if kind == "Shows Cards" else ""
            actions.append(f"p{k + 1} {_PLAIN[kind]} {shown}".strip())
        elif kind == "Dealt Cards":
            actions.append(f"d dh p{k + 1} {two or '????'}")
            hero = k if action["player_id"] == hand.get("hero_player_id") and two else hero
        else:
            raise NotationError(f"{kind} on the {street.lower()}: this kind of action is not read")
    won, fee = [0] * len(players), 0
    for win in (win for pot in hand["pots"] for win in pot["player_wins"]):
        won[place[win["player_id"]]] += chips(win["win_amount"])
        fee += chips(win.get("cashout_fee") or 0)
    order, big, limit = -1 if len(players) == 2 else 1, max(posted["blind"], default=0), hand["bet_limit"]["bet_type"]
    min_bet = nominal["big_blind"] if small_bets else big
    number = str(hand["game_number"])
    return {
        "variant": {"NL": "NT", "FL": "FT"}.get(limit, limit), "starting_stacks": stacks, "actions": actions,
        "antes": posted["ante"][::order], "blinds_or_straddles": posted["blind"][::order],
        **({"small_bet": big, "big_bet": 2 * big} if limit == "FL" else {"min_bet": min_bet}), "winnings": won,
        "_rake": sum(chips(pot.get(name) or 0) for pot in hand["pots"] for name in ("rake", "jackpot")),
        "players": [str(p["name"]) for p in players], "seats": [p["seat"] for p in players],
        "hand": int(number) if number.isdecimal() else number, **({} if hero is None else {"_hero": hero + 1}),
        **({"_first_player": [first, 0, 0, 0]} if first >= 0 else {}),
        **({"_unit": "cent"} if cents else {}), **({"_cash_out": fee} if fee else {}),
        **(_source(hand) if hand["site_name"] != _NO_SITE else {}),
    }  # fmt: skip


def _source(hand: Mapping[str, Any]) -> dict[str, Any]:
    """Site, table, currency and date, as PHH names them."""
    begun = datetime.fromisoformat(hand["start_date_utc"])
    texts = {"venue": "site_name", "table": "table_name", "currency": "currency"}
    return {
        **{field: str(hand[name]) for field, name in texts.items() if name in hand},
        **{field: getattr(begun, field) for field in ("year", "month", "day")},
        "time": begun.time().replace(microsecond=0), "time_zone": "UTC",
    }  # fmt: skip
