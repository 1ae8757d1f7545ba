"""Sixteen float32 at a time: a vector value for kernels, loaded from and stored to raw addresses.

LLVM does not vectorise the solver's loops by itself (it cannot prove that rows do not overlap, and the sweep of a
showdown runs over hands with sixteen terminals abreast), so they are written with vectors. A vector lives in a
register (on machines with shorter registers in two or four); it is made and used inside a kernel and never reaches
Python. Addresses are integers (``array.ctypes.data`` plus bytes), so that helpers take scalars and no reference is
counted in a loop; the caller keeps the arrays alive. With ``NUMBA_DISABLE_JIT=1`` the same names work on NumPy arrays.

``vload``/``vstore`` move 16 float32, ``vload_half``/``vstore_half`` 16 float16, ``transpose16`` a block of 16 x 16.
"""

import ctypes
import platform

import numpy as np
from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

#: Numbers in a vector, and its bytes.
LANES = 16
WIDE = 64

if config.DISABLE_JIT:

    def _at(address, kind, n):
        return np.ctypeslib.as_array((kind * n).from_address(int(address)))

    def vload(address):
        return _at(address, ctypes.c_float, 16).copy()

    def vstore(address, v):
        _at(address, ctypes.c_float, 16)[:] = v

    def vload_half(address):
        return _at(address, ctypes.c_uint16, 16).view(np.float16).astype(np.float32)

    def vstore_half(address, v):
        _at(address, ctypes.c_uint16, 16)[:] = np.asarray(v, np.float32).astype(np.float16).view(np.uint16)

    def prefetch(address):
        return None

    def vload_short(address):
        return _at(address, ctypes.c_int16, 16).astype(np.float32)

    def splat(x):
        return np.full(16, x, np.float32)

    def vadd(a, b):
        return a + b

    def vsub(a, b):
        return a - b

    def vmul(a, b):
        return a * b

    def vdiv(a, b):
        return a / b

    def vfma(a, b, c):
        return a * b + c

    def vmax(a, b):
        return np.maximum(a, b)

    def vmin(a, b):
        return np.minimum(a, b)

    def vpick(a, b, c):
        return np.where(a > 0, b, c)

    def vsum(a):
        return np.float32(a.sum())

    def load64(address):
        return int(_at(address, ctypes.c_int64, 1)[0])

    def loadf(address):
        return np.float32(_at(address, ctypes.c_float, 1)[0])

    def storef(address, x):
        _at(address, ctypes.c_float, 1)[0] = x

    def load16(address):
        return int(_at(address, ctypes.c_int16, 1)[0])

    def load8(address):
        return int(_at(address, ctypes.c_uint8, 1)[0])

    def transpose16(rows, byte, out, step):
        block = np.array([vload(load64(rows + 8 * k) + byte) for k in range(16)])
        for k in range(16):
            vstore(out + k * step, block[:, k])

