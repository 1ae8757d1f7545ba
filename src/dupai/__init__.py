"""dupai: a Texas Hold'em AI that reads hands, adapts to opponents and proves how good it is.

>>> import dupai
>>> dupai.equity(["AcAd", "KhKs"]).equity  # doctest: +SKIP
"""

__version__ = "0.1.0"
