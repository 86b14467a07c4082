"""The page without what it does in idle time, so that tests need not wait for its end."""

from pathlib import Path
from runpy import run_path

from workbench.views.tune import page

page.idle_points = lambda *_: []
run_path(str(Path(__file__).parents[2] / "app.py"))
