"""The ACPC protocol live: a client for any dealer, a dealer, and programs of others as agents of ours.

State machines without sockets (:class:`ClientSession`, :class:`Dealer`) decide everything; asyncio carries the bytes.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.acpc._agent import AcpcAgent as AcpcAgent, SeatRelay as SeatRelay
    from dupai.acpc._client import VERSION_LINE as VERSION_LINE, ClientSession as ClientSession, Told as Told
    from dupai.acpc._dealer import DealConfig as DealConfig, Dealer as Dealer, Table as Table
    from dupai.acpc._deck import Deal as Deal, acpc_deals as acpc_deals, acpc_words as acpc_words
    from dupai.acpc._files import DealFault as DealFault, MatchFiles as MatchFiles
    from dupai.acpc._join import JoinResult as JoinResult, join as join, join_match as join_match
    from dupai.acpc._lines import MAX_LINE as MAX_LINE, LineBuffer as LineBuffer
    from dupai.acpc._player import corrected as corrected
    from dupai.acpc._serve import DealResult as DealResult, deal as deal, deal_programs as deal_programs
    from dupai.acpc._settings import DealSettings as DealSettings
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
