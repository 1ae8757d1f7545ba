"""Sixteen float32 at a time: a vector value for kernels, loaded from and stored to raw addresses.

LLVM does not vectorise the solver's loops by itself: it cannot prove that rows do not overlap, and the sweep of a
showdown runs over hands with sixteen terminals side by side. So they are written with vectors. A vector lives in a
register (in two or four on machines with shorter registers); it is made and used inside a kernel and never reaches
Python. ``+ - * /`` work on vectors. Addresses are integers (``array.ctypes.data`` plus bytes), so that helpers take
scalars and no reference is counted in a loop; the caller keeps the arrays alive. With ``NUMBA_DISABLE_JIT=1`` the same
names work on NumPy arrays.

``load``/``store`` move 16 float32, ``load_half``/``store_half`` 16 float16, ``load_short`` reads 16 int16;
``load64``, ``load16``, ``load8`` (integers), ``loadf`` and ``storef`` (float32) move one number.
"""

import ctypes
import inspect
import operator
import platform

import numpy as np
from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, models, register_model

from dupai.cfr.postflop._kernels.slots import LANES

if config.DISABLE_JIT:

    def _at(address, kind, n=LANES):
        return np.ctypeslib.as_array((kind * n).from_address(int(address)))

    def load(address):
        return _at(address, ctypes.c_float).copy()

    def store(address, v):
        _at(address, ctypes.c_float)[:] = v

    def load_half(address):
        return _at(address, ctypes.c_uint16).view(np.float16).astype(np.float32)

    def store_half(address, v):
        _at(address, ctypes.c_uint16)[:] = np.asarray(v, np.float32).astype(np.float16).view(np.uint16)

    def load_short(address):
        return _at(address, ctypes.c_int16).astype(np.float32)

    def prefetch(address):
        return None

    def splat(x):
        return np.full(LANES, x, np.float32)

    def fma(a, b, c):
        return a * b + c

    def pick(a, b, c):
        return np.where(a > 0, b, c)

    maximum, minimum = np.maximum, np.minimum

    def _scalar_load(kind, number):
        return lambda address: number(_at(address, kind, 1)[0])

    load64, loadf = _scalar_load(ctypes.c_int64, int), _scalar_load(ctypes.c_float, np.float32)
    load16, load8 = _scalar_load(ctypes.c_int16, int), _scalar_load(ctypes.c_uint8, int)

    def storef(address, x):
        _at(address, ctypes.c_float, 1)[0] = x

    def transpose(rows, byte, out, step):
        block = np.array([load(load64(rows + 8 * k) + byte) for k in range(LANES)])
        for k in range(LANES):
            store(out + k * step, block[:, k])

