"""Learn a response of each player against a blueprint, and write into its card what it wins on other boards.

    python docs/make/blueprint_responses.py FILE ... --passes 600 --boards 300 --jobs 2

Training does the same at its end, starting from its regrets. A file has none, so responses start here from the
blueprint's own probabilities, each counted as ``--start`` big blinds of regret. For files whose measurement is to be
made anew, or on more boards.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec
import numpy as np

from dupai.cfr import BlueprintSolver, StoredBlueprint, load_plan, save_blueprint
from dupai.cfr._blueprint._solver import _FADE, as_played
from dupai.cli._common import progress

#: The seed of the boards is that of training and this: none of them was learned on.
APART = 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--passes", type=int, default=600)
    parser.add_argument("--boards", type=int, default=300)
    parser.add_argument("--start", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    for path in args.files:
        plan = load_plan(path)
        if not isinstance(plan, StoredBlueprint):
            print(f"{path}: a blueprint of a table is not measured")
            continue
        card = plan.card
        solver = BlueprintSolver(card.game, card.menu, plan._cards, card.seed + APART, args.jobs, card.tremble)
        solver.plan[:] = plan._chances
        solver.regrets[:] = as_played(plan._chances) * np.float32(args.start / 255)
        solver.passes = _FADE
        with progress(f"measuring {path.name}") as bar:
            measured = solver.measure(args.passes, args.boards, progress=bar)
        if measured is None:
            return
        with np.load(path) as stored:
            arrays = {name: stored[name] for name in stored.files if name != "card"}
        save_blueprint(path, arrays, msgspec.structs.replace(card, measured=measured))
        won = measured.exploitability
        print(f"{path}: learned responses win {won.mean:.0f} mbb/hand (standard error {won.se:.0f})")


if __name__ == "__main__":
    main()
