"""PHH: what we write is read back by us, word for word, and by PokerKit with the same result."""

from __future__ import annotations

import io
import json
import warnings

import msgspec
import pytest
from pokerkit import HandHistory

from dupai.base import HistoryError, NotationError, Rng, RulesError
from dupai.cards import cards
from dupai.history import check_record
from dupai.notation import format_ohh, format_pokerstars, read_ohh, read_phh, read_sites, write_phhs
from dupai.notation.phh import PhhTable, format_phh, phh_actions, read_phh_tables, record_of_phh
from dupai.rules import Action, GameSpec, HandRecord, HandState, load_game
from naive.history_hands import random_record
from naive.rules_random import random_spec, random_stacks

AWKWARD = ('a"b', "c\\d", "é牌", "tab\tin", "x'y", "#no comment", "[1]", "line\nend", "\x7f", "i")


def random_records(seed: int, count: int, **kwargs) -> list[HandRecord]:
    rng = Rng(seed)
    out = []
    while len(out) < count:
        spec = random_spec(rng, **kwargs)
        if spec.betting == "pot-limit":
            continue
        n = spec.players
        seats = list(range(n))
        rng.shuffle(seats)
        out.append(
            random_record(
                spec,
                rng,
                hand=len(out) + 1,
                stacks=random_stacks(rng, spec),
                seats=tuple(seats),
                names=[AWKWARD[s] for s in seats],
                section="match A v B",
            )
        )
    return out


def test_every_record_comes_back() -> None:
    records = random_records(3, 400)
    text = "".join(write_phhs(records))
    assert list(read_phh(text.splitlines(keepends=True))) == records
    assert [t.name for t in read_phh_tables(text.split("\n")) if isinstance(t, PhhTable)] == [
        str(i) for i in range(1, 401)
    ]
    for record in records:
        check_record(record)


def pokerkit_stacks(text: str) -> list[list[float]]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hands = list(HandHistory.load_all(io.BytesIO(text.encode())))
    out = []
    for hand in hands:
        states, actions = zip(*hand.state_actions, strict=True)
        # Every action of ours was taken as it stands, and the hand is over.
        assert [a for a in actions if a is not None] == hand.actions
        assert not states[-1].status
        out.append([float(s) for s in states[-1].stacks])
    return out


def somebody_can_answer(state: HandState) -> bool:
    """Whether an opponent has more than the bet faced (PokerKit refuses a raise against nobody but shorter stacks)."""
    top = max(state.contributions)
    return any(
        c + s > top
        for i, (c, s) in enumerate(zip(state.contributions, state.stacks, strict=True))
        if i != state.actor and not state.folded[i] and s
    )


