"""Kernels over hands as columns: replaying and checking them, and turning them into the store's rows."""

from dupai.history._kernels.columns import columns_kernel, names_kernel, words_kernel
from dupai.history._kernels.phh import replay_phh_kernel
from dupai.history._kernels.replay import replay_kernel

__all__ = ["columns_kernel", "names_kernel", "replay_kernel", "replay_phh_kernel", "words_kernel"]
