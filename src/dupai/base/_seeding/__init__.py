"""Seeding inside kernels: NumPy's ``SeedSequence`` as a kernel."""
