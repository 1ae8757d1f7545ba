"""The reader ``bucket``: counting, the window, what unseen hands teach."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import dupai.reading
from dupai.agents import make_agent
from dupai.base import ConfigError, FileError, Rng
from dupai.cards import CLASS_TEXT, COMBO_CLASS, NO_CARD, as_cards, combo
from dupai.reading import Reader, legal_hands, load_reader
from dupai.reading.bucket import FACINGS, PRICED, BucketModel, BucketReader
from dupai.rules import Action, GameSpec, HandRecord, HandState
from dupai.spots import DID_BET, DID_FOLD, spots
from dupai.training import count_population, save_population
from naive.reading_bucket import naive_facing, naive_price, naive_table

SPEC = GameSpec.limit(2)
BUCKETS = 9
#: Sklansky and Malmuth's groups of starting hands, the best first.
SKLANSKY_MALMUTH = (
    "AA KK QQ JJ AKs",
    "TT AQs AJs KQs AKo",
    "99 JTs QJs KJs ATs AQo",
    "T9s KQo 88 QTs 98s J9s AJo KTs",
    "77 87s Q9s T8s KJo QJo JTo 76s 97s A9s A8s A7s A6s A5s A4s A3s A2s 65s",
    "66 ATo 55 86s KTo QTo 54s K9s J8s 75s",
    "44 J9o 64s T9o 53s 33 98o 43s 22 K8s K7s K6s K5s K4s K3s K2s T7s Q8s",
    "87o A9o Q9o 76o 42s 32s 96s 85s J8o J7s 65o 54o 74s K9o T8o",
)


def truth() -> np.ndarray:
    """How the player of these tests plays: ``[street, facing, bucket, (fold, call, raise)]``."""
    table = np.zeros((4, 4, BUCKETS, 3))
    strong = np.linspace(0.0, 1.0, BUCKETS)
    table[..., 2] = 0.05 + 0.75 * strong**2
    table[:, 1:, :, 0] = (0.9 * (1 - strong) ** 1.5) * (1 - table[:, 1:, :, 2])
    table[..., 1] = 1 - table[..., 0] - table[..., 2]
    return table


@cache
def played(hands: int = 600, seed: int = 3) -> tuple[HandRecord, ...]:
    """Hands of that player (seat 1) against ``fixed`` (seat 0), all cards known."""
    rng, table, model, other = Rng(seed), truth(), BucketModel(), make_agent("fixed")
    records = []
    for k in range(hands):
        seats = (0, 1) if k % 2 == 0 else (1, 0)
        state = HandState.deal(SPEC, rng, hand=k, seats=seats)
        while not state.finished:
            p = state.actor
            if seats[p] == 0:
                state.apply(other.act(state.view(p), rng))
                continue
            spot = spots(state)[-1]
            row = table[spot.street, naive_facing(spot), model.hand_buckets(spot.board)[combo(*state.hole[p])]]
            u = rng.uniform()
            if u < row[0] and state.legal.fold:
                state.apply(Action.fold())
            elif u >= 1 - row[2] and state.legal.can_raise:
                state.apply(Action.raise_to(state.legal.min_to))
            else:
                state.apply(Action.call())
        records.append(state.record())
    return tuple(records)


def seen_by_seat_0() -> list[HandRecord]:
    return [record.seen_by(record.seats.index(0)) for record in played()]


@pytest.mark.parametrize("learn", ["all", "shown"])
def test_counting_is_that_of_the_naive_twin(learn: str) -> None:
    records = seen_by_seat_0()[:8]
    model = BucketModel(5, BUCKETS, 2.0, learn, "even")
    for record in records:
        model.observe(record)
    naive, _ = naive_table(records, lambda r: r.seats.index(1), 5, BUCKETS, 2.0, learn == "shown")
    assert np.allclose(model.table(1), naive, atol=1e-9)


@cache
def without_limit(hands: int = 12, seed: int = 5) -> tuple[HandRecord, ...]:
    """No-limit hands of ``random`` (seat 1) against ``style:LA``, as seat 0 sees them."""
    rng, agents = Rng(seed), [make_agent("style:LA"), make_agent("random")]
    records = []
    for k in range(hands):
        seats = (0, 1) if k % 2 == 0 else (1, 0)
        state = HandState.deal(GameSpec.no_limit(2), rng, hand=k, seats=seats)
        while not state.finished:
            state.apply(agents[seats[state.actor]].act(state.view(state.actor), rng))
        records.append(state.record().seen_by(seats.index(0)))
    return tuple(records)


@pytest.mark.parametrize("strangers", ["population", "even"])
def test_counting_without_limit_is_that_of_the_naive_twin(strangers: str) -> None:
    records = list(without_limit())
    assert len({naive_facing(s) for r in records for s in spots(r)}) >= 5
    model = BucketModel(9, BUCKETS, 2.0, "all", strangers)
    for record in records:
        model.observe(record)
    (shipped,) = Path(dupai.reading.__file__).parent.rglob("population.npz")
    known = np.load(shipped)["counts"].tolist() if strangers == "population" else None
    naive, sizes = naive_table(records, lambda r: r.seats.index(1), 9, BUCKETS, 2.0, False, known)
    assert np.allclose(model.table(1), naive, atol=1e-9)
    assert np.allclose(model.sizes(1), sizes, atol=1e-9)
    assert model.sizes(1).sum(axis=2) == pytest.approx(1.0)
    # Other limits: what a limit player did says nothing here, and the other way round.
    assert np.allclose(model.table(1)[:, :PRICED], BucketModel().table(1)[:, :PRICED])


def test_an_all_in_teaches() -> None:
    """Who faces an all-in may not raise; what he does is counted all the same."""
    rng = Rng(2)
    callers, folders = BucketModel(), BucketModel()
    for model, action in ((callers, Action.call()), (folders, Action.fold())):
        for k in range(20):
            state = HandState.deal(GameSpec.no_limit(2), rng, hand=k)
            while not state.finished:
                state.apply(action if state.legal.max_to == 0 else Action.raise_to(state.legal.max_to))
            model.observe(state.record().seen_by(0))
    huge = naive_price(100, 102, 1, 0) + PRICED
    fresh = BucketModel().table(0)[0, huge, :, 0]
    calls, folds = (model.table(0)[0, huge, :, 0] for model in (callers, folders))
    assert (calls < 0.6 * fresh).all()
    assert (folds > fresh).all()


def test_sizes_are_learned_and_tell_hands() -> None:
    """A player who raises the least with weak hands and shoves others: then a shove says much of the hand."""
    rng, reader = Rng(4), BucketReader(joint=False)
    groups = reader.model.hand_buckets(())
    assert reader.model.sizes(1) == pytest.approx(0.25)
    for k in range(150):
        state = HandState.deal(GameSpec.no_limit(2), rng, hand=k, seats=(0, 1))
        assert state.seats[state.actor] == 1
        strong = groups[combo(*state.hole[state.actor])] >= 1
        state.apply(Action.raise_to(state.legal.max_to if strong else state.legal.min_to))
        state.apply(Action.fold())
        reader.observe(state.record())
    sizes = reader.model.sizes(1)[0]
    assert sizes[0, 3] < 0.1
    assert sizes[1:, 3].min() > 0.6
    # Nothing is known of what he does after the flop.
    assert reader.model.sizes(1)[1] == pytest.approx(0.25)
    found = []
    for to in ("min_to", "max_to"):
        state = HandState.deal(GameSpec.no_limit(2), rng, hand=200, seats=(0, 1))
        state.apply(Action.raise_to(getattr(state.legal, to)))
        found.append(reader.read(state.view(state.actor))[1].p[groups >= 1].sum())
    assert found[1] > 0.75
    assert found[0] < 0.25


def test_a_raise_of_the_only_legal_size_says_nothing_of_sizes() -> None:
    """A player raises everything small and shoves aces only, with deep stacks. With two big blinds the all-in is the
    only raise: it is as likely as the raise, and teaches no size."""
    rng, reader = Rng(4), BucketReader(joint=False)
    reader.model.hand_buckets(())
    aces, rest = combo(*as_cards("AsAh")), combo(*as_cards("7c2d"))
    for k in range(150):
        state = HandState.deal(GameSpec.no_limit(2), rng, hand=k, seats=(0, 1))
        top = reader.model.hand_buckets(())[combo(*state.hole[state.actor])] == BUCKETS - 1
        state.apply(Action.raise_to(state.legal.max_to if top else state.legal.min_to))
        state.apply(Action.fold())
        reader.observe(state.record())
    before = reader.model.sizes(1).copy()
    short = HandState.deal(GameSpec.no_limit(2), rng, hand=500, seats=(0, 1), stacks=[20000, 180])
    assert short.seats[short.actor] == 1
    spot = spots(short)[-1]
    p = reader.model.probs(spot)
    table = reader.model.table(1)[0, naive_facing(spot)][reader.model.hand_buckets(())]
    assert np.allclose(p[:, -1], table[:, 2], atol=1e-6)
    short.apply(Action.raise_to(180))
    reading = reader.read(short.view(None))[1].p
    assert reading[aces] / reading[rest] < 2
    short.apply(Action.fold())
    reader.observe(short.record())
    assert np.array_equal(reader.model.sizes(1), before)
    again = BucketModel()
    again.load(reader.model.save())
    assert np.allclose(again.sizes(1), before, atol=1e-9)


def test_probabilities_lie_on_legal_columns_with_short_stacks_too() -> None:
    rng, agent, model = Rng(6), make_agent("random"), BucketModel()
    for k, spec in enumerate((GameSpec.no_limit(3), GameSpec.pot_limit(3)) * 10):
        state = HandState.deal(spec, rng, hand=k, stacks=[(60, 180, 450, 1000, 20000)[rng.below(5)] for _ in range(3)])
        while not state.finished:
            spot = spots(state)[-1]
            p, legal = model.probs(spot), model.menu(spot).legal(spot)
            assert np.allclose(p[:, legal].sum(axis=1), 1, atol=1e-6)
            assert not p[:, ~legal].any()
            state.apply(agent.act(state.view(state.actor), rng))
        model.observe(state.record())


def test_strangers_fold_more_to_more() -> None:
    """The population folds its worst half to a shove more often than to a small bet, and strong hands less."""
    table = BucketModel().table(0)
    small, huge = PRICED + 1, PRICED + 5
    assert (table[:, huge, 2:5, 0] > table[:, small, 2:5, 0]).mean() > 0.7
    assert (table[:, PRICED + 1 :, 8, 0] < table[:, PRICED + 1 :, 3, 0]).all()
    assert not table[:, PRICED, :, 0].any()


def test_the_population_is_counted_from_known_cards(tmp_path) -> None:
    rng, agent = Rng(2), make_agent("random")
    known = []
    for k in range(10):
        state = HandState.deal(GameSpec.no_limit(2), rng, hand=k)
        while not state.finished:
            state.apply(agent.act(state.view(state.actor), rng))
        known.append(state.record())
    decisions = [s for r in known for s in spots(r) if s["max_to"] > 0 or s["to_call"] > 0]
    counts, hands = count_population([*known, *without_limit(2), *played(5)])
    assert hands == 10 + sum(all(NO_CARD not in two for two in r.hole) for r in without_limit(2))
    counts, hands = count_population([*known, *played(5)])
    assert (hands, counts.sum()) == (10, len(decisions))
    for facing in range(PRICED, FACINGS):
        assert counts[:, facing - PRICED].sum() == sum(naive_facing(s) == facing for s in decisions)
    save_population(counts, tmp_path / "counts.npz")
    assert (np.load(tmp_path / "counts.npz")["counts"] == counts).all()
    with pytest.raises(FileError, match="cannot be written"):
        save_population(counts, tmp_path / "none" / "counts.npz")


def test_probabilities_are_those_of_the_menu() -> None:
    model = BucketModel()
    for record in seen_by_seat_0()[:40]:
        model.observe(record)
        for spot in spots(record):
            menu = model.menu(spot)
            p = model.probs(spot)
            assert p.shape == (1326, 3)
            assert np.allclose(p.sum(axis=1), 1, atol=1e-6)
            assert not p[:, ~menu.legal(spot)].any()


def test_the_window_forgets() -> None:
    records = seen_by_seat_0()
    slid, fresh = BucketModel(30), BucketModel(30)
    for record in records[:100]:
        slid.observe(record)
    assert slid.hands(1) == 30
    # With shown hands only a window holds nothing but its own hands.
    slid, fresh = BucketModel(30, learn="shown"), BucketModel(30, learn="shown")
    shown = [r for r in records if all(r.shown)]
    for record in shown[:100]:
        slid.observe(record)
    for record in shown[70:100]:
        fresh.observe(record)
    assert np.allclose(slid.table(1), fresh.table(1), atol=1e-9)


def error(model: BucketModel, column: int) -> float:
    """Mean distance of P(action) from the truth at decisions facing one bet, over buckets as they come."""
    weights = np.zeros((4, BUCKETS))
    for record in played():
        for spot in spots(record):
            if spot.seats[spot.position] == 1 and naive_facing(spot) == 1:
                weights[spot.street, model.hand_buckets(spot.board)[combo(*record.hole[spot.position])]] += 1
    away = model.table(1)[:, 1, :, column] - truth()[:, 1, :, column]
    return float((np.abs(away) * weights).sum() / weights.sum())


def test_learning_from_showdowns_only_is_biased() -> None:
    """Who folds shows nothing: counted from shown hands a player who folds every third time never folds."""
    models = {learn: BucketModel(learn=learn) for learn in ("all", "shown")}  # type: ignore[arg-type]
    for record in seen_by_seat_0():
        for model in models.values():
            model.observe(record)
    done = [s for r in played() for s in spots(r) if s.seats[s.position] == 1 and naive_facing(s) == 1]
    folds = np.mean([s["did"] == DID_FOLD for s in done])
    raises = np.mean([s["did"] >= DID_BET for s in done])
    assert folds > 0.25
    # A few hands are shown although somebody would have folded: none, so only the smoothing is left.
    assert models["shown"].table(1)[0, 1, :, 0].max() < 0.05
    # The strongest group is dealt rarely: a few decisions beside the four of the smoothing.
    table = models["all"].table(1)
    assert table[0, 1, 0, 0] > 2 * table[0, 1, BUCKETS - 1, 0]
    assert error(models["all"], 0) < 0.6 * error(models["shown"], 0)
    # Shown hands hold too many raises, too: the hands that folded are missing below the line.
    assert raises < np.mean(
        [
            s["did"] >= DID_BET
            for r in played()
            if all(r.shown)
            for s in spots(r)
            if s.seats[s.position] == 1 and naive_facing(s) == 1
        ]
    )


def test_reading_gets_better_by_learning() -> None:
    records = seen_by_seat_0()
    learnt, fresh = BucketReader(), BucketReader()
    for record in records[:400]:
        learnt.observe(record)
    gains = []
    for full in played()[400:]:
        if not full.at().showdown:
            continue
        state = full.at(len(full.actions) - 1)
        me, other = full.seats.index(0), full.seats.index(1)
        view = state.view(me)
        hole = full.hole[other]
        legal = int(legal_hands(view, other).sum())
        gains.append([reader.read(view)[1].gain(combo(*hole), legal) for reader in (learnt, fresh)])
    mean = np.mean(gains, axis=0)
    assert len(gains) > 40
    assert mean[0] > mean[1] + 0.1
    assert mean[1] == pytest.approx(0.0, abs=1e-9)


def test_saved_windows_go_on() -> None:
    records = seen_by_seat_0()
    model = BucketModel(50)
    for record in records[:60]:
        model.observe(record)
    again = BucketModel(50)
    again.load(model.save())
    assert np.allclose(again.table(1), model.table(1), atol=1e-9)
    for record in records[60:90]:
        model.observe(record)
        again.observe(record)
    assert np.allclose(again.table(1), model.table(1), atol=1e-6)


@pytest.mark.parametrize(
    ("data", "says"), [(b"nonsense", "8 bytes are not"), (b"\x81\xa7players\x80", "10 bytes are not")]
)
def test_what_is_no_saved_window_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(ConfigError, match=f"{says} a saved bucket model: expected"):
        BucketModel().load(data)


def test_a_window_of_other_buckets_is_refused() -> None:
    model = BucketModel()
    other = BucketModel(buckets=model.buckets + 1)
    with pytest.raises(ConfigError, match=f"has {model.buckets} buckets: expected {other.buckets}"):
        other.load(model.save())


def test_groups_before_the_flop() -> None:
    buckets = BucketModel().hand_buckets(())
    at = {text: int(buckets[i == COMBO_CLASS][0]) for i, text in enumerate(CLASS_TEXT)}
    assert [at[h] for h in ("AA", "TT", "99", "88", "77", "66", "44", "87o", "72o")] == [8, 7, 6, 5, 4, 3, 2, 1, 0]
    listed = [(hand, 8 - k) for k, group in enumerate(SKLANSKY_MALMUTH) for hand in group.split()]
    assert len(listed) == len(dict(listed))
    assert at == dict.fromkeys(CLASS_TEXT, 0) | dict(listed)


def test_by_name_and_what_makes_no_sense() -> None:
    reader = load_reader("bucket:window=20,learn=shown")
    assert isinstance(reader, Reader)
    assert isinstance(reader, BucketReader)
    assert reader.model.window == 20
    for spec in ("bucket:window=0", "bucket:learn=none", "bucket:buckets=1", "bucket:strangers=any"):
        with pytest.raises(ConfigError):
            load_reader(spec)
    with pytest.raises(ConfigError, match="expected 'all' or 'shown'"):
        BucketModel(learn="none")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="expected 'population' or 'even'"):
        BucketModel(strangers="none")  # type: ignore[arg-type]