def test_pokerkit_reads_what_we_write() -> None:
    """Casino rules, unequal stacks, equal antes: the same final stacks.

    All amounts are multiples of 60, so that no pot leaves an odd chip (PokerKit shares them out pot by pot in another
    order), and nobody is all-in with less than a limit bet (where its half-bet rule differs).
    """
    rng = Rng(4)
    records = []
    for hand in range(240):
        n = 2 + rng.below(9)
        ante = 60 * rng.below(2)
        if hand % 4 == 0:
            spec = GameSpec.limit(n, (60, 120), (120, 120, 240, 240), 60_000, ante)
            stacks = tuple(60 * (100 + rng.below(50)) for _ in range(n))
        else:
            spec = GameSpec.no_limit(n, (60, 120), 60_000, ante)
            stacks = tuple(60 * (4 + rng.below(60)) for _ in range(n))
        state = HandState.deal(spec, rng, stacks=stacks, hand=hand)
        while not state.finished:
            legal = state.legal
            dice = rng.below(10)
            if dice == 0 and legal.fold:
                state.apply(Action.fold())
            elif dice > 6 and legal.can_raise and somebody_can_answer(state):
                more = rng.below((legal.max_to - legal.min_to) // 60 + 1)
                state.apply(Action.raise_to(legal.min_to + 60 * (more if dice == 9 else 0)))
            else:
                state.apply(Action.call())
        records.append(state.record())
    showdowns = [r for r in records if any(r.shown)]
    assert len(showdowns) > 150
    assert sum(p > 0 for r in records for p in r.payoffs) > len(records) + 20, "side pots and splits"
    for record, stacks in zip(records, pokerkit_stacks("".join(write_phhs(records))), strict=True):
        assert stacks == [s + p for s, p in zip(record.stacks, record.payoffs, strict=True)], record


def test_antes_of_one_player_heads_up_are_his() -> None:
    spec = GameSpec.no_limit(2, (50, 100), 1000, ante=(100, 0))  # the big blind posts it
    state = HandState(spec, ["AsAh", "KsKh"], "2c7d9hJs4d")
    for to in (300, 0, 0, 0, 0, 0, 0, 0):
        state.apply(Action.raise_to(to) if to else Action.call())
    record = state.record()
    assert record.payoffs == (300, -300)
    (back,) = read_phh(format_phh(record).splitlines())
    assert back.payoffs == record.payoffs and back.spec == record.spec
    assert pokerkit_stacks("[1]\n" + format_phh(record)) == [[1300, 700]]


def test_pokerkit_reads_hands_under_acpc_rules() -> None:
    rng = Rng(5)
    records = [random_record(load_game("holdem.nolimit.2p"), rng, hand=k) for k in range(60)]
    for record, stacks in zip(records, pokerkit_stacks("".join(write_phhs(records))), strict=True):
        assert stacks == [s + p / 2520 for s, p in zip(record.stacks, record.payoffs, strict=True)]


def test_a_hand_word_by_word() -> None:
    spec = GameSpec.no_limit(3, (10, 20), 500, 2)
    state = HandState(spec, ["AsKd", "7c7d", "Qh2c"], "7hAdTd4sKc", stacks=(300, 500, 80), seats=(2, 0, 1), hand=9)
    for action in (
        Action.raise_to(78),
        Action.call(),
        Action.call(),
        Action.call(),
        Action.raise_to(200),
        Action.call(),
    ):
        state.apply(action)
    state.apply(Action.raise_to(298))
    state.apply(Action.call())
    record = state.record(["Ann", "Bob", "Cid"], section="s")
    assert phh_actions(record) == [
        "d dh p1 AsKd",
        "d dh p2 7c7d",
        "d dh p3 Qh2c",
        "p3 cbr 78",
        "p1 cc",
        "p2 cc",
        "d db 7hAdTd",
        "p1 cc",
        "p2 cbr 122",
        "p1 cc",
        "d db 4s",
        "p1 cbr 98",
        "p2 cc",
        "p1 sm AsKd",
        "p2 sm 7c7d",
        "p3 sm Qh2c",
        "d db Kc",
    ]
    assert format_phh(record).splitlines()[:7] == [
        'variant = "NT"',
        "ante_trimming_status = true",
        "antes = [2, 2, 2]",
        "blinds_or_straddles = [10, 20, 0]",
        "min_bet = 20",
        "starting_stacks = [300, 500, 80]",
        format_phh(record).splitlines()[6],
    ]
    assert "seats = [3, 1, 2]\n" in format_phh(record)
    assert "finishing_stacks = [0, 880, 0]\n" in format_phh(record)


def test_heads_up_blinds_are_small_first() -> None:
    state = HandState(GameSpec.no_limit(2, (50, 100), 1000), ["AsKd", "7c7d"])
    state.apply(Action.fold())
    text = format_phh(state.record(["a", "b"]))
    assert "blinds_or_straddles = [50, 100]\n" in text
    assert '"p2 f"' in text
    assert "finishing_stacks = [1050, 950]" in text


def test_fractions_of_a_chip_are_decimals() -> None:
    spec = GameSpec.no_limit(3, (5, 10), 100, odd_chips="acpc", min_raise="acpc")
    state = HandState(spec, ["AsKd", "AhKc", "2c2d"], "QhJdTs3s4c")
    state.apply(Action.call())
    for _ in range(20):
        if state.finished:
            break
        state.apply(Action.fold() if state.actor == 2 and state.legal.fold else Action.call())
    assert state.finished
    record = state.record()
    assert record.payoffs == (5 * 2520, 5 * 2520, -10 * 2520)
    folded = HandState(spec, ["AsKd", "AhKc", "2c2d"], "QhJdTs3s4c")
    for action in (
        Action.raise_to(25),
        Action.call(),
        Action.call(),
        Action.call(),
        Action.raise_to(50),
        Action.fold(),
    ):
        folded.apply(action)
    folded.apply(Action.call())
    while not folded.finished:
        folded.apply(Action.call())
    text = format_phh(folded.record())
    assert "finishing_stacks = [112.5, 112.5, 75]" in text
    assert record_of_phh(next(t.fields for t in read_phh_tables(text.splitlines()) if isinstance(t, PhhTable))) == (
        folded.record()
    )


STRADDLED = """variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 4, 0]
min_bet = 2
starting_stacks = [200, 200, 200, 200]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "d dh p4 ????", "p4 cc", "p1 f", "p2 f", "p3 cc", \
"d db 2c7dTh", "p3 cbr 2", "p4 f"]
"""


def test_a_smallest_bet_below_the_straddle_comes_back_in_every_format() -> None:
    text = "[1]\n" + STRADDLED.replace("\\\n", "")
    (record,) = read_phh(text.splitlines())
    assert record.payoffs == (-1, -2, 7, -4)
    assert pokerkit_stacks(text) == [[200 + p for p in record.payoffs]]
    assert (record.spec.min_bet, record.spec.smallest_bet, record.spec.big_blind) == (2, 2, 4)
    written = "".join(write_phhs([record]))
    assert "min_bet = 2\n" in written
    assert list(read_phh(written.splitlines())) == [record]
    ((_, other),) = read_ohh(format_ohh(record).splitlines())
    (hand,) = read_sites(format_pokerstars(record).splitlines())
    for back in (other, hand.record):
        assert isinstance(back, HandRecord)
        assert (back.spec, back.actions, back.payoffs) == (record.spec, record.actions, record.payoffs)
    # With larger bets the straddle is taken for the smallest one.
    large = next(read_phh(text.replace("p3 cbr 2", "p3 cbr 4").replace("min_bet = 2", "min_bet = 4").splitlines()))
    ((_, other),) = read_ohh(format_ohh(large).splitlines())
    (hand,) = read_sites(format_pokerstars(large).splitlines())
    for back in (other, hand.record):
        assert isinstance(back, HandRecord)
        assert (back.spec, back.actions, back.payoffs) == (large.spec, large.actions, large.payoffs)


LATE = """\
PokerStars Hand #228695023643:  Hold'em No Limit ($0.05/$0.10 USD) - 2021/07/30 21:15:40 ET
Table 'T' 6-max Seat #1 is the button
Seat 1: Ann ($10 in chips)
Seat 2: Bob ($10 in chips)
Seat 3: Cid ($10 in chips)
Seat 4: Dee ($10 in chips)
Seat 5: Eve ($10 in chips)
Seat 6: Fay ($10 in chips)
Bob: posts small blind $0.05
Cid: posts big blind $0.10
Dee: posts small & big blinds $0.15
Eve: posts big blind $0.10
Fay: posts small blind $0.05
*** HOLE CARDS ***
Dealt to Ann [7c 7d]
Dee: checks
Eve: raises $0.20 to $0.30
Fay: folds
Ann: calls $0.30
Bob: folds
Cid: folds
Dee: calls $0.20
*** FLOP *** [Ks Ac Ad]
Dee: bets $1
Eve: folds
Ann: folds
Uncalled bet ($1) returned to Dee
Dee collected $1.09 from pot
*** SUMMARY ***
Total pot $1.15 | Rake $0.06
"""


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (LATE, ["Post SB", "Post BB", "Post Dead", "Post Extra Blind", "Post Extra Blind", "Post Dead"]),
        (
            LATE.replace("Dee: posts small & big blinds $0.15", "Dee: posts straddle $0.20")
            .replace("Dee: checks\nEve: raises $0.20 to $0.30", "Eve: raises $0.30 to $0.50")
            .replace("Ann: calls $0.30", "Ann: calls $0.50").replace("Dee: calls $0.20", "Dee: calls $0.30")
            .replace("$1.09", "$1.64").replace("$1.15", "$1.70"),
            ["Post SB", "Post BB", "Straddle", "Post Extra Blind", "Post Dead"],
        ),
    ],
)  # fmt: skip
def test_late_and_dead_blinds_go_out_and_come_back(text: str, kinds: list[str]) -> None:
    [hand] = read_sites(text.splitlines())
    record = hand.record
    assert record is not None, hand.error
    written = format_ohh(record)
    document = json.loads(written)["ohh"]
    posts = [a["action"] for a in document["rounds"][0]["actions"] if a["action"].startswith(("Post", "Straddle"))]
    assert sorted(posts) == sorted(kinds)
    assert (document["small_blind_amount"], document["big_blind_amount"], document["ante_amount"]) == (0.05, 0.1, 0)
    ((_, other),) = read_ohh(written.splitlines())
    (again,) = read_sites(format_pokerstars(record).splitlines())
    for back in (other, again.record):
        assert isinstance(back, HandRecord), (other, again.error)
        assert (back.spec, back.actions, back.payoffs) == (record.spec, record.actions, record.payoffs)


