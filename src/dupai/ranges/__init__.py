"""Ranges: a weight for each of the 1326 hole-card combos, their notation in and out, and their picture.

>>> from dupai.ranges import Range
>>> str(Range("KK+ QQ 0.5:AKs AKo"))
'QQ+, AKo, 0.5:AKs'
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.ranges._range import Range as Range, RangeSource as RangeSource
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
