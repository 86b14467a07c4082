"""The workbench in the browser: ``streamlit run app.py``."""

import streamlit as st

from workbench.views import cache, compare, controls, papers, uploads
from workbench.views.errors import show_errors
from workbench.views.private import BRAND, ICON, send_sheet
from workbench.views.tune import page

VIEWS = {"Tune": page.render, "Compare": compare.render, "Papers": papers.render}

st.set_page_config("Capitalization workbench", ICON, layout="wide")
send_sheet()
with show_errors():
    names = cache.data_set_names()
    controls.read_link(names)
    with st.sidebar:
        st.html(BRAND)
        choices = st.container()
        uploads.draw(controls.current(names))  # first: a new text becomes the domain
        names = cache.data_set_names()
        with choices:
            controls.draw_sidebar(names)
    settings = controls.current(names)
    VIEWS[settings.view](settings)
