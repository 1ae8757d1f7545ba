"""Ranges: a weight for each of the 1326 hole-card combos, their notation in and out, and their picture.

>>> from dupai.ranges import Range
>>> Range.read("[50]AKs[/50], KK+ QQ AKo")
(Range('QQ+, AKo, AKs:0.5'), 'hands, weights as [50]AKs[/50]')
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.ranges._forms import range_weights as range_weights
    from dupai.ranges._print import RANGE_FORMS as RANGE_FORMS
    from dupai.ranges._range import Range as Range, RangeSource as RangeSource
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
