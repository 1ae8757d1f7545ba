"""Processor time of every part of every paper, so that a run can say beforehand how long it takes."""

from __future__ import annotations

from dupai.experiments._paper import Size

#: Minutes of one core by paper, part and size: measured for ``quick``; for ``full`` scaled up from it by the hands.
PART_MINUTES: dict[tuple[str, str, Size], float] = {}
