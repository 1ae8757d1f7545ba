"""Value the actions before the flop in files of 'dupai train blueprint' that lack it.

    python docs/make/blueprint_openings.py FILE ... --boards 1000 --jobs 2

Training does the same at its end; for files that were made before it did, or to value on more boards.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from dupai.cfr import load_plan
from dupai.cfr.blueprint import StoredBlueprint, save_blueprint
from dupai.cli._common import progress


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--boards", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    for path in args.files:
        plan = load_plan(path)
        if not isinstance(plan, StoredBlueprint):
            print(f"{path}: a blueprint of a table has no such values")
            continue
        with progress(f"valuing {path.name}") as bar:
            openings = plan.opening_values(args.boards, jobs=args.jobs, progress=bar)
        if openings is None:
            return
        with np.load(path) as stored:
            arrays = {name: stored[name] for name in stored.files if name != "card"}
        size = save_blueprint(path, arrays, plan.card, openings)
        error = np.nanmean(openings.error[openings.error > 0]) / max(plan.card.game.blinds)
        print(f"{path}: {size / 1e6:.2f} MB, standard errors of {error:.3f} big blinds on average")


if __name__ == "__main__":
    main()
