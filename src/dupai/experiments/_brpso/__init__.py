"""BR-PSO: Hu, Chen, Yuan, Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas
Hold'em", Control and Decision 39(5), 2024: its runs, what it leaves open, and what we added."""

from dupai.experiments._brpso import _cells as cells, _figures as figures, _report as report
from dupai.experiments._paper import Paper, Part

PAPER = Paper(
    "brpso",
    "BR-PSO: finding an opponent's weakness while playing",
    'Hu, Chen, Yuan, Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas '
    "Hold'em\", Control and Decision 39(5), 2024",
    (
        Part("runs", "The paper's runs, baselines, the best fixed policy", cells.run_cells, report.run_section,
             cells.cma_needs),
        Part("cases", "Figure 6: the four cases, twice as long", cells.case_cells, figures.case_section),
        Part("fitness", "Figure 4(c): fitness by update", cells.fitness_cells, figures.fitness_section),
        Part("sizes", "The styles' raise size", cells.size_cells, figures.size_section),
        Part("streets", "More situations than the paper's", cells.street_cells, figures.street_section),
        Part("printed", "The printed policies", cells.printed_cells, report.printed_section),
        Part("options", "Less luck, racing, a library", cells.option_cells, report.option_section),
        Part("strangers", "Opponents that the library does not know", cells.stranger_cells, report.stranger_section),
        Part("change", "An opponent that changes", cells.change_cells, report.change_section),
        Part("tables", "Several opponents", cells.table_cells, report.table_section),
        Part("sensitivity", "What the paper leaves open", cells.sensitivity_cells, report.sensitivity_section),
        Part("reader", "The hand reader", cells.reader_cells, report.reader_section, cells.reader_needs),
    ),
)  # fmt: skip
