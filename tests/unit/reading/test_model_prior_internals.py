"""What is known of persons beforehand: learned from others, kept in a reader's file, used of strangers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupai.base import FileError, NoProgress
from dupai.cards import COMBO_CLASS, COMBOS, combo
from dupai.reading import load_reader
from dupai.reading._model._habits import (
    DECISION_KINDS,
    HABIT_STAGES,
    LEARNED_TRUST,
    PLAIN_PRIOR,
    Decision,
    HabitPrior,
    Habits,
    KnownHabits,
    habit_prior,
    preflop_traits,
)
from dupai.reading._model._reader import ModelReader
from dupai.reading._model._weights import SHIPPED_READER, load_weights, network_arrays, save_networks, save_with_priors
from dupai.reading.populations import HEADS_UP, SIX_MAX, UNKNOWN
from dupai.rules import Action, GameSpec, HandRecord, HandState
from dupai.training._model._persons import as_arrays, known_persons, learned_prior, of_arrays, priors_of

Array = Any
SPEC = GameSpec.no_limit(2, (50, 100), 20_000)
SIZE = HABIT_STAGES[0].size


def shifted_by(amount: float, precision: float = 1.0) -> HabitPrior:
    """Persons who all fold so much more, at every kind of decision."""
    mean = [m.copy() for m in PLAIN_PRIOR.mean]
    for m in mean:
        m[DECISION_KINDS, 0] = amount
    return habit_prior(mean, [p * precision for p in PLAIN_PRIOR.precision])


def common(count: int, seed: int) -> tuple[np.random.Generator, Array]:
    """What persons are like who fold as much more as they raise less, and what more is to be drawn with."""
    rng = np.random.default_rng(seed)
    truth = np.zeros((count, SIZE))
    truth[:, 0] = rng.normal(0.5, 0.8, count)
    truth[:, 7] = -truth[:, 0]
    return rng, truth


def drawn(count: int, seed: int = 1) -> tuple[list[KnownHabits], Array]:
    """Persons who have in common, at all kinds, that they fold as much more as they raise less; and what they are like.

    What their hands tell is a draw around it, the prior put in as learning puts it in.
    """
    persons, (rng, truth) = [], common(count, seed)
    for at in truth:
        means, informations = [], []
        for k, stage in enumerate(HABIT_STAGES):
            size = stage.size
            root = rng.normal(size=(DECISION_KINDS, size, 2 * size)) * 2
            information = root @ root.swapaxes(1, 2)
            both = np.zeros(((DECISION_KINDS + 1) * size,) * 2)
            for kind in range(DECISION_KINDS):
                for rows in (kind, DECISION_KINDS):
                    for columns in (kind, DECISION_KINDS):
                        both[rows * size :, columns * size :][:size, :size] += information[kind]
            real = np.zeros((DECISION_KINDS + 1, size))
            real[DECISION_KINDS, :] = at if k == 0 else 0
            linear = both @ real.ravel()
            for kind in range(DECISION_KINDS + 1):
                mine = slice(kind * size, (kind + 1) * size)
                both[mine, mine] += PLAIN_PRIOR.precision[k][int(kind == DECISION_KINDS)]
            means.append(np.linalg.solve(both, linear).reshape(DECISION_KINDS + 1, size))
            informations.append(information)
        persons.append(KnownHabits(HEADS_UP, 900, tuple(means), tuple(informations)))
    return persons, truth


def density(prior: HabitPrior, numbers: Array) -> float:
    """Mean log density of what persons share before the flop."""
    precision, off = prior.precision[0][1], numbers - prior.mean[0][DECISION_KINDS]
    return float(np.mean(np.linalg.slogdet(precision)[1] / 2 - np.einsum("ni,ij,nj->n", off, precision, off) / 2))


# learning -----------------------------------------------------------------------------------------------------------


def test_a_prior_is_what_persons_have_in_common() -> None:
    persons, truth = drawn(30)
    prior = learned_prior(persons)
    covariance = np.linalg.inv(prior.precision[0][1])
    assert covariance[0, 7] < -0.25, "who folds more raises less"
    assert prior.mean[0][DECISION_KINDS, 0] == pytest.approx(truth[:, 0].mean() * 30 / 35, abs=0.15)
    assert prior.mean[0][DECISION_KINDS, 7] == pytest.approx(truth[:, 7].mean() * 30 / 35, abs=0.15)
    _, others = common(200, seed=2)
    assert density(prior, others) > density(PLAIN_PRIOR, others) + 1, "the next one is better foretold"
    for p in prior.precision:
        assert np.array_equal(p, p.swapaxes(1, 2)) and (np.linalg.eigvalsh(p) > 0).all()
    assert prior.trust == LEARNED_TRUST


def test_expectation_maximisation_is_that_of_all_numbers_at_once() -> None:
    """A naive twin of one round: the posterior of each person over all his numbers, second moments averaged."""
    persons, _ = drawn(3)
    size = SIZE
    began = [np.linalg.inv(PLAIN_PRIOR.precision[0][row]) for row in (0, 1)]
    covariance = [c.copy() for c in began]
    for _ in range(8):
        own, shared = 15 * DECISION_KINDS * began[0], 15 * began[1]
        for p in persons:
            n = (DECISION_KINDS + 1) * size
            # How each kind's numbers are made of all: what is his own there and what is shared.
            takes = np.zeros((DECISION_KINDS, size, n))
            for kind in range(DECISION_KINDS):
                takes[kind][:, kind * size :][:, :size] = np.eye(size)
                takes[kind][:, DECISION_KINDS * size :] = np.eye(size)
            seen = sum(t.T @ i @ t for t, i in zip(takes, p.information[0], strict=True))
            plain, now = np.zeros((n, n)), np.zeros((n, n))
            for kind in range(DECISION_KINDS + 1):
                mine = slice(kind * size, (kind + 1) * size)
                plain[mine, mine] = PLAIN_PRIOR.precision[0][int(kind == DECISION_KINDS)]
                now[mine, mine] = np.linalg.inv(covariance[int(kind == DECISION_KINDS)])
            spread = np.linalg.inv(seen + now)
            at = spread @ (seen + plain) @ p.mean[0].ravel()
            second = spread + np.outer(at, at)
            for kind in range(DECISION_KINDS):
                mine = slice(kind * size, (kind + 1) * size)
                own = own + second[mine, mine]
            shared = shared + second[DECISION_KINDS * size :, DECISION_KINDS * size :]
        covariance = [own / (18 * DECISION_KINDS), shared / 18]
    prior = learned_prior(persons)
    assert np.allclose(np.linalg.inv(prior.precision[0][1]), covariance[1], atol=1e-8)
    assert np.allclose(np.linalg.inv(prior.precision[0][0])[:-1, :-1], covariance[0][:-1, :-1], atol=1e-8)


def test_of_nobody_the_deviations_stay() -> None:
    prior = learned_prior([])
    for k, p in enumerate(prior.precision):
        assert np.allclose(np.linalg.inv(p)[:, :-1, :-1], np.linalg.inv(PLAIN_PRIOR.precision[k])[:, :-1, :-1])
    assert all((m == 0).all() for m in prior.mean)


def test_populations_have_their_own() -> None:
    persons, _ = drawn(4)
    some = [*persons[:2], *(p._replace(population=SIX_MAX) for p in persons[2:])]
    priors = priors_of(some)
    assert set(priors) == {HEADS_UP, SIX_MAX}
    assert np.array_equal(priors[HEADS_UP].mean[0], learned_prior(persons[:2]).mean[0])
    assert not priors_of(persons[:1]), "one person is no population"


def test_persons_are_kept() -> None:
    persons, _ = drawn(2)
    back = of_arrays(as_arrays({"Ann": persons[0], "Bob": persons[1]}))
    assert list(back) == ["Ann", "Bob"]
    for one, other in zip(back.values(), persons, strict=True):
        assert (one.population, one.shown) == (other.population, other.shown)
        for a, b in zip((*one.mean, *one.information), (*other.mean, *other.information), strict=True):
            assert np.array_equal(a, b)
    assert of_arrays(as_arrays({})) == {}


def raised(hand: int, hole: tuple[int, int]) -> HandRecord:
    """Bob raises this hand, is called, and all is checked down; Ann's hand is any."""
    left = [c for c in range(52) if c not in hole][hand % 40 :]
    state = HandState(SPEC, ((left[0], left[1]), hole), tuple(left[2:7]), hand=hand)
    state.apply(Action.raise_to(300))
    while not state.finished:
        state.apply(Action.call())
    return state.record(["DeepStack", "Bob"])