def test_what_a_cash_out_costs_goes_out_and_comes_back() -> None:
    [hand] = read_sites(LATE.splitlines())
    assert hand.record is not None
    record = msgspec.structs.replace(hand.record, about=(*hand.record.about, ("_cash_out", "35")))
    written = format_ohh(record)
    wins = json.loads(written)["ohh"]["pots"][0]["player_wins"]
    assert {"player_id": 5, "win_amount": 0, "cashout_fee": 0.35} in wins  # of Ann, who recorded the hand
    ((_, back),) = read_ohh(written.splitlines())
    assert isinstance(back, HandRecord)
    assert ("_cash_out", "35") in back.about and back.payoffs == record.payoffs


FOREIGN = """
# written by hand, in TOML's other ways
variant = 'NT'
antes = [0, 0, 0]   # none
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200,
  150, 100]
actions = [
  'd dh p1 ????', 'd dh p2 AsKd', "d dh p3 ????",
  'p3 cbr 6', 'p1 f', 'p2 cc # thinks long',
  'd db 2c3d4h', 'p2 cc', 'p3 cc', 'd db 5s', 'p2 cc', 'p3 cc', 'd db Qs', 'p2 cc', 'p3 cc',
  'p2 sm AsKd', 'p3 sm',
]
players = ['x', "y", 'z']
time = 00:00:26
finishing_stacks = [199, 156, 94]
_rake = 1
"""


