"""The workbench in the browser: ``streamlit run app.py``."""

import streamlit as st

from workbench.views import cache, compare_page, controls, papers_page
from workbench.views.error_messages import show_errors
from workbench.views.sources import own_text
from workbench.views.style import BRAND, ICON, send_sheet
from workbench.views.tune import tune_page

VIEWS = {"Tune": tune_page.render, "Compare": compare_page.render, "Papers": papers_page.render}

st.set_page_config("Capitalization workbench", ICON, layout="wide")
send_sheet()
with show_errors():
    names = cache.data_set_names()
    controls.read_link(names)
    with st.sidebar:
        st.html(BRAND)
        choices = st.container()
        own_text.draw(controls.current(names))  # first: a new text becomes the domain
        names = cache.data_set_names()
        with choices:
            controls.draw_sidebar(names)
    settings = controls.current(names)
    VIEWS[settings.view](settings)
