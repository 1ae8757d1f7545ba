"""Whether to say so when kernels are being compiled. Kept apart from the compiler so that asking loads no numba."""

enabled = False


def announce_compilation() -> None:
    """From now on say ``compiling kernels, once`` on standard error when machine code is not in the cache."""
    global enabled
    enabled = True
