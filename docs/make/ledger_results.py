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
from dupai.experiments._ledger._report import cumulative, pays_from
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
#: Of twenty blocks, the first that is drawn.
FIRST = 1
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


def blocks(cells: Mapping[str, Any], spec: str, against: Sequence[str]) -> tuple[F64, list[int]]:
    """mbb/hand of finished matches by block, the mean of both seatings and of some opponents; where each block ends."""
    found: list[F64] = []
    ends: list[int] = []
    for match in range(MATCHES):
        pieces = [cells.get(f"{spec}|{opponent}|{match}|{r}") for opponent in against for r in (0, 1)]
        some = [piece for piece in pieces if piece]
        if len(some) == len(pieces):
            found.append(np.mean([piece["reduced"] for piece in some], axis=0))
            ends = some[0]["ends"]
    return np.array(found), ends


def over(values: F64, ends: list[int], first: int = 0) -> F64:
    """mbb/hand of each match from a block on."""
    weights = np.diff([0, *ends])[first:]
    return np.asarray(values[:, first:] @ weights / weights.sum())


def tabulate(cells: Mapping[str, Any], learners: Sequence[config.Learner]) -> None:
    """The rows of which every match is finished, and the means over the styles and the personas."""
    heads = (
        "learner, hands",
        "against",
        "won",
        "last quarter",
        "more than its twin",
        "last quarter",
        "ahead from hand",
    )
    print("|", " | ".join(heads), "|")
    print("|", " | ".join(["---"] * len(heads)), "|")
    for learner in learners:
        hands = HANDS[learner.spec]
        rows = {f"`{opponent}`": (opponent,) for opponent in opponents(hands)}
        for name, against in {**rows, "mean of the styles": config.STYLES, "of the personas": config.PERSONAS}.items():
            mine, ends = blocks(cells, learner.spec, against)
            twin, _ = blocks(cells, learner.twin, against)
            if len(mine) < MATCHES or len(twin) < MATCHES:
                continue
            late = 3 * len(ends) // 4
            row = [text(over(values, ends, first)) for values in (mine, mine - twin) for first in (0, late)]
            pays = pays_from(mine - twin, ends)
            row.append("–" if pays is None else f"{pays + 1:,}")
            print(f"| `{learner.spec}`, {hands:,} | {name} |", " | ".join(row), "|")


def picture(cells: Mapping[str, Any], learners: Sequence[config.Learner], name: str, others: Sequence[str]) -> Chart:
    """What learning has won by hand: the mean over some opponents."""
    lines = []
    for learner in learners:
        (mine, ends), (twin, _) = (blocks(cells, spec, others) for spec in (learner.spec, learner.twin))
        gain = cumulative(mine - twin, ends) / ends
        # The first hands scatter beyond the picture.
        points = [(float(e), Estimate.of(gain[:, k])) for k, e in enumerate(ends) if k >= FIRST]
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
    tabulate(cells, learners)
    if args.pictures:
        for name, others in (("styles", config.STYLES), ("personas", config.PERSONAS)):
            chart = picture(cells, [learner for learner in learners if learner.taught], name, others)
            (args.pictures / f"ledger-{name}.svg").write_text(chart_svg(chart) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
