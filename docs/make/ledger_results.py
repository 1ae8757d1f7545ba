"""The ledger in shorter matches: some three hours on two cores.

    python docs/make/ledger_results.py ledger.db --jobs 2 --pictures docs/images
    python docs/make/ledger_results.py responses.db --part responses --jobs 2

``dupai reproduce ledger --full`` plays the same pairs for longer. Winnings: each learner and its twin play on the same
deals against every opponent, eight matches in both seatings, and ``changer`` changes its style four times a match.
Responses: eight lessons from each of two teachers, as long as a match of the winnings. Finished pieces stay in the
file, so that the same command resumes. The pictures show by hand what learning has won, over the styles and over the
personas.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dupai import __version__
from dupai.arena import SeatingTask, load_format, match_config
from dupai.base import F64, Estimate
from dupai.cli._common import progress
from dupai.experiments import chart_svg
from dupai.experiments._ledger import _config as config
from dupai.experiments._ledger._cells import Lesson, play_curve, respond
from dupai.experiments._ledger._report import Curves, cumulative, pays_from
from dupai.experiments._paper import Chart, Line
from dupai.jobs import Keeper, share_out

#: Hands of a match by learner.
HANDS = {
    "fold:reader=model": 300,
    "fold:paper": 500,
    "mcts": 80,
    "mcts:paper": 150,
    "swarm:variant=quick": 1500,
    "exp:model=model": 40,
}
MATCHES, SEED = 8, 41
#: Of the twenty blocks of a curve, so many are not drawn: the first hands scatter beyond the picture.
SKIPPED = 1
#: Everybody who does not change, those who teach in the responses first.
OPPONENTS = tuple(sorted((*config.STYLES, *config.PERSONAS), key=lambda spec: spec not in ("style:LA", "style:TP")))
#: Of the responses: teachers, and deals (both positions) of choosing and of measuring.
TEACHERS, CHOICE, PROOF = ("style:LA", "style:TP"), 40, 150


def opponents(hands: int) -> tuple[str, ...]:
    return (*OPPONENTS[:2], f"changer:every={hands // 4}", *OPPONENTS[2:])


def tasks(learner: config.Learner) -> dict[str, SeatingTask]:
    """By key: the seatings of a learner and its twin."""
    out, matches, hands = {}, load_format("match"), HANDS[learner.spec]
    for opponent in opponents(hands):
        for spec in (learner.spec, learner.twin):
            plan = match_config(
                [spec, opponent], hands=hands, matches=MATCHES, seed=SEED, duplicate=True, luck_reduced=True, curve=0
            )
            for t in matches.tasks(*plan):
                if t.start == 0:
                    whole = SeatingTask(t.entrants, t.config, t.rotation, t.match)
                    out[f"{spec}|{opponent}|{t.match}|{t.rotation}"] = whole
    return out


def text(values: F64) -> str:
    one = Estimate.of(values)
    low, high = one.interval()
    return f"{one.mean:+,.0f} ± {(high - low) / 2:,.0f}".replace("-", "−")


def taught() -> list[str]:
    """Who takes part in the responses."""
    return [learner.spec for learner in config.LEARNERS if learner.taught and learner.spec in HANDS]


def lessons() -> dict[str, Lesson]:
    """By key: match by match, those who are fast first."""
    return {
        f"{spec}|{teacher}|{m}": Lesson(spec, teacher, HANDS[spec], config.RESPONSES, CHOICE, PROOF, m, SEED)
        for m in range(MATCHES)
        for spec in sorted(taught(), key=lambda spec: -HANDS[spec])
        for teacher in TEACHERS
    }


def responses(args: argparse.Namespace, fingerprint: dict[str, Any]) -> None:
    work = lessons()
    fingerprint = fingerprint | {"teachers": TEACHERS, "choice": CHOICE, "proof": PROOF}
    with Keeper(args.file, fingerprint) as keeper, progress("responses") as bar:
        found = share_out(respond, list(work.values()), jobs=args.jobs, progress=bar, keeper=keeper, keys=list(work))
    cells = {key: cell for key, cell in zip(work, found, strict=True) if cell is not None}
    heads = ("learner, hands", "learned from", "wins from its teacher", "from the response", "the same, fresh",
             "by the lesson", "response")  # fmt: skip
    print("|", " | ".join(heads), "|")
    print("|", " | ".join(["---"] * len(heads)), "|")
    for spec in taught():
        for teacher in TEACHERS:
            one = [cells[key] for m in range(MATCHES) if (key := f"{spec}|{teacher}|{m}") in cells]
            if len(one) < MATCHES:
                continue
            before, after, fresh = (np.array([c[name] for c in one]) for name in ("teacher", "response", "fresh"))
            (best, times), *_ = Counter(c["best"] for c in one).most_common(1)
            row = " | ".join(map(text, (before, after, fresh, after - fresh)))
            print(f"| `{spec}`, {HANDS[spec]:,} | `{teacher}` | {row} | `{best}` ({times} of {MATCHES}) |")


def curves_of(cells: Mapping[str, Any], learners: Sequence[config.Learner]) -> Curves:
    """The winnings of the finished pieces."""
    of = {spec: learner.spec for learner in learners for spec in (learner.spec, learner.twin)}
    return Curves({f"{of[key.split('|')[0]]}|{key}": cell for key, cell in cells.items()})


def mean_over(curves: Curves, learner: config.Learner, against: Sequence[str]) -> tuple[F64, F64, list[int]] | None:
    """mbb/hand by match and block, the mean over some opponents: what the learner won, and how much more than its twin;
    and the hand at which each block ends. None: not all of it is finished."""
    found = [(curves.matches(learner.spec, learner.spec, o), curves.gain(learner, o)) for o in against]
    if min(len(values) for pair in found for values in pair) < MATCHES:
        return None
    won, more = (np.mean([pair[k] for pair in found], axis=0) for k in (0, 1))
    return won, more, curves.ends[learner.spec, against[0]]


def over(values: F64, ends: list[int], first: int = 0) -> F64:
    """mbb/hand of each match from a block on."""
    weights = np.diff([0, *ends])[first:]
    return np.asarray(values[:, first:] @ weights / weights.sum())


def tabulate(curves: Curves, learners: Sequence[config.Learner]) -> None:
    """The means over the styles and over the personas, then every opponent: rows of which all matches are finished."""
    heads = ("learner, hands", "against", "won", "last quarter", "more than its twin", "last quarter",
             "ahead from hand")  # fmt: skip
    groups = {"four styles": config.STYLES, "five personas": config.PERSONAS}
    for means in (True, False):
        print("|", " | ".join(heads), "|")
        print("|", " | ".join(["---"] * len(heads)), "|")
        for learner in learners:
            hands = HANDS[learner.spec]
            for name, against in (groups if means else {f"`{o}`": (o,) for o in opponents(hands)}).items():
                found = mean_over(curves, learner, against)
                if found is None:
                    continue
                won, more, ends = found
                late = 3 * len(ends) // 4
                row = [text(over(values, ends, first)) for values in (won, more) for first in (0, late)]
                pays = pays_from(more, ends)
                row.append("–" if pays is None else f"{pays + 1:,}")
                print(f"| `{learner.spec}`, {hands:,} | {name} |", " | ".join(row), "|")
        print()


def picture(curves: Curves, learners: Sequence[config.Learner], name: str, others: Sequence[str]) -> Chart:
    """What learning has won by hand: the mean over some opponents."""
    lines = []
    for learner in learners:
        found = mean_over(curves, learner, others)
        if found is None:
            continue
        _, more, ends = found
        gain = cumulative(more, ends) / ends
        points = [(float(e), Estimate.of(gain[:, k])) for k, e in enumerate(ends) if k >= SKIPPED]
        lines.append(Line.through(learner.spec, points))
    return Chart(name, "hand", "big blinds a hand more than its twin", lines, log_x=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--part", choices=("winnings", "responses"), default="winnings")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="where pictures of the winnings go")
    args = parser.parse_args()
    fingerprint: dict[str, Any] = {"dupai": __version__, "hands": HANDS, "matches": MATCHES, "seed": SEED}
    if args.part == "responses":
        responses(args, fingerprint)
        return
    learners = [learner for learner in config.LEARNERS if learner.spec in HANDS]
    work = {key: task for learner in learners for key, task in tasks(learner).items()}
    # Opponent by opponent, so that a run that was stopped has whole rows.
    place = {spec: n for hands in HANDS.values() for n, spec in enumerate(opponents(hands))}
    order = sorted(work, key=lambda key: place[key.split("|")[1]])
    with Keeper(args.file, fingerprint) as keeper, progress("ledger") as bar:
        found = share_out(
            play_curve, [work[key] for key in order], jobs=args.jobs, progress=bar, keeper=keeper, keys=order
        )
    cells = {key: cell for key, cell in zip(order, found, strict=True) if cell is not None}
    curves = curves_of(cells, learners)
    tabulate(curves, learners)
    if args.pictures:
        of = [learner for learner in learners if learner.taught]
        for name, others in (("styles", config.STYLES), ("personas", config.PERSONAS)):
            svg = chart_svg(picture(curves, of, name, others))
            (args.pictures / f"ledger-{name}.svg").write_text(svg + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
