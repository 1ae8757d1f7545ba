"""Imported first by the server that worker processes are forked from: it leaves Ctrl-C to the parent."""

import signal

# Blocked by the process that started the server (see _workers.worker_context).
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
