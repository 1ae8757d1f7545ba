"""Many masks at once: arithmetic on vectors first, then three look-ups a hand.

The four suit lanes of a mask are added rank by rank, in binary and for all ranks at once: the ranks that occur an odd
number of times, those with a pair in them (two or three times) and those that occur four times. The first two lead to
the strength through dense tables (``_by_parity`` in ``tools/evaluator_tables.py``); hands with quads or a flush (3 %)
are noted and evaluated afterwards one by one, so that no branch depends on the cards. The passes over a chunk are
separate loops, the first two for vector instructions, the third not: a note written at a place that depends on the data
keeps LLVM from turning its look-ups into slow gathers.

Masks that stream out of memory are fetched two chunks ahead, past the caches that hold the tables.
"""

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from dupai.base import kernel
from dupai.cards._kernels.evaluate import strength_kernel
from dupai.cards._tables import TABLE_FILE

with np.load(TABLE_FILE, allow_pickle=False) as _file:
    _ODD_PLACE = _file["odd_place"]
    _PAIR_START = _file["pair_start"]
    _PARITY_STRENGTH = _file["parity_strength"]
for _table in (_ODD_PLACE, _PAIR_START, _PARITY_STRENGTH):
    _table.flags.writeable = False

_NONE, _S1, _S2, _S4, _FIVE, _S8, _S16, _S32, _S56 = (np.uint64(n) for n in (0, 1, 2, 4, 5, 8, 16, 32, 56))
# One pattern in each of the four lanes, or in each byte.
_LANE = np.uint64(0x1FFF)
_NOT_CARDS, _THREES, _EIGHTS = (np.uint64(n * 0x0001000100010001) for n in (0xE000, 3, 8))
_BITS1, _BITS2, _BITS4, _BYTES = (np.uint64(n * 0x0101010101010101) for n in (0x55, 0x33, 0x0F, 1))
#: Hands of a chunk, how far ahead of one its masks are fetched, and how many lie in a line of the cache.
_CHUNK, _AHEAD, _LINE = 128, 256, 8

if numba.config.DISABLE_JIT:

    def _fetch(masks, i):
        """Nothing: see below."""

else:

    @intrinsic
    def _fetch(typingctx, masks, i):
        """Start to load ``masks[i]``'s line of memory, to be used once (``prefetchnta``)."""

        def emit(context, builder, signature, arguments):
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            number, byte = ir.IntType(32), ir.IntType(8).as_pointer()
            place = builder.bitcast(builder.gep(array.data, [arguments[1]]), byte)
            function = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], function)
            # A read, not to be kept, of data.
            builder.call(prefetch, [place, number(0), number(0), number(1)])
            return context.get_dummy_value()

        return types.void(masks, i), emit


@kernel
def _any_unfit(masks):
    """Whether a mask has bits that are no cards or not five to seven cards."""
    unfit = _NONE
    for i in range(masks.size):
        x = masks[i]
        unfit |= x & _NOT_CARDS
        # LLVM knows this pattern and uses the machine's bit count, on vectors too.
        x = x - ((x >> _S1) & _BITS1)
        x = (x & _BITS2) + ((x >> _S2) & _BITS2)
        x = (x + (x >> _S4)) & _BITS4
        x = (x * _BYTES) >> _S56
        unfit |= np.uint64(x - _FIVE > _S2)
    return unfit != _NONE


@kernel
def _split(masks, odd, pair, apart):
    """Ranks that occur an odd number of times, ranks with a pair in them, whether there are quads or a flush."""
    for i in range(masks.size):
        m = masks[i]
        x = m ^ (m >> _S32)
        y = m & (m >> _S32)
        x2 = x >> _S16
        y2 = y >> _S16
        odd[i] = (x ^ x2) & _LANE
        pair[i] = (y ^ y2 ^ (x & x2)) & _LANE
        # Cards of each lane: sums of bits in nibbles, which seven cards cannot overflow, then of a lane's nibbles in
        # its lowest. Three more set that nibble's top bit from five cards on.
        n = m - ((m >> _S1) & _BITS1)
        n = (n & _BITS2) + ((n >> _S2) & _BITS2)
        n += n >> _S8
        n += n >> _S4
        apart[i] = (((n + _THREES) & _EIGHTS) | (y & y2 & _LANE)) != _NONE


@kernel
def _look_up(odd, pair, apart, out, noted):
    """Strength of all hands but those apart, whose places go to ``noted``; returns how many there are."""
    n = 0
    for i in range(out.size):
        out[i] = _PARITY_STRENGTH[np.uint64(_PAIR_START[pair[i]]) + np.uint64(_ODD_PLACE[odd[i]])]
        noted[np.uint64(n)] = i
        n += np.int64(apart[i])
    return n


@kernel
def strengths_kernel(masks, out):
    """Strength of each mask: ``masks`` ``uint64[n]`` -> ``out`` ``uint16[n]``.

    Returns False, without going on, when a mask does not hold 5 to 7 cards.
    """
    odd = np.empty(_CHUNK, np.uint16)
    pair = np.empty(_CHUNK, np.uint16)
    apart = np.empty(_CHUNK, np.uint8)
    noted = np.empty(_CHUNK, np.uint16)
    for start in range(0, masks.size, _CHUNK):
        part = masks[start : start + _CHUNK]
        strengths = out[start : start + _CHUNK]
        for i in range(start + _AHEAD, min(start + _AHEAD + _CHUNK, masks.size), _LINE):
            _fetch(masks, i)
        if _any_unfit(part):
            return False
        _split(part, odd, pair, apart)
        for j in range(_look_up(odd, pair, apart, strengths, noted)):
            i = noted[j]
            strengths[i] = strength_kernel(part[i])
    return True
