"""The ledger in shorter matches: on two cores an hour for the first three opponents, about three more for all.

    python docs/make/ledger_results.py ledger.db --jobs 2
    python docs/make/ledger_results.py responses.db --part responses --jobs 2

``dupai reproduce ledger --full`` plays the same pairs for longer. Winnings: each learner and its twin play on the same
deals against every opponent, eight matches in both seatings, and ``changer`` changes its style four times a match.
Responses: eight lessons from each of two teachers, as long as a match of the winnings. Finished pieces stay in the
file, so that the same command resumes.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from dupai import __version__
from dupai.arena import SeatingTask, load_format, match_config
from dupai.base import F64, Estimate
from dupai.cli._common import progress
from dupai.experiments._ledger import _config as config
from dupai.experiments._ledger._cells import Lesson, play_curve, respond
from dupai.jobs import Keeper, share_out

#: Hands of a match by learner.
HANDS = {"fold:reader=model": 300, "fold:paper": 500, "mcts": 80, "mcts:paper": 150, "swarm:variant=quick": 1500}
MATCHES, SEED = 8, 41
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


def lessons() -> dict[str, Lesson]:
    """By key: match by match, those who are fast first."""
    return {
        f"{spec}|{teacher}|{m}": Lesson(spec, teacher, HANDS[spec], config.RESPONSES, CHOICE, PROOF, m, SEED)
        for m in range(MATCHES)
        for spec in sorted(HANDS, key=lambda spec: -HANDS[spec])
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
    for spec, hands in HANDS.items():
        for teacher in TEACHERS:
            one = [cells[key] for m in range(MATCHES) if (key := f"{spec}|{teacher}|{m}") in cells]
            if len(one) < MATCHES:
                continue
            before, after, fresh = (np.array([c[name] for c in one]) for name in ("teacher", "response", "fresh"))
            (best, times), *_ = Counter(c["best"] for c in one).most_common(1)
            row = " | ".join(map(text, (before, after, fresh, after - fresh)))
            print(f"| `{spec}`, {hands:,} | `{teacher}` | {row} | `{best}` ({times} of {MATCHES}) |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--part", choices=("winnings", "responses"), default="winnings")
    parser.add_argument("--jobs", type=int, default=1)
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

    def blocks(spec: str, opponent: str) -> F64:
        """mbb/hand by match and block, both seatings."""
        both = [[cells.get(f"{spec}|{opponent}|{m}|{r}") for r in (0, 1)] for m in range(MATCHES)]
        return np.array([np.mean([c["reduced"] for c in pair if c], axis=0) for pair in both if all(pair)])

    print("| learner, hands | against | won | last quarter | more than its twin | last quarter |")
    print("| --- | --- | --- | --- | --- | --- |")
    for learner in learners:
        for opponent in opponents(HANDS[learner.spec]):
            mine, twin = blocks(learner.spec, opponent), blocks(learner.twin, opponent)
            if len(mine) < MATCHES or len(twin) < MATCHES:
                continue
            late = 3 * mine.shape[1] // 4
            row = [mine.mean(axis=1), mine[:, late:].mean(axis=1)]
            row += [row[0] - twin.mean(axis=1), row[1] - twin[:, late:].mean(axis=1)]
            print(f"| `{learner.spec}`, {HANDS[learner.spec]:,} | `{opponent}` |", " | ".join(map(text, row)), "|")


if __name__ == "__main__":
    main()