def test_partial_knowledge_stays_partial() -> None:
    (record,) = read_phh(FOREIGN.splitlines())
    assert record.hole == ((255, 255), cards("AsKd"), (255, 255))
    assert record.shown == (False, True, False)
    assert record.board == cards("2c3d4h5sQs")
    assert record.payoffs == (-1, 6, -6)
    assert record.rake == 1
    again = next(read_phh(format_phh(record).splitlines()))
    assert again == record
    # A hand shown in the end was not known before, and is now.
    (seen,) = read_phh(FOREIGN.replace("'p3 sm'", "'p3 sm 9h9d'").replace("AsKd', 'p3", "AsKd', 'p3").splitlines())
    assert seen.hole[2] == cards("9h9d") and seen.shown == (False, True, True)


def test_cards_shown_as_unknown_stay_known() -> None:
    """So they do where a part of them is said again."""
    for said in ("????", "As??", "KdAs"):
        text = FOREIGN.replace("AsKd', 'p3", f"{said}', 'p3")
        (record,) = read_phh(text.splitlines())
        assert record.hole[1] == cards("AsKd")


@pytest.mark.parametrize(
    ("known", "unknown"),
    [("'d db 2c3d4h'", "'d db ??????'"), ("'d db 2c3d4h'", "'d db 2c3d??'"), ("'d db 5s'", "'d db ??'")],
)
def test_a_board_known_in_part_is_refused(known: str, unknown: str) -> None:
    """The cards that are known would move to the places of those that are not."""
    with pytest.raises(HistoryError, match="all cards of a street"):
        list(read_phh(FOREIGN.replace(known, unknown).splitlines()))


