"""Kernels of the *experience* system: classes of hands, the sweeps of the staged tree."""
