"""Experiments: every paper's printed figures beside ours, and the report.

One module for each paper: its configuration, its run and the published figures as data (``PAPER``).
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.experiments._paper import (
        Cell as Cell,
        Chart as Chart,
        Line as Line,
        Paper as Paper,
        Part as Part,
        Row as Row,
        Section as Section,
        Size as Size,
        Table as Table,
        Value as Value,
    )
    from dupai.experiments._report import chart_svg as chart_svg, report_html as report_html, value_text as value_text
    from dupai.experiments._run import (
        PAPERS as PAPERS,
        PaperResult as PaperResult,
        PartResult as PartResult,
        load_paper as load_paper,
        run_paper as run_paper,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
