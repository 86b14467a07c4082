"""Charts: data frame in, altair chart out; the same figures in a notebook and on the page."""

from workbench.charts.amount_chart import draw_amounts
from workbench.charts.bars import draw_ablation, draw_bench, draw_methods, error_table, tag_table
from workbench.charts.coverage_chart import describe_coverage, draw_coverage
from workbench.charts.curves import best_sigma2, curve_table
from workbench.charts.figures import draw_errors, draw_errors_by_tag, draw_figure1, keep_pictures
from workbench.charts.looks import role_colors
from workbench.charts.paper_charts import draw_paper
from workbench.charts.tables import draw_grid, draw_lines, draw_moves

__all__ = [
    "best_sigma2", "curve_table", "describe_coverage", "draw_ablation",
    "draw_amounts", "draw_bench", "draw_coverage", "draw_errors", "draw_errors_by_tag",
    "draw_figure1", "draw_grid", "draw_lines", "draw_methods", "draw_moves",
    "draw_paper", "error_table", "keep_pictures", "role_colors", "tag_table",
]  # fmt: skip
