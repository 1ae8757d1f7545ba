"""Tables with people: seats, sealed decks, chips, and what is left of them after a crash."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import msgspec
import pytest

from dupai.arena.live import Companion, DeckSeal, LiveSettings, LiveState, LiveStore, LiveTable, SealedDeck, verify_deal
from dupai.base import ConfigError, NotationError, Rng, RulesError
from dupai.cards import cards_text, combo
from dupai.notation import view_from_text
from dupai.rules import Action, HandRecord, View


def table(people: int = 3, **settings: object) -> LiveTable:
    made = LiveTable(LiveSettings(seats=4, stack=1000, **settings))  # type: ignore[arg-type]
    for k in range(people):
        made.sit(f"p{k}")
    return made


def play(live: LiveTable, rng: Rng) -> None:
    while (seat := live.actor) is not None:
        assert live.now is not None
        legal = live.now.legal
        choices = [Action.call()] + ([Action.fold()] if legal.fold else [])
        choices += [Action.raise_to(legal.min_to), Action.raise_to(legal.max_to)] if legal.max_to else []
        live.act(seat, choices[rng.below(len(choices))])


def test_a_sealed_deck_deals_its_cards_in_order_and_shows_any_change() -> None:
    deck = SealedDeck.shuffled()
    live = table()
    state = live.deal(deck)
    order = verify_deal(deck.hash, deck.nonce, deck.deck)
    assert [c for two in state.hole for c in two] == list(order[:6])
    assert state.state["board"][0].tolist() == list(order[6:11])
    with pytest.raises(ConfigError, match="not kept"):
        verify_deal(deck.hash, deck.nonce, cards_text([order[1], order[0], *order[2:]]))
    with pytest.raises(ConfigError, match="not kept"):
        verify_deal(deck.hash, "00", deck.deck)
    with pytest.raises(NotationError, match="expected hexadecimal digits"):
        verify_deal(deck.hash, "\udcff", deck.deck)
    with pytest.raises(NotationError, match="expected 52"):
        verify_deal(deck.hash, deck.nonce, "AsKd")
    assert len({SealedDeck.shuffled().deck for _ in range(20)}) == 20


def test_each_person_adds_to_the_deck_and_nobody_sees_a_share_first() -> None:
    def sha(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    shares = {"Ann": "a" * 64, "Bob": "b" * 64, "Cy": "c" * 64}
    seal = DeckSeal()
    for name in ("Ann", "Bob"):
        seal.take(name, sha(shares[name]))
    seal.take("Ann", "f" * 64)  # the first one counts
    seal.close(["Bob", "Cy", "Ann"])
    seal.take("Cy", sha(shares["Cy"]))  # too late
    seal.take("Ann", "e" * 64)  # not what was hashed
    for name in ("Bob", "Cy"):
        seal.take(name, shares[name])
    deck = seal.deck()
    assert deck.shares == (("Bob", shares["Bob"]), ("Cy", "-"), ("Ann", "-"))
    assert deck.hash == seal.hash == sha(deck.nonce)
    cards = [f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs"]
    text = f"{deck.nonce}:{shares['Bob']}:-:-:"
    assert deck.deck == "".join(sorted(cards, key=lambda card: sha(text + card)))
    chosen = SealedDeck(deck.deck, deck.nonce)
    assert verify_deal(chosen.hash, chosen.nonce, chosen.deck)
    with pytest.raises(ConfigError, match="not kept"):  # the dealer's choice, shown with shares that did not count
        verify_deal(chosen.hash, chosen.nonce, chosen.deck, [shares["Bob"], "-", "-"])
    assert verify_deal(seal.hash, deck.nonce, deck.deck, [shares["Bob"], "-", "-"])
    with pytest.raises(ConfigError, match="another deck"):
        verify_deal(seal.hash, deck.nonce, deck.deck, ["-", "-", "-"])
    with pytest.raises(NotationError, match="64 hexadecimal digits"):
        DeckSeal().take("Ann", "0")


@pytest.mark.parametrize("settings", [{}, {"reset": True}, {"betting": "limit"}])
def test_chips_add_up_while_people_come_and_go(settings: dict[str, object]) -> None:
    live, rng = table(**settings), Rng(5)
    balance = 0
    for hand in range(60):
        for seat, one in enumerate(live.seats):
            if one.kind and one.stack == 0:
                live.fill(seat)
            if one.kind and hand % 9 == 8 and seat == hand % 4:
                balance += one.stack - one.bought
                live.leave(seat)
            elif not one.kind and hand % 5 == 0:
                live.sit(f"new{hand}", seat)
        if not live.can_deal:
            continue
        live.deal()
        play(live, rng)
        record = live.finish()
        assert sum(record.payoffs) == 0
        assert live.chips() + balance == 0
        assert all(s.stack >= 0 for s in live.seats)
    with pytest.raises(RulesError):
        live.finish()


def test_a_hand_goes_on_from_its_state_with_the_same_cards(tmp_path: Path) -> None:
    live = table()
    live.deal()
    live.act(live.actor, Action.raise_to(300))  # type: ignore[arg-type]
    store = LiveStore(tmp_path / "t.db")
    store.save("a", "{}", live.state)
    store.add_token("secret", "a", 1)
    del store  # not closed: as after a crash
    with LiveStore(tmp_path / "t.db") as again:
        (options, state) = again.tables()["a"]
        assert again.seat_of("secret", "a") == 1 and again.seat_of("other", "a") is None
        back = LiveTable(state.settings, state)
        assert back.now is not None and live.now is not None
        assert back.now.hole == live.now.hole and back.actor == live.actor and back.now.pot == live.now.pot
        rng = Rng(3)
        play(back, rng)
        record = back.finish()
        deck = back.state.deck
        assert deck is not None
        again.finished("a", options, back.state, record, deck)
        assert again.hands("a") == [(record, deck)]
        again.drop_tokens("a", 1)
        assert again.seat_of("secret", "a") is None
        again.remove("a")
        assert not again.tables() and not again.hands("a")


def test_whoever_leaves_in_a_hand_is_gone_after_it() -> None:
    live = table()
    live.deal()
    seat = live.actor
    assert seat is not None
    live.leave(seat)
    assert live.seats[seat].kind == "person"
    while live.actor is not None:
        live.give_up(live.actor)
    live.finish()
    assert not live.seats[seat].kind and not live.in_hand(seat)


def test_a_tournament_goes_on_while_somebody_is_away_and_ends_when_all_others_leave() -> None:
    live = table(people=3, tournament=True)
    live.deal()
    while live.actor is not None:
        live.give_up(live.actor)
    live.seats[0].away = live.seats[1].away = True
    live.finish()
    assert not live.state.ends and not live.can_deal
    live.seats[0].away = False
    assert live.can_deal
    live.leave(0)
    assert not live.state.ends
    live.leave(1)
    assert live.state.ends


def test_a_tournament_ends_with_one_player_and_its_blinds_rise() -> None:
    live, rng = table(people=4, tournament=True, level_hands=5), Rng(2)
    while live.can_deal:
        live.deal()
        play(live, rng)
        live.finish()
        assert sum(s.stack for s in live.seats) == 4000
    assert live.state.ends and len(live.next_players()) == 1
    assert live.state.blinds[1] >= 100
    with pytest.raises(RulesError, match="no rebuys"):
        live.fill(0)


def test_the_winner_of_a_tournament_may_leave_without_losing_it() -> None:
    live = table(2, tournament=True)
    live.deal()
    live.leave(1)
    live.act(live.actor, Action.fold()) if live.actor == 1 else live.act(live.actor, Action.raise_to(600))
    while not live.now.finished:
        live.give_up(live.actor)
    live.finish()
    assert live.state.ends
    before = live.seats[0].stack
    live.leave(0)
    assert before > 0 and (live.seats[0].stack, live.seats[0].survived) == (before, 0)


def test_what_makes_no_sense_is_refused() -> None:
    live = table()
    for name in ("", "p0", "x" * 25, "a\nb"):
        with pytest.raises(ConfigError, match="name"):
            live.sit(name)
    with pytest.raises(ConfigError, match="seat 2 is not free"):
        live.sit("new", 1)
    live.deal()
    with pytest.raises(RulesError, match="not your turn"):
        live.act((live.actor or 0) + 1, Action.call())
    with pytest.raises(RulesError, match="smallest raise"):
        live.act(live.actor or 0, Action.raise_to(101))
    with pytest.raises(ConfigError, match="seats"):
        LiveSettings(seats=1)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(live.state), type=LiveState) == live.state


def test_what_people_were_told_is_kept_until_they_leave(tmp_path: Path) -> None:
    with LiveStore(tmp_path / "t.db") as store:
        for seat, hand in ((1, 2), (0, 1), (1, 1)):
            store.add_review("a", seat, hand, b"%d" % hand)
        store.add_review("b", 1, 1, b"other")
    with LiveStore(tmp_path / "t.db") as again:
        assert again.reviews("a") == [(0, 1, b"1"), (1, 1, b"1"), (1, 2, b"2")]
        again.drop_reviews("a", 1)
        assert again.reviews("a") == [(0, 1, b"1")]
        again.remove("b")
        assert again.reviews("b") == []


def test_a_file_of_the_version_before_is_taken_up(tmp_path: Path) -> None:
    with LiveStore(tmp_path / "t.db") as store:
        store.save("a", "{}", table().state)
    with sqlite3.connect(tmp_path / "t.db") as old:
        old.execute("drop table reviews")
        old.execute("pragma user_version = 1")
    old.close()
    with LiveStore(tmp_path / "t.db") as again:
        assert set(again.tables()) == {"a"} and again.reviews("a") == []


def test_blinds_of_a_tournament_never_fall() -> None:
    """They used to when a player was out or sat out: the end of their rise was that of the players of this hand."""
    live = table(people=4, tournament=True, level_hands=1, blinds=(10, 20))
    rng, seen = Rng(5), [(10, 20)]
    while live.can_deal:
        live.deal()
        seen.append(live.state.blinds)
        play(live, rng)
        live.finish()
        assert max(seen) == seen[-1]
    assert seen[-1][1] <= 4000


def test_blinds_rise_while_somebody_sits_out() -> None:
    live = table(people=4, tournament=True, level_hands=1, blinds=(10, 20))
    live.seats[0].away = live.seats[1].away = True
    for hand in range(7):
        live.deal()
        assert live.state.blinds == (10 * 2**hand, 20 * 2**hand)
        while (seat := live.actor) is not None:
            live.give_up(seat)
        live.finish()


def test_readings_of_earlier_streets_are_made_once_in_a_hand_and_anew_after_a_hand_or_with_another_line() -> None:
    def spot(flop: str) -> View:
        return view_from_text(
            f"heads-up, button, AsKd; raises to 300, bb calls; flop 2c7dTh: {flop}; turn Ks: bb checks"
        )

    records: list[HandRecord] = []
    view, other = spot("bb checks, checks"), spot("bb checks, bets 300, bb calls")
    me, rival = view.seats[view.position], view.seats[1 - view.position]
    companion = Companion(("a", "b"), me, records, reader="start-table")
    earlier = companion.earlier(view, rival)
    assert [street for street, _ in earlier] == [0, 1]
    assert all(one is again for (_, one), (_, again) in zip(earlier, companion.earlier(view, rival), strict=True))
    assert companion.earlier(other, rival)[0][1] is earlier[0][1]
    assert companion.earlier(other, rival)[1][1] is not earlier[1][1]
    # As an observer reads the companion's own seat: its cards are not in it.
    assert companion.earlier(view, me)[0][1].p[combo(*view.hole)] > 0
    live = table()
    live.deal()
    play(live, Rng(1))
    records.append(live.finish())
    assert companion.earlier(view, rival)[0][1] is not earlier[0][1]
