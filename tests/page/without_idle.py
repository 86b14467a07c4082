"""The page without what it does in idle time, so that tests need not wait for its end.

Compare and Papers measure at once.
"""

from pathlib import Path
from runpy import run_path

from workbench.views import controls
from workbench.views.tune import page

page.idle_points = lambda *_: []
controls.may_test = lambda *_: True
run_path(str(Path(__file__).parents[2] / "app.py"))
