"""The app's page as Streamlit's own tester opens it, on the tiny data sets."""

from streamlit.testing.v1 import AppTest
from tiny_data import QUERY


def make_page(**query):
    """Page of the tiny data sets with more parameters, not yet run."""
    app = AppTest.from_file("../app.py", default_timeout=60)
    for name, value in (QUERY | query).items():
        app.query_params[name] = value
    return app


def html_of(app):
    """All pieces of HTML that the page shows."""
    return "\n".join(element.proto.body for element in app.get("html"))
