"""The bucket model: hands in groups by strength, counted by the situation they acted in."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.reading._bucket._groups import (
        FACINGS as FACINGS,
        PRICED as PRICED,
        STRENGTH_GROUPS as STRENGTH_GROUPS,
        facing_of as facing_of,
        hand_buckets as hand_buckets,
        is_counted as is_counted,
    )
    from dupai.reading._bucket._kernels import SIZE_EDGES as SIZE_EDGES, facing_class_kernel as facing_class_kernel
    from dupai.reading._bucket._model import BucketModel as BucketModel, BucketReader as BucketReader
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