def test_seats_beyond_those_of_a_store_are_refused() -> None:
    with pytest.raises(HistoryError, match="expected numbers from 1 to 128"):
        list(read_phh(f"{FOREIGN}seats = [1, 2, 200]\n".splitlines()))


def test_winnings_give_payoffs_where_stacks_do_not() -> None:
    text = FOREIGN.replace("finishing_stacks = [199, 156, 94]", "winnings = [0, 12, 0]")
    (record,) = read_phh(text.splitlines())
    assert record.payoffs == (-1, 6, -6)
    raised = text.replace("'p2 cc # thinks long',", "'p2 f']").replace("winnings = [0, 12, 0]", "winnings = [0, 0, 5]")
    head, _, tail = raised.partition("]\n  'd db")
    raised = head + "]\nplayers" + tail.partition("]\nplayers")[2]
    (record,) = read_phh(raised.splitlines())
    # The uncalled part of the raise comes back and is no winnings.
    assert record.payoffs == (-1, -2, 3)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("variant = 'NT'", "variant = 'PO'", "variant = 'PO': expected 'NT' or 'FT'"),
        ("variant = 'NT'\n", "", "variant is missing"),
        ("min_bet = 2", "min_bet = 0", "min_bet = 0: expected 1 to 1000000000000"),
        ("antes = [0, 0, 0]", "antes = [0, 0]", "antes has 2 values: expected 3"),
        ("150, 100", "150, 1.5", "expected whole numbers of chips"),
        ("'p3 cbr 6'", "'p3 cbr 3'", "actions[3] = 'p3 cbr 3': raise to 3 refused: the smallest raise is to 4"),
        ("'p3 cbr 6'", "'p1 cbr 6'", "'p1 cbr 6': p3 is to act"),
        ("'p3 cbr 6'", "'p9 cbr 6'", "'p9' is not a player: expected p1 to p3"),
        ("'p3 cbr 6'", "'p3 all in'", "is not an action"),
        ("'d db Qs', 'p2 cc', 'p3 cc',", "'d db Qs', 'p2 cc',", "stop before the hand is over: p3 may check"),
        ("2c3d4h", "2c3dAs", "card As is dealt twice"),
        ("2c3d4h", "2c3d4h5c", "'d db 2c3d4h5c': the betting so far opens 3 cards of the board"),
        ("'p3 cbr 6'", "'d db 2c3d4h', 'p3 cbr 6'", "the betting so far opens 0 cards of the board"),
        ("AsKd', 'p3", "AsKc', 'p3", "holds AsKd by an earlier action"),
        ("'x', \"y\", 'z'", "'x'", "players has 1 names: expected 3"),
        ("[199, 156, 94]", "[199, 156]", "finishing_stacks has 2 values: expected 3"),
        ("min_bet = 2", "min_bet = = 2", "is not TOML"),
    ],
)
def test_bad_hands_say_what_was_expected(old: str, new: str, says: str) -> None:
    assert old in FOREIGN
    text = "[1]" + FOREIGN + "\n[2]" + FOREIGN.replace(old, new) + "\n[3]" + FOREIGN
    errors: list[str] = []
    assert len(list(read_phh(text.splitlines(), source="x.phhs", errors=errors))) == 2
    (error,) = errors
    start = text.splitlines().index("[2]") + 1
    assert error.startswith(f"x.phhs:{start}: ")
    assert says in error
    with pytest.raises(HistoryError):
        list(read_phh(text.splitlines()))


def test_what_phh_cannot_say_is_refused() -> None:
    state = HandState(GameSpec.pot_limit(2), ["AsKd", "7c7d"])
    state.apply(Action.fold())
    with pytest.raises(NotationError, match="pot-limit"):
        format_phh(state.record())
    broken = state.record()
    fields = {f: getattr(broken, f) for f in broken.__struct_fields__}
    with pytest.raises(RulesError):
        format_phh(HandRecord(**fields | {"actions": (Action.raise_to(1),), "spec": GameSpec.no_limit(2)}))
