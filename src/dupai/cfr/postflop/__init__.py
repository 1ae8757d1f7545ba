"""The heads-up postflop solver: discounted CFR over all hands of both ranges at once, with vector kernels."""
