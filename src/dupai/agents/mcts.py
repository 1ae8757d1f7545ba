"""The search tree of ``mcts`` and its kernels."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents._mcts._kernels.tree import (
        add_kernel as add_kernel,
        back_up_kernel as back_up_kernel,
        begin_kernel as begin_kernel,
        decide_kernel as decide_kernel,
        find_kernel as find_kernel,
    )
    from dupai.agents._mcts._layout import (
        NODE_KINDS as NODE_KINDS,
        SELECTIONS as SELECTIONS,
        Selection as Selection,
        new_tree as new_tree,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
