"""The workbench in the browser: ``streamlit run app.py``."""

import streamlit as st

from workbench.views import cache, compare_page, controls, papers_page, tune_page
from workbench.views.problems import told_in_place
from workbench.views.style import BRAND, ICON, SHEET

VIEWS = {"Tune": tune_page.render, "Compare": compare_page.render, "Papers": papers_page.render}

st.set_page_config("Capitalization workbench", ICON, layout="wide")
st.html(SHEET)
with told_in_place():
    names = cache.data_set_names()
    controls.read_link(names)
    with st.sidebar:
        st.html(BRAND)
        controls.draw_sidebar(names)
    settings = controls.current(names)
    VIEWS[settings.view](settings)
