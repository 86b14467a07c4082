"""The test text as a sealed envelope: opened by a button or a link, every look counted."""

import streamlit as st

from workbench.experiments.exploring.envelope import Envelope
from workbench.experiments.exploring.session import Session
from workbench.scrub.view import parse_pin
from workbench.settings import SETTINGS, Settings
from workbench.views import controls
from workbench.views.error_messages import plain
from workbench.views.tune import dropping

_OPENED = "opened envelopes"


def part_shown(settings: Settings, session: Session) -> str:
    """Return the part that may be shown: dev until the envelope of the test text is opened.

    A link that names the test text has opened it.
    """
    name = _envelope(session).name
    if _OPENED not in st.session_state:
        st.session_state[_OPENED] = {name} if controls.linked().part == "test" else set()
    return settings.part if name in st.session_state[_OPENED] else "dev"


def draw(asked: Settings, shown: Settings, session: Session) -> None:
    """Draw the envelope where the test text is asked for: a button, or the count of looks.

    What ``shown`` shows of the test text is counted.
    """
    if asked.part != "test":
        return
    envelope = _envelope(session)
    with st.container(horizontal=True, vertical_alignment="center", key="envelope"):
        if shown.part == "test":
            _draw_count(_count(envelope, session, shown))
            return
        n = len(envelope.looks)
        before = f" It has been opened {_times(n)} before." if n else ""
        st.caption(
            "The test text is a sealed envelope: every look is counted, and dev is shown until "
            f"you open it.{before}"
        )
        st.button("Open the envelope", key="open envelope", on_click=_open, args=(envelope.name,))


def _envelope(session):
    return Envelope(str(session.background.info["name"]), session.corpora["test"])


def _open(name):
    st.session_state[_OPENED] |= {name}


def _count(envelope, session, settings):
    """Count what is shown, and a pinned state beside it; returns all looks."""
    pin = parse_pin(settings.pin)
    if pin:
        envelope.open(_look(session, settings, pin.sigma2, pin.cutoff))
    return envelope.open(_look(session, settings, settings.sigma2, settings.cutoff))


def _look(session, settings, sigma2, cutoff):
    texts = [SETTINGS["sigma2"].text(sigma2), SETTINGS["cutoff"].text(cutoff)]
    templates = settings.templates if session.task.templates else ""
    model = f"{session.background.kind.upper()} {templates}".strip()
    look = f"{model}, σ² {texts[0]}, cut-off {texts[1]}"
    without = sorted(dropping.dropped())
    return f"{look}, without sentences {without}" if without else look


def _draw_count(looks):
    st.caption(
        plain(f"Test text: opened {_times(len(looks))}: choose on dev, report once."),
        help="  \n".join(plain(look) for look in looks[-20:]),
    )


def _times(n):
    return "once" if n == 1 else f"{n:,} times"