def test_who_is_looked_at_is_known_by_all_his_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [raised(hand, (20, 1)) for hand in range(40)]
    look = NoProgress()
    assert not known_persons(str(SHIPPED_READER), records, [HEADS_UP], look), "of forty hands nothing is learned"
    monkeypatch.setattr("dupai.training._model._persons.FEWEST", 40)
    found = known_persons(str(SHIPPED_READER), records, [HEADS_UP], look)
    assert set(found) == {"Bob"} and found["Bob"].shown == 40 and found["Bob"].population == HEADS_UP
    again = known_persons(str(SHIPPED_READER), records[:20] + records[:20], [HEADS_UP], look)["Bob"]
    assert again.shown == 40
    assert not known_persons(str(SHIPPED_READER), records, [SIX_MAX], look), "of whom else there are none"


# use ----------------------------------------------------------------------------------------------------------------


def test_a_stranger_is_what_persons_like_him_are() -> None:
    habits, logits = Habits({HEADS_UP: shifted_by(0.9)}), np.zeros((169, 9), np.float32)
    there, elsewhere = (habits.shifted("Ann", 4, preflop_traits(), logits, g) for g in (HEADS_UP, SIX_MAX))
    # The mean of the scales, none of which has foretold anything yet.
    assert np.allclose(there[:, 0], 0.9 * np.mean([0.08, 0.28, 1.0])) and (there[:, 1:] == 0).all()
    assert elsewhere is logits


