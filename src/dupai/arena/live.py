"""Tables with people: the live table, its store, the sealed deck, the coach and the companion."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.arena._ask import (
        HandReadings as HandReadings,
        HandReview as HandReview,
        SpotAdvice as SpotAdvice,
        advise as advise,
        decisions_of as decisions_of,
        read as read,
        review as review,
    )
    from dupai.arena._coach import LESSON_DEALS as LESSON_DEALS, Coach as Coach, Lesson as Lesson
    from dupai.arena._companion import Companion as Companion
    from dupai.arena._live import (
        LiveSettings as LiveSettings,
        LiveState as LiveState,
        LiveTable as LiveTable,
        seated_names as seated_names,
        spot_table as spot_table,
    )
    from dupai.arena._live_store import LiveStore as LiveStore
    from dupai.arena._sealed import DeckSeal as DeckSeal, SealedDeck as SealedDeck, verify_deal as verify_deal
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
