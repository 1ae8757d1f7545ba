"""``numpy.random.SeedSequence(seed, spawn_key=(match, hand, stream)).generate_state(4, uint64)`` inside a kernel.

Source: NumPy, ``numpy/random/bit_generator.pyx`` (after M. E. O'Neill, "Developing a seed_seq alternative", 2015). All
arithmetic is modulo 2**32, held in ``uint64``.
"""

import numpy as np

from dupai.base._jit import kernel

_LOW = np.uint64(0xFFFFFFFF)
_S16 = np.uint64(16)
_S32 = np.uint64(32)
_INIT_A = np.uint64(0x43B0D7E5)
_MULT_A = np.uint64(0x931E8875)
_INIT_B = np.uint64(0x8B51F9DD)
_MULT_B = np.uint64(0x58F38DED)
_MIX_L = np.uint64(0xCA01F9DD)
_MIX_R = np.uint64(0x4973F715)
_ZERO = np.uint64(0)


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
    # With a key the seed is filled up to four words, so a second word of 0 changes nothing.
    pool0, c = _hashed(seed & _LOW, _INIT_A, _MULT_A)
    pool1, c = _hashed(seed >> _S32, c, _MULT_A)
    pool2, c = _hashed(_ZERO, c, _MULT_A)
    pool3, c = _hashed(_ZERO, c, _MULT_A)
    h, c = _hashed(pool0, c, _MULT_A)
    pool1 = _mixed(pool1, h)
    h, c = _hashed(pool0, c, _MULT_A)
    pool2 = _mixed(pool2, h)
    h, c = _hashed(pool0, c, _MULT_A)
    pool3 = _mixed(pool3, h)
    h, c = _hashed(pool1, c, _MULT_A)
    pool0 = _mixed(pool0, h)
    h, c = _hashed(pool1, c, _MULT_A)
    pool2 = _mixed(pool2, h)
    h, c = _hashed(pool1, c, _MULT_A)
    pool3 = _mixed(pool3, h)
    h, c = _hashed(pool2, c, _MULT_A)
    pool0 = _mixed(pool0, h)
    h, c = _hashed(pool2, c, _MULT_A)
    pool1 = _mixed(pool1, h)
    h, c = _hashed(pool2, c, _MULT_A)
    pool3 = _mixed(pool3, h)
    h, c = _hashed(pool3, c, _MULT_A)
    pool0 = _mixed(pool0, h)
    h, c = _hashed(pool3, c, _MULT_A)
    pool1 = _mixed(pool1, h)
    h, c = _hashed(pool3, c, _MULT_A)
    pool2 = _mixed(pool2, h)
    for key in (np.uint64(match), np.uint64(hand), np.uint64(stream)):
        h, c = _hashed(key, c, _MULT_A)
        pool0 = _mixed(pool0, h)
        h, c = _hashed(key, c, _MULT_A)
        pool1 = _mixed(pool1, h)
        h, c = _hashed(key, c, _MULT_A)
        pool2 = _mixed(pool2, h)
        h, c = _hashed(key, c, _MULT_A)
        pool3 = _mixed(pool3, h)
    c = _INIT_B
    for half in range(2):
        low, c = _hashed(pool0, c, _MULT_B)
        high, c = _hashed(pool1, c, _MULT_B)
        out[2 * half] = low | (high << _S32)
        low, c = _hashed(pool2, c, _MULT_B)
        high, c = _hashed(pool3, c, _MULT_B)
        out[2 * half + 1] = low | (high << _S32)
