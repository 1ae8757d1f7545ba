"""Kernels over hands as columns: replaying and checking them, and turning them into the store's rows."""

from dupai.history._kernels.columns import columns_kernel as columns_kernel, words_kernel as words_kernel
from dupai.history._kernels.phh import replay_phh_kernel as replay_phh_kernel
from dupai.history._kernels.replay import replay_kernel as replay_kernel
