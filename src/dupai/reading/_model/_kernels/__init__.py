"""Kernels of the trained model: features of hands, of decisions, and of ranges."""

from dupai.reading._model._kernels.habits import habits_kernel as habits_kernel, lesson_kernel as lesson_kernel
from dupai.reading._model._kernels.hands import (
    HAND_SIZE as HAND_SIZE,
    alike_kernel as alike_kernel,
    hand_features_kernel as hand_features_kernel,
    percentiles_kernel as percentiles_kernel,
    range_rates_kernel as range_rates_kernel,
)
from dupai.reading._model._kernels.layers import above_kernel as above_kernel, shifted_kernel as shifted_kernel
from dupai.reading._model._kernels.public import (
    ACTION_CLASSES as ACTION_CLASSES,
    EDGES as EDGES,
    PUBLIC_SIZE as PUBLIC_SIZE,
    class_of_kernel as class_of_kernel,
    legal_classes_kernel as legal_classes_kernel,
    public_features_kernel as public_features_kernel,
)
from dupai.reading._model._kernels.ranges import (
    RANGE_HAND as RANGE_HAND,
    RANGE_PUBLIC as RANGE_PUBLIC,
    RANGE_STORED as RANGE_STORED,
    expand_kernel as expand_kernel,
    range_features_kernel as range_features_kernel,
)
