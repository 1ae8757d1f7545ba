"""Solve the push/fold tables that ship: ``python tools/pushfold_tables.py`` rewrites ``pushfold.npz``."""

from __future__ import annotations

from typing import Any

import numpy as np

from dupai.base.files import whole_path
from dupai.cards import CLASSES
from dupai.cfr._pushfold._heads_up import PUSH_FOLD_ANTES, TABLE_FILE, exploit, solve_push_fold, stakes

#: The stacks and antes of the table, big blinds.
STACKS = tuple(k / 4 for k in range(4, 101))


def build_heads_up() -> dict[str, Any]:
    """Solve everything (a minute). Frequencies are ``float32``; values and exploitabilities are those of exactly these
    frequencies."""
    shape = (len(PUSH_FOLD_ANTES), len(STACKS))
    push, call = np.zeros((*shape, CLASSES), np.float32), np.zeros((*shape, CLASSES), np.float32)
    value, left = np.zeros(shape), np.zeros(shape)
    for i, ante in enumerate(PUSH_FOLD_ANTES):
        for j, stack in enumerate(STACKS):
            solution = solve_push_fold(stack, ante)
            push[i, j], call[i, j] = solution.push, solution.call
            value[i, j], left[i, j] = exploit(
                stakes(stack, ante), push[i, j].astype(np.float64), call[i, j].astype(np.float64)
            )
        print(f"ante {ante:g}: exploitability at most {1000 * left[i].max():.6f} mbb/hand")
    return {
        "stacks": np.array(STACKS),
        "antes": np.array(PUSH_FOLD_ANTES),
        "push": push,
        "call": call,
        "value": value,
        "exploitability": left,
    }


def main() -> None:
    """Rewrite the file that ships."""
    data = build_heads_up()
    with whole_path(TABLE_FILE) as part:
        np.savez_compressed(part, **data)
    print(f"{TABLE_FILE}: {TABLE_FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