else:
    _F32, _I16, _I32, _I64 = ir.FloatType(), ir.IntType(16), ir.IntType(32), ir.IntType(64)
    _VEC, _HALF = ir.VectorType(_F32, LANES), ir.VectorType(ir.HalfType(), LANES)
    _I16S, _I32S = ir.VectorType(_I16, LANES), ir.VectorType(_I32, LANES)

    class VectorType(types.Type):
        """numba's type of a vector."""

        def __init__(self):
            super().__init__(name="dupai.vector16")

    vector = VectorType()

    @register_model(VectorType)
    class _Model(models.PrimitiveModel):
        def __init__(self, manager, fe_type):
            super().__init__(manager, fe_type, _VEC)

    def _emitted(result, *arguments):
        """Make an intrinsic of the given types from a function ``emit(builder, *values)``."""

        def wrap(emit):
            def operation(typingctx, *args):
                def codegen(context, builder, signature, values):
                    value = emit(builder, *values)
                    return context.get_dummy_value() if result is types.void else value

                return result(*arguments), codegen

            # numba looks at the number of parameters
            builder, *parameters = inspect.signature(emit).parameters.values()
            operation.__signature__ = inspect.Signature([builder.replace(name="typingctx"), *parameters])
            return intrinsic(operation)

        return wrap

    for _operator, _instruction in (
        (operator.add, ir.IRBuilder.fadd),
        (operator.sub, ir.IRBuilder.fsub),
        (operator.mul, ir.IRBuilder.fmul),
        (operator.truediv, ir.IRBuilder.fdiv),
    ):

        @infer_global(_operator)
        class _Arithmetic(AbstractTemplate):
            def generic(self, args, kws):
                return vector(vector, vector) if args == (vector, vector) else None

        @lower_builtin(_operator, vector, vector)
        def _lowered(context, builder, signature, args, instruction=_instruction):
            return instruction(builder, *args)

    def _load(builder, address, kind, align):
        value = builder.load(builder.inttoptr(address, kind.as_pointer()))
        value.align = align
        return value

    def _store(builder, address, value, kind, align):
        builder.store(value, builder.inttoptr(address, kind.as_pointer())).align = align

    def _all(kind, x):
        return ir.Constant(kind, [x] * LANES)

    @_emitted(vector, types.int64)
    def load(builder, address):
        return _load(builder, address, _VEC, 4)

    @_emitted(types.void, types.int64, vector)
    def store(builder, address, v):
        _store(builder, address, v, _VEC, 4)

    # Without the machine's own instructions LLVM would call a library that is not there; then the bits are moved by
    # hand. A float16 in the place of a float32's bits is 2**112 times too small, subnormal numbers too.
    _OWN_HALVES = config.CPU_NAME in (None, "x86-64-v3") and (
        platform.machine() != "x86_64" or binding.get_host_cpu_features().get("f16c", False)
    )

    @_emitted(vector, types.int64)
    def load_half(builder, address):
        """Sixteen float16 as float32."""
        bits = _load(builder, address, _I16S, 2)
        if _OWN_HALVES:
            return builder.fpext(builder.bitcast(bits, _HALF), _VEC)
        wide = builder.zext(bits, _I32S)
        size = builder.shl(builder.and_(wide, _all(_I32S, 0x7FFF)), _all(_I32S, 13))
        size = builder.fmul(builder.bitcast(size, _VEC), _all(_VEC, 2.0**112))
        sign = builder.shl(builder.and_(wide, _all(_I32S, 0x8000)), _all(_I32S, 16))
        return builder.bitcast(builder.or_(builder.bitcast(size, _I32S), sign), _VEC)

    @_emitted(types.void, types.int64, vector)
    def store_half(builder, address, v):
        """Sixteen float32 (below 65,504) as float16, rounded to even."""
        if _OWN_HALVES:
            half = builder.bitcast(builder.fptrunc(v, _HALF), _I16S)
        else:
            bits = builder.bitcast(v, _I32S)
            sign = builder.and_(builder.lshr(bits, _all(_I32S, 16)), _all(_I32S, 0x8000))
            size = builder.bitcast(builder.and_(bits, _all(_I32S, 0x7FFFFFFF)), _VEC)
            size = builder.bitcast(builder.fmul(size, _all(_VEC, 2.0**-112)), _I32S)
            odd = builder.and_(builder.lshr(size, _all(_I32S, 13)), _all(_I32S, 1))
            size = builder.lshr(builder.add(builder.add(size, _all(_I32S, 0xFFF)), odd), _all(_I32S, 13))
            half = builder.trunc(builder.or_(size, sign), _I16S)
        _store(builder, address, half, _I16S, 2)

    @_emitted(vector, types.int64)
    def load_short(builder, address):
        """Sixteen int16 as float32."""
        return builder.sitofp(builder.sext(_load(builder, address, _I16S, 2), _I32S), _VEC)

    @_emitted(types.void, types.int64)
    def prefetch(builder, address):
        """Ask for a cache line that will be changed soon."""
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, _I32, _I32, _I32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [builder.inttoptr(address, byte), *(ir.Constant(_I32, x) for x in (1, 3, 1))])

    @_emitted(types.int64, types.int64)
    def load64(builder, address):
        return _load(builder, address, _I64, 8)

    @_emitted(types.int64, types.int64)
    def load16(builder, address):
        return builder.sext(_load(builder, address, _I16, 2), _I64)

    @_emitted(types.int64, types.int64)
    def load8(builder, address):
        return builder.zext(_load(builder, address, ir.IntType(8), 1), _I64)

    @_emitted(types.float32, types.int64)
    def loadf(builder, address):
        return _load(builder, address, _F32, 4)

    @_emitted(types.void, types.int64, types.float32)
    def storef(builder, address, x):
        _store(builder, address, x, _F32, 4)

    @_emitted(vector, types.float32)
    def splat(builder, x):
        """A vector of one number, sixteen times."""
        one = builder.insert_element(ir.Constant(_VEC, ir.Undefined), x, ir.Constant(_I32, 0))
        return builder.shuffle_vector(one, ir.Constant(_VEC, ir.Undefined), _all(_I32S, 0))

    @_emitted(vector, vector, vector)
    def maximum(builder, a, b):
        return builder.select(builder.fcmp_ordered(">", a, b), a, b)

    @_emitted(vector, vector, vector)
    def minimum(builder, a, b):
        return builder.select(builder.fcmp_ordered("<", a, b), a, b)

    @_emitted(vector, vector, vector, vector)
    def fma(builder, a, b, c):
        """a * b + c, rounded once where the machine can."""
        kind = ir.FunctionType(_VEC, [_VEC] * 3)
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.fmuladd.v16f32"), [a, b, c])

    @_emitted(vector, vector, vector, vector)
    def pick(builder, a, b, c):
        """b where a > 0, else c."""
        return builder.select(builder.fcmp_ordered(">", a, _all(_VEC, 0.0)), b, c)

    # Transposing in four rounds: pairs of rows, of pairs, of fours, of eights.
    _LOW = [x for g in range(4) for x in (4 * g, 16 + 4 * g, 4 * g + 1, 17 + 4 * g)]
    _HIGH = [x for g in range(4) for x in (4 * g + 2, 18 + 4 * g, 4 * g + 3, 19 + 4 * g)]
    _LOW2 = [x for g in range(4) for x in (4 * g, 4 * g + 1, 16 + 4 * g, 17 + 4 * g)]
    _HIGH2 = [x for g in range(4) for x in (4 * g + 2, 4 * g + 3, 18 + 4 * g, 19 + 4 * g)]
    _EVEN = [4 * lane + k for lane in (0, 2, 4, 6) for k in range(4)]
    _ODD = [4 * lane + k for lane in (1, 3, 5, 7) for k in range(4)]

    def _transposed(builder, r):
        def shuffled(a, b, mask):
            return builder.shuffle_vector(a, b, ir.Constant(_I32S, mask))

        t = [shuffled(r[i], r[i + 1], mask) for i in range(0, 16, 2) for mask in (_LOW, _HIGH)]
        r = [
            shuffled(t[i + k], t[i + k + 2], mask) for i in range(0, 16, 4) for k in (0, 1) for mask in (_LOW2, _HIGH2)
        ]
        t = [
            shuffled(r[half + k], r[half + k + 4], mask) for half in (0, 8) for mask in (_EVEN, _ODD) for k in range(4)
        ]
        return [shuffled(t[k], t[k + 8], mask) for mask in (_EVEN, _ODD) for k in range(8)]

    @_emitted(types.void, types.int64, types.int64, types.int64, types.int64)
    def transpose(builder, rows, byte, out, step):
        """Store the transpose of a 16 x 16 block: row ``k`` is read at ``address[k] + byte``, where the 16 addresses
        (int64) stand at ``rows``; column ``k`` is written at ``out + k * step``."""
        loaded = []
        for k in range(16):
            address = _load(builder, builder.add(rows, ir.Constant(_I64, 8 * k)), _I64, 8)
            loaded.append(_load(builder, builder.add(address, byte), _VEC, 4))
        for k, column in enumerate(_transposed(builder, loaded)):
            _store(builder, builder.add(out, builder.mul(step, ir.Constant(_I64, k))), column, _VEC, 4)
