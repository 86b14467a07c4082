"""The workbench in the browser: ``streamlit run app.py``."""

import streamlit as st

from workbench.views import compare, header, papers, visit
from workbench.views.errors import show_errors
from workbench.views.private import ICON, send_sheet
from workbench.views.tune import page

VIEWS = {"Tune": page.render, "Compare": compare.render, "Papers": papers.render}

st.set_page_config("Capitalization workbench", ICON, layout="wide")
send_sheet()
with show_errors():
    settings = header.draw()
    visit.mount()
    # What another view drew goes at once, not when this one is done.
    places = {
        name: st.container(key="shown view") if name == settings.view else st.empty()
        for name in VIEWS
    }
    with places[settings.view]:
        VIEWS[settings.view](settings)
