"""Vector kernels of the postflop solver."""
