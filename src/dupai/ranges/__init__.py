"""Ranges: a weight for each of the 1326 hole-card combos, their notation in and out, and their picture.

>>> from dupai.ranges import Range
>>> str(Range("KK+ QQ 0.5:AKs AKo"))
'QQ+, AKo, 0.5:AKs'
"""

from dupai.ranges._parse import range_weights
from dupai.ranges._range import Range, parse_range

__all__ = ["Range", "parse_range", "range_weights"]
