"""Spots: the meaning of an action: position classes, decisions, menus of actions, bet sizes, distributions.

This floor is the only home of these. A spot is worked out once for all readers and models (:func:`spots`).
:class:`Menu` translates real bet sizes into a model's columns, and :meth:`Menu.onto` one menu into another.
:class:`BetSize` is the vocabulary of bet sizes and :func:`raise_to` turns a size into chips: a new bet size is added in
``spots/_sizes.py`` and nowhere else. :class:`ActionModel` is the one form of a model of how players act.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.spots._actions import ActionDistribution as ActionDistribution, RaiseBetween as RaiseBetween
    from dupai.spots._kernels import (
        begin_track_kernel as begin_track_kernel,
        did_kernel as did_kernel,
        raise_to_kernel as raise_to_kernel,
        size_class_kernel as size_class_kernel,
        spot_kernel as spot_kernel,
    )
    from dupai.spots._layout import (
        DID_BET as DID_BET,
        DID_CALL as DID_CALL,
        DID_CHECK as DID_CHECK,
        DID_FOLD as DID_FOLD,
        DID_RAISE as DID_RAISE,
        NOTHING as NOTHING,
        SPOT_DTYPE as SPOT_DTYPE,
        TRACK_DTYPE as TRACK_DTYPE,
    )
    from dupai.spots._menu import MENU_CALL as MENU_CALL, MENU_FOLD as MENU_FOLD, Menu as Menu
    from dupai.spots._model import ActionModel as ActionModel
    from dupai.spots._positions import (
        BIG_BLIND as BIG_BLIND,
        BUTTON as BUTTON,
        EARLY as EARLY,
        LATE as LATE,
        MIDDLE as MIDDLE,
        POSITION_CLASS as POSITION_CLASS,
        POSITION_CLASSES as POSITION_CLASSES,
        SMALL_BLIND as SMALL_BLIND,
        position_class as position_class,
    )
    from dupai.spots._sizes import (
        POT_WORDS as POT_WORDS,
        SIZE_HELP as SIZE_HELP,
        UNIFORM as UNIFORM,
        BetSize as BetSize,
        SizeTable as SizeTable,
        raise_to as raise_to,
        size_code as size_code,
    )
    from dupai.spots._spot import (
        Spot as Spot,
        line_so_far as line_so_far,
        raise_size as raise_size,
        spot_rows as spot_rows,
        spots as spots,
    )
    from dupai.spots._strategy import (
        Blueprint as Blueprint,
        HandPolicy as HandPolicy,
        HasHandValues as HasHandValues,
        pseudo_harmonic as pseudo_harmonic,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
