"""Specs such as ``mcts:simulations=500`` and structs of settings: their options, checked and described."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.base._settings import Field as Field, fields_of as fields_of, settings_of as settings_of
    from dupai.base._spec import (
        OptionInfo as OptionInfo,
        SpecRegistry as SpecRegistry,
        check_between as check_between,
        checked_options as checked_options,
        spec_names as spec_names,
        spec_options as spec_options,
        spec_presets as spec_presets,
        split_spec as split_spec,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
