"""Kernels of tabular regret minimisation."""
