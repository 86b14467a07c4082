"""The page: its head, and the view that is chosen."""

import streamlit as st

from workbench.annexes import import_alone
from workbench.views import header, visit
from workbench.views.errors import show_errors
from workbench.views.private import ICON, send_sheet

# Each is imported when it is first shown: the chart library of the last two loads slowly.
VIEWS = {"Tune": "tune.page", "Compare": "compare", "Papers": "papers"}


def draw() -> None:
    """Draw the page."""
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
            import_alone(f"workbench.views.{VIEWS[settings.view]}").render(settings)
