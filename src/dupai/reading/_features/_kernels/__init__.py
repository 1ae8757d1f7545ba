"""Kernels of features: of hole cards on a board, and of a decision."""
