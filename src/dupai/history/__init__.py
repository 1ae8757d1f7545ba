"""Real hands: logs replayed under our rules, payoffs recomputed."""

from dupai.history._files import LogFile
from dupai.history._kernels import replay_kernel
from dupai.history._verify import Problem, VerifyReport, check_record, verify_file, verify_files

__all__ = [
    "LogFile",
    "Problem",
    "VerifyReport",
    "check_record",
    "replay_kernel",
    "verify_file",
    "verify_files",
]