else:
    _F32 = ir.FloatType()
    _VEC = ir.VectorType(_F32, LANES)
    _HALF = ir.VectorType(ir.HalfType(), LANES)
    _I32 = ir.IntType(32)

    class VectorType(types.Type):
        """numba's type of a vector."""

        def __init__(self):
            super().__init__(name="dupai.vector16")

    vector = VectorType()

    @register_model(VectorType)
    class _Model(models.PrimitiveModel):
        def __init__(self, manager, fe_type):
            super().__init__(manager, fe_type, _VEC)

    def _pointer(builder, address, kind):
        return builder.inttoptr(address, kind.as_pointer())

    def _load(builder, address, kind, align):
        found = builder.load(_pointer(builder, address, kind))
        found.align = align
        return found

    def _store(builder, address, value, kind, align):
        done = builder.store(value, _pointer(builder, address, kind))
        done.align = align

    @intrinsic
    def vload(typingctx, address):
        def codegen(context, builder, signature, args):
            return _load(builder, args[0], _VEC, 4)

        return vector(types.int64), codegen

    @intrinsic
    def vstore(typingctx, address, v):
        def codegen(context, builder, signature, args):
            _store(builder, args[0], args[1], _VEC, 4)
            return context.get_dummy_value()

        return types.void(types.int64, vector), codegen

    _I32S = ir.VectorType(ir.IntType(32), LANES)
    _I16S = ir.VectorType(ir.IntType(16), LANES)

    def _all(kind, x):
        return ir.Constant(kind, [x] * LANES)

    # Without the machine's own instructions LLVM would call a library that is not there: then the bits are moved by
    # hand. A float16 in the place of a float32's bits is 2**112 times too small, subnormal numbers too.
    _OWN_HALVES = not config.CPU_NAME and (
        platform.machine() != "x86_64" or binding.get_host_cpu_features().get("f16c", False)
    )

    def _widen(builder, bits):
        """Sixteen int16 that are float16 as float32."""
        if _OWN_HALVES:
            return builder.fpext(builder.bitcast(bits, _HALF), _VEC)
        wide = builder.zext(bits, _I32S)
        size = builder.shl(builder.and_(wide, _all(_I32S, 0x7FFF)), _all(_I32S, 13))
        size = builder.fmul(builder.bitcast(size, _VEC), _all(_VEC, 2.0**112))
        sign = builder.shl(builder.and_(wide, _all(_I32S, 0x8000)), _all(_I32S, 16))
        return builder.bitcast(builder.or_(builder.bitcast(size, _I32S), sign), _VEC)

    def _narrow(builder, v):
        """Sixteen float32 (below 65,504) as the bits of float16, rounded to even."""
        if _OWN_HALVES:
            return builder.bitcast(builder.fptrunc(v, _HALF), _I16S)
        bits = builder.bitcast(v, _I32S)
        sign = builder.and_(builder.lshr(bits, _all(_I32S, 16)), _all(_I32S, 0x8000))
        size = builder.bitcast(builder.and_(bits, _all(_I32S, 0x7FFFFFFF)), _VEC)
        size = builder.bitcast(builder.fmul(size, _all(_VEC, 2.0**-112)), _I32S)
        odd = builder.and_(builder.lshr(size, _all(_I32S, 13)), _all(_I32S, 1))
        size = builder.lshr(builder.add(builder.add(size, _all(_I32S, 0xFFF)), odd), _all(_I32S, 13))
        return builder.trunc(builder.or_(size, sign), _I16S)

    @intrinsic
    def vload_half(typingctx, address):
        def codegen(context, builder, signature, args):
            return _widen(builder, _load(builder, args[0], _I16S, 2))

        return vector(types.int64), codegen

    @intrinsic
    def vstore_half(typingctx, address, v):
        def codegen(context, builder, signature, args):
            _store(builder, args[0], _narrow(builder, args[1]), _I16S, 2)
            return context.get_dummy_value()

        return types.void(types.int64, vector), codegen

    @intrinsic
    def prefetch(typingctx, address):
        """Ask for a cache line that will be changed soon."""

        def codegen(context, builder, signature, args):
            byte = ir.IntType(8).as_pointer()
            kind = ir.FunctionType(ir.VoidType(), [byte, _I32, _I32, _I32])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
            flags = [ir.Constant(_I32, x) for x in (1, 3, 1)]
            builder.call(function, [builder.inttoptr(args[0], byte), *flags])
            return context.get_dummy_value()

        return types.void(types.int64), codegen

    @intrinsic
    def vload_short(typingctx, address):
        """Sixteen int16 as float32."""

        def codegen(context, builder, signature, args):
            kind = ir.VectorType(ir.IntType(16), LANES)
            wide = builder.sext(_load(builder, args[0], kind, 2), ir.VectorType(_I32, LANES))
            return builder.sitofp(wide, _VEC)

        return vector(types.int64), codegen

    def _scalar_load(kind, ty, align, widen):
        @intrinsic
        def load(typingctx, address):
            def codegen(context, builder, signature, args):
                found = _load(builder, args[0], kind, align)
                return widen(builder, found)

            return ty(types.int64), codegen

        return load

    _I64 = ir.IntType(64)
    load64 = _scalar_load(_I64, types.int64, 8, lambda b, x: x)
    loadf = _scalar_load(_F32, types.float32, 4, lambda b, x: x)
    load16 = _scalar_load(ir.IntType(16), types.int64, 2, lambda b, x: b.sext(x, _I64))
    load8 = _scalar_load(ir.IntType(8), types.int64, 1, lambda b, x: b.zext(x, _I64))

    @intrinsic
    def storef(typingctx, address, x):
        def codegen(context, builder, signature, args):
            _store(builder, args[0], args[1], _F32, 4)
            return context.get_dummy_value()

        return types.void(types.int64, types.float32), codegen

    @intrinsic
    def splat(typingctx, x):
        def codegen(context, builder, signature, args):
            one = builder.insert_element(ir.Constant(_VEC, ir.Undefined), args[0], ir.Constant(_I32, 0))
            zeros = ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES)
            return builder.shuffle_vector(one, ir.Constant(_VEC, ir.Undefined), zeros)

        return vector(types.float32), codegen

    def _binary(emit):
        @intrinsic
        def operation(typingctx, a, b):
            def codegen(context, builder, signature, args):
                return emit(builder, *args)

            return vector(vector, vector), codegen

        return operation

    vadd = _binary(lambda b, x, y: b.fadd(x, y))
    vsub = _binary(lambda b, x, y: b.fsub(x, y))
    vmul = _binary(lambda b, x, y: b.fmul(x, y))
    vdiv = _binary(lambda b, x, y: b.fdiv(x, y))
    vmax = _binary(lambda b, x, y: b.select(b.fcmp_ordered(">", x, y), x, y))
    vmin = _binary(lambda b, x, y: b.select(b.fcmp_ordered("<", x, y), x, y))

    @intrinsic
    def vfma(typingctx, a, b, c):
        """a * b + c, rounded once where the machine can."""

        def codegen(context, builder, signature, args):
            function = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(_VEC, [_VEC] * 3), "llvm.fmuladd.v16f32"
            )
            return builder.call(function, args)

        return vector(vector, vector, vector), codegen

    @intrinsic
    def vpick(typingctx, a, b, c):
        """b where a > 0, else c."""

        def codegen(context, builder, signature, args):
            zero = ir.Constant(_VEC, [0.0] * LANES)
            return builder.select(builder.fcmp_ordered(">", args[0], zero), args[1], args[2])

        return vector(vector, vector, vector), codegen

    @intrinsic
    def vsum(typingctx, a):
        """Sum of the sixteen numbers, by halves."""

        def codegen(context, builder, signature, args):
            v = args[0]
            for half in (8, 4, 2, 1):
                mask = [(k + half) % LANES for k in range(LANES)]
                v = builder.fadd(v, _shuffle(builder, v, v, mask))
            return builder.extract_element(v, ir.Constant(_I32, 0))

        return types.float32(vector), codegen

    def _shuffle(builder, a, b, mask):
        return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_I32, LANES), list(mask)))

    def _lanes4(picks):
        """A mask over four-number lanes: ``picks`` are lanes 0..3 of the first vector, 4..7 of the second."""
        return [4 * p + k for p in picks for k in range(4)]

    _LOW = [x for g in range(4) for x in (4 * g, 16 + 4 * g, 4 * g + 1, 17 + 4 * g)]
    _HIGH = [x for g in range(4) for x in (4 * g + 2, 18 + 4 * g, 4 * g + 3, 19 + 4 * g)]
    _LOW2 = [x for g in range(4) for x in (4 * g, 4 * g + 1, 16 + 4 * g, 17 + 4 * g)]
    _HIGH2 = [x for g in range(4) for x in (4 * g + 2, 4 * g + 3, 18 + 4 * g, 19 + 4 * g)]
    _EVEN = _lanes4([0, 2, 4, 6])
    _ODD = _lanes4([1, 3, 5, 7])

    def _transposed(builder, r):
        t = []
        for i in range(0, 16, 2):
            t += [_shuffle(builder, r[i], r[i + 1], _LOW), _shuffle(builder, r[i], r[i + 1], _HIGH)]
        r = []
        for i in range(0, 16, 4):
            for a, b in ((0, 2), (1, 3)):
                r += [
                    _shuffle(builder, t[i + a], t[i + b], _LOW2),
                    _shuffle(builder, t[i + a], t[i + b], _HIGH2),
                ]
        t = [None] * 16
        for k in range(4):
            for half in (0, 8):
                t[k + half] = _shuffle(builder, r[k + half], r[k + 4 + half], _EVEN)
                t[k + 4 + half] = _shuffle(builder, r[k + half], r[k + 4 + half], _ODD)
        return [_shuffle(builder, t[k], t[k + 8], m) for m in (_EVEN, _ODD) for k in range(8)]

    @intrinsic
    def transpose16(typingctx, rows, byte, out, step):
        """Store the transpose of a 16 x 16 block: row ``k`` is read at ``address[k] + byte``, where the 16 addresses
        (int64) stand at ``rows``; column ``k`` is written at ``out + k * step``."""

        def codegen(context, builder, signature, args):
            rows, byte, out, step = args
            r = []
            for k in range(16):
                address = _load(builder, builder.add(rows, ir.Constant(_I64, 8 * k)), _I64, 8)
                r.append(_load(builder, builder.add(address, byte), _VEC, 4))
            for k, column in enumerate(_transposed(builder, r)):
                _store(builder, builder.add(out, builder.mul(step, ir.Constant(_I64, k))), column, _VEC, 4)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64, types.int64), codegen
