"""Seeding inside kernels gives NumPy's numbers."""

import numpy as np
import pytest

from dupai.base import Rng, next_word, seed_stream_kernel

SEEDS = (0, 1, 7, 2**31, 2**32 - 1, 2**32, 2**33 + 5, 2**63 - 1, 2**64 - 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_as_numpy(seed: int) -> None:
    random = np.random.default_rng(seed)
    keys = [(0, 0, 0), (0, 1, 0), (2**32 - 1,) * 3, *random.integers(0, 2**32, (50, 3)).tolist()]
    out = np.empty(4, np.uint64)
    for key in keys:
        seed_stream_kernel(np.uint64(seed), *key, out)
        truth = np.random.SeedSequence(seed, spawn_key=tuple(key)).generate_state(4, np.uint64)
        assert out.tolist() == truth.tolist()
        assert int(next_word(out)) == Rng(seed, *key).word()
