"""The rule players and their kernels."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._kernels import rules_act_kernel as rules_act_kernel, style_act_kernel as style_act_kernel
    from dupai.agents._rules import RulesAgent as RulesAgent
    from dupai.agents._style import Style as Style
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
