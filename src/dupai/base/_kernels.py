"""xoshiro256++ and unbiased bounded draws over a state of four ``uint64``."""

import numpy as np

from dupai.base._jit import kernel

_S11, _S17, _S19, _S23, _S32, _S41, _S45 = (np.uint64(n) for n in (11, 17, 19, 23, 32, 41, 45))
_LOW32, _ONE32 = np.uint64(0xFFFFFFFF), np.uint64(1 << 32)


@kernel
def next_word(s):
    """Next 64 bits of xoshiro256++; ``s`` is ``uint64[4]`` and advances."""
    s0, s1, s2, s3 = s[0], s[1], s[2], s[3]
    t = s0 + s3
    result = ((t << _S23) | (t >> _S41)) + s0
    t = s1 << _S17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s[0], s[1], s[2], s[3] = s0, s1, s2, (s3 << _S45) | (s3 >> _S19)
    return result


@kernel
def next_below(s, n):
    """Unbiased integer in [0, n), 1 <= n < 2**32 (Lemire 2019: multiply the high 32 bits, reject the short tail)."""
    n = np.uint64(n)
    m = (next_word(s) >> _S32) * n
    low = m & _LOW32
    if low < n:
        threshold = (_ONE32 - n) % n
        while low < threshold:
            m = (next_word(s) >> _S32) * n
            low = m & _LOW32
    return np.int64(m >> _S32)


@kernel
def next_uniform(s):
    """Float in [0, 1) with 53 random bits."""
    return np.float64(next_word(s) >> _S11) * (1.0 / 9007199254740992.0)
