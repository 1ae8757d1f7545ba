"""Kernels of the trained model: features of hands, of decisions, and of ranges."""
