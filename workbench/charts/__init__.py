"""Charts: data frame in, altair chart out; the same figures in a notebook and in the app.

What changes from one sigma^2 to the next stands in the data, never in the
specification, so a page may keep the drawing and exchange its data: ``spec``
gives a specification without data, made once.
"""

from workbench.charts.amount_chart import draw_amounts
from workbench.charts.coverage_chart import describe_coverage, draw_coverage
from workbench.charts.error_chart import describe_models, error_table, tag_table
from workbench.charts.figure1 import PICK, best_sigma2, curve_table, describe_curve
from workbench.charts.figures import (
    FIGURES,
    draw_errors,
    draw_errors_by_tag,
    draw_figure1,
    figure_of,
    filled,
    keep_pictures,
    spec,
)
from workbench.charts.heat_map import GRID_PICK, draw_heat_map
from workbench.charts.looks import role_colors
from workbench.charts.method_chart import draw_ablation, draw_bench, draw_methods
from workbench.charts.paper_charts import draw_paper
from workbench.charts.table_charts import draw_grid, draw_lines, draw_moves

__all__ = [
    "FIGURES", "GRID_PICK", "PICK", "best_sigma2", "curve_table", "describe_coverage",
    "describe_curve", "describe_models", "draw_ablation", "draw_amounts", "draw_bench",
    "draw_coverage", "draw_errors", "draw_errors_by_tag", "draw_figure1", "draw_grid",
    "draw_heat_map", "draw_lines", "draw_methods", "draw_moves", "draw_paper", "error_table",
    "figure_of", "filled", "keep_pictures", "role_colors", "spec", "tag_table",
]  # fmt: skip
