"""Whether to announce the compilation of kernels. In a module of its own, so that reading it loads no numba."""

enabled = False


def announce_compilation() -> None:
    """From now on write ``compiling kernels, once`` to standard error when machine code is not in the cache."""
    global enabled
    enabled = True
