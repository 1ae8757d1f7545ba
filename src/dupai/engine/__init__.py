"""The engine: agents and analysis for other programs, one JSON document a line. ``docs/reference/engine.md`` is its
specification."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.engine._messages import (
        ENGINE_PROTOCOL as ENGINE_PROTOCOL,
        Act as Act,
        ActionLine as ActionLine,
        Analyse as Analyse,
        Analysis as Analysis,
        Coached as Coached,
        Hand as Hand,
        Known as Known,
        LessonLine as LessonLine,
        Observe as Observe,
        RangeLine as RangeLine,
        Start as Start,
        Stop as Stop,
        action_of as action_of,
    )
    from dupai.engine._pool import Engine as Engine, EngineError as EngineError, EnginePool as EnginePool
    from dupai.engine._serve import (
        end_with_reader as end_with_reader,
        engine_nursery as engine_nursery,
        serve as serve,
    )
    from dupai.engine._worker import Worker as Worker, known_spec as known_spec
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
