"""What the actions of a decision are worth: for coaches, advice and agents."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._judge import judge as judge, strongest as strongest
    from dupai.agents._judgement import Judgement as Judgement, ends as ends
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
