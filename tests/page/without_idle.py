"""The page without what it does in idle time, so that tests need not wait for its end.

Its link may say that idle time never ends instead: then it is drawn again and again. Compare and
Papers measure at once.
"""

import time
from pathlib import Path
from runpy import run_path

import streamlit as st

from workbench.experiments.surface import Point
from workbench.views import controls
from workbench.views.tune import page


def idle_points(*_):
    if "endless" not in st.query_params:
        return []
    time.sleep(0.2)  # as fits take time, too
    return [Point(0, 1.0)]


page.idle_points = idle_points
controls.may_test = lambda *_: True
run_path(str(Path(__file__).parents[2] / "app.py"))
