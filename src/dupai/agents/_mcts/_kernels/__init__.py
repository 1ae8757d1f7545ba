"""Kernels of the tree search: the tree itself, what is drawn, hold'em, small games."""
