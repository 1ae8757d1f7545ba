"""``numpy.random.SeedSequence(seed, spawn_key=(match, hand, stream)).generate_state(4, uint64)`` inside a kernel.

Source: NumPy, ``numpy/random/bit_generator.pyx`` (after M. E. O'Neill, "Developing a seed_seq alternative", 2015). All
arithmetic is modulo 2**32, held in ``uint64``.
"""

import numpy as np

from dupai.base._jit import kernel

_LOW = np.uint64(0xFFFFFFFF)
_ZERO, _S16, _S32 = (np.uint64(n) for n in (0, 16, 32))
# Start and multiplier of the hash that mixes the words in (A), and of the one that draws the state (B).
_INIT_A, _MULT_A, _INIT_B, _MULT_B = (np.uint64(n) for n in (0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED))
_MIX_L, _MIX_R = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)


@kernel
def _hashed(value, constant, multiplier):
    """One step of the hash: the hashed value and the next constant."""
    value = value ^ constant
    constant = (constant * multiplier) & _LOW
    value = (value * constant) & _LOW
    return value ^ (value >> _S16), constant


@kernel
def _mixed(x, y):
    result = ((_MIX_L * x) & _LOW) + (_LOW + np.uint64(1)) - ((_MIX_R * y) & _LOW)
    result = result & _LOW
    return result ^ (result >> _S16)


@kernel
def seed_stream_kernel(seed, match, hand, stream, out):
    """The state of ``Rng(seed, match, hand, stream)`` into ``out``.

    Args:
        seed: 0 to 2**64 - 1.
        match, hand, stream: 0 to 2**32 - 1 each (not checked).
        out: ``uint64[4]``, overwritten.
    """
    seed = np.uint64(seed)
    c = _INIT_A
    # With a key the seed is filled up to four words, so a second word of 0 changes nothing.
    for k, word in enumerate((seed & _LOW, seed >> _S32, _ZERO, _ZERO)):
        out[k], c = _hashed(word, c, _MULT_A)
    for source in range(4):
        for target in range(4):
            if source != target:
                h, c = _hashed(out[source], c, _MULT_A)
                out[target] = _mixed(out[target], h)
    for key in (np.uint64(match), np.uint64(hand), np.uint64(stream)):
        for target in range(4):
            h, c = _hashed(key, c, _MULT_A)
            out[target] = _mixed(out[target], h)
    pool = (out[0], out[1], out[2], out[3])
    c = _INIT_B
    for k in range(4):
        low, c = _hashed(pool[2 * k % 4], c, _MULT_B)
        high, c = _hashed(pool[2 * k % 4 + 1], c, _MULT_B)
        out[k] = low | (high << _S32)