def decision() -> Decision:
    rng = np.random.default_rng(3)
    hands, legal = rng.random(COMBOS), np.array([True, True, False, True, True, False, True, False, True])
    logits = rng.normal(size=(169, 9)).astype(np.float32)
    return Decision(4, 1, logits, legal, preflop_traits(), COMBO_CLASS.astype(np.int64), hands / hands.sum())


def test_a_person_keeps_the_prior_of_where_he_was_met() -> None:
    priors, d = {HEADS_UP: shifted_by(0.9)}, decision()
    habits, again = Habits(priors), Habits(priors)
    for _ in range(6):
        habits.note("Ann", [d], d.range, combo(3, 51), HEADS_UP)
        habits.note("Ann", [d], d.range, None, SIX_MAX)
    again.load(habits.save())
    for h in (habits, again):
        h.note("Ann", [d], d.range, combo(3, 51), SIX_MAX)
    assert again.save() == habits.save()
    other = Habits()
    other.note("Ann", [d], d.range, combo(3, 51), HEADS_UP)
    one = Habits(priors)
    one.note("Ann", [d], d.range, combo(3, 51), HEADS_UP)
    assert other.save() != one.save()


def test_a_tight_prior_moves_less() -> None:
    d, moved = decision()._replace(column=0), []
    for precision in (1.0, 25.0):
        habits = Habits({HEADS_UP: shifted_by(0.0, precision)})
        for _ in range(10):
            habits.note("Ann", [d], d.range, None, HEADS_UP)
        shift = habits.shifted("Ann", 4, preflop_traits(), np.zeros((169, 9), np.float32), HEADS_UP)
        moved.append(shift[0, 0])
    assert 0 < moved[1] < 0.5 * moved[0]


# the file -----------------------------------------------------------------------------------------------------------


def test_a_reader_keeps_its_priors(tmp_path: Path) -> None:
    file, prior = tmp_path / "r.npz", learned_prior(drawn(5)[0])
    save_with_priors(None, file, {SIX_MAX: prior}, {"persons": ["Ann"]})
    weights, shipped = load_weights(str(file)), load_weights()
    assert weights.card == shipped.card | {"persons": ["Ann"]}
    assert set(weights.priors) == {*shipped.priors, SIX_MAX}
    got = weights.priors[SIX_MAX]
    for one, other in zip((*got.mean, *got.precision), (*prior.mean, *prior.precision), strict=True):
        assert np.allclose(one, other, rtol=1e-6, atol=1e-7)
    assert weights.gains == shipped.gains and weights.preflop.keys() == shipped.preflop.keys()
    assert [p.name for p in tmp_path.iterdir()] == ["r.npz"]
    bad = prior._replace(mean=(prior.mean[0][:, :-1], prior.mean[1]))
    file = tmp_path / "bad.npz"
    save_with_priors(None, file, {SIX_MAX: bad}, {})
    with pytest.raises(FileError, match="its priors of persons are not those of this program") as caught:
        load_reader(f"model:file={file}")
    assert str(file) in str(caught.value)


def test_what_ships_is_a_prior_of_people_heads_up() -> None:
    weights = load_weights()
    assert set(weights.priors) == {HEADS_UP}
    test = {"Pro14", "Pro22", "Pro29"}
    assert len(weights.card["persons"]) >= 9 and not test & set(weights.card["persons"])
    precision = weights.priors[HEADS_UP].precision
    assert all((np.linalg.eigvalsh(p) > 0).all() for p in precision)


def test_a_reader_without_a_prior_reads_strangers_as_anybody(tmp_path: Path) -> None:
    file = tmp_path / "r.npz"
    save_with_priors(None, file, {HEADS_UP: PLAIN_PRIOR}, {})
    state = HandState(SPEC, ((50, 51), (20, 1)), (), hand=0)
    state.apply(Action.raise_to(300))
    whom = "heads-up"
    readers = [ModelReader(whom, str(file)), ModelReader(whom), ModelReader(whom, adapt=False)]
    for reader in readers:
        reader.meet({0: "Ann", 1: "Bob"})
    plain, shipped, nobody = (reader.read(state.view(None))[1].p for reader in readers)
    assert np.allclose(plain, nobody, atol=1e-12) and np.abs(shipped - nobody).max() > 1e-5


def test_a_population_gets_networks_of_its_own_and_all_others_stay(tmp_path: Path) -> None:
    file, again = tmp_path / "r.npz", tmp_path / "again.npz"
    new = [network_arrays(SHIPPED_READER, street, HEADS_UP)[0] for street in (0, 1)]
    save_networks(None, file, UNKNOWN, new)
    save_networks(file, again, UNKNOWN, new)
    assert file.stat().st_size == again.stat().st_size  # instead of those it had
    for street in (0, 1):
        (own,) = network_arrays(again, street, UNKNOWN)
        assert all(np.array_equal(own[name], array) for name, array in new[street].items())
        for other in (-1, HEADS_UP, SIX_MAX):
            for one, was in zip(*(network_arrays(f, street, other) for f in (again, SHIPPED_READER)), strict=True):
                assert all(np.array_equal(one[name], was[name]) for name in was)
