"""Kernels of the trained model: features of hands, of decisions, and of ranges."""

from dupai.reading._model._kernels.habits import habits_kernel, lesson_kernel
from dupai.reading._model._kernels.hands import (
    HAND_SIZE,
    alike_kernel,
    hand_features_kernel,
    percentiles_kernel,
    range_rates_kernel,
)
from dupai.reading._model._kernels.layers import above_kernel, shifted_kernel
from dupai.reading._model._kernels.public import (
    CLASSES,
    EDGES,
    PUBLIC_SIZE,
    class_of_kernel,
    legal_classes_kernel,
    public_features_kernel,
)
from dupai.reading._model._kernels.ranges import (
    RANGE_HAND,
    RANGE_PUBLIC,
    RANGE_STORED,
    expand_kernel,
    range_features_kernel,
)

__all__ = [
    "CLASSES",
    "EDGES",
    "HAND_SIZE",
    "PUBLIC_SIZE",
    "RANGE_HAND",
    "RANGE_PUBLIC",
    "RANGE_STORED",
    "above_kernel",
    "alike_kernel",
    "class_of_kernel",
    "expand_kernel",
    "habits_kernel",
    "hand_features_kernel",
    "legal_classes_kernel",
    "lesson_kernel",
    "percentiles_kernel",
    "public_features_kernel",
    "range_features_kernel",
    "range_rates_kernel",
    "shifted_kernel",
]
