"""Experiments: every paper's printed figures beside ours, and the report.

One module for each paper: its configuration, its run and the published figures as data (``PAPER``).
"""

from dupai.experiments._paper import Cell, Chart, Line, Paper, Part, Row, Section, Size, Table, Value
from dupai.experiments._report import chart_svg, report_html, value_text
from dupai.experiments._run import PAPERS, PaperResult, PartResult, load_paper, run_paper

__all__ = [
    "PAPERS",
    "Cell",
    "Chart",
    "Line",
    "Paper",
    "PaperResult",
    "Part",
    "PartResult",
    "Row",
    "Section",
    "Size",
    "Table",
    "Value",
    "chart_svg",
    "load_paper",
    "report_html",
    "run_paper",
    "value_text",
]
