"""Real hands: logs replayed under our rules, payoffs recomputed."""

from dupai.history._check import check_record
from dupai.history._files import LogFile
from dupai.history._kernels import replay_kernel
from dupai.history._report import Problem, VerifyReport
from dupai.history._verify import verify_file, verify_files

__all__ = [
    "LogFile",
    "Problem",
    "VerifyReport",
    "check_record",
    "replay_kernel",
    "verify_file",
    "verify_files",
]
