"""Kernels over the bytes of files: ACPC log lines and PHH tables to columns."""

from dupai.notation._kernels.acpc import scan_kernel as scan_kernel
from dupai.notation._kernels.phh import scan_phh_kernel as scan_phh_kernel
