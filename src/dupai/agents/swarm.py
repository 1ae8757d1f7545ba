"""The risk curves of ``risk`` and ``swarm``, with their kernels."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._swarm._agent import (
        Risk as Risk,
        Swarm as Swarm,
        class_equity as class_equity,
        risk_curves as risk_curves,
    )
    from dupai.agents._swarm._kernels.observe import observe_kernel as observe_kernel
    from dupai.agents._swarm._kernels.swarm import swarm_act_kernel as swarm_act_kernel
    from dupai.agents._swarm._layout import MAX_ACTIONS as MAX_ACTIONS
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
