"""The ACPC protocol live: a client for any dealer, a dealer, and programs of others as agents of ours.

State machines without sockets (:class:`ClientSession`, :class:`Dealer`) decide everything; asyncio carries the bytes.
"""

from dupai.acpc._agent import AcpcAgent, SeatRelay, start_program, stop_program
from dupai.acpc._client import VERSION_LINE, ClientSession, Told
from dupai.acpc._dealer import DealConfig, Dealer, DealFault, Table, corrected
from dupai.acpc._deck import Deal, acpc_deals, acpc_words
from dupai.acpc._files import MatchFiles
from dupai.acpc._join import JoinResult, join, join_match
from dupai.acpc._lines import MAX_LINE, LineBuffer
from dupai.acpc._programs import deal_programs
from dupai.acpc._serve import DealResult, deal

__all__ = [
    "MAX_LINE",
    "VERSION_LINE",
    "AcpcAgent",
    "ClientSession",
    "Deal",
    "DealConfig",
    "DealFault",
    "DealResult",
    "Dealer",
    "JoinResult",
    "LineBuffer",
    "MatchFiles",
    "SeatRelay",
    "Table",
    "Told",
    "acpc_deals",
    "acpc_words",
    "corrected",
    "deal",
    "deal_programs",
    "join",
    "join_match",
    "start_program",
    "stop_program",
]
