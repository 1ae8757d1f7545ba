"""Experiments: every paper's printed figures beside ours, the report, and what only an experiment needs.

One package for each paper: its configuration, its cells of work, its printed figures as data, and its report.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.experiments._brpso._lane import FastLane as FastLane
    from dupai.experiments._chart import chart_svg as chart_svg
    from dupai.experiments._experience._zobrist import ZobristTable as ZobristTable
    from dupai.experiments._mcts._small import GameSearch as GameSearch
    from dupai.experiments._page import report_html as report_html
    from dupai.experiments._paper import (
        Cell as Cell,
        Chart as Chart,
        Line as Line,
        Paper as Paper,
        PaperResult as PaperResult,
        Part as Part,
        PartResult as PartResult,
        Row as Row,
        Section as Section,
        Size as Size,
        Table as Table,
        Value as Value,
    )
    from dupai.experiments._report import (
        COMPARED as COMPARED,
        gaps as gaps,
        report_markdown as report_markdown,
        row_texts as row_texts,
        run_text as run_text,
        value_text as value_text,
        verdict_counts as verdict_counts,
        verdict_text as verdict_text,
    )
    from dupai.experiments._run import (
        PAPERS as PAPERS,
        QUICK_MINUTES as QUICK_MINUTES,
        Outlook as Outlook,
        load_paper as load_paper,
        outlook as outlook,
        run_paper as run_paper,
        run_papers as run_papers,
        write_reports as write_reports,
    )
    from dupai.experiments._verdict import (
        Kind as Kind,
        Printed as Printed,
        Verdict as Verdict,
        judge as judge,
        judge_order as judge_order,
        judge_orders as judge_orders,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
