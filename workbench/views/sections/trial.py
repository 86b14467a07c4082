"""The section of a trial: any text in three capitalizations, and how sure the adapted model is.

A click on a word of the adapted model asks why it is written so.
"""

from collections.abc import Sequence
from html import escape

import streamlit as st

from workbench.charts.coverage_chart import describe_coverage, draw_coverage
from workbench.experiments.confidence import (
    THRESHOLDS,
    TriedWord,
    coverage,
    find_trial,
    say_changes,
    say_reasons_moved,
    tried_corpus,
    try_text,
)
from workbench.experiments.session import Session, Snapshot
from workbench.scrub.answer import answer
from workbench.scrub.bundle import script, sheet
from workbench.settings import SETTINGS, SIGMA2_GRID, Settings
from workbench.text.tasks import TaskName
from workbench.views import controls
from workbench.views.errors import plain, show_errors
from workbench.views.sections import Section
from workbench.views.tune import held_back

_TEXT, _START, _ASKED, _WHY = "try", "trial sentence", "word of the trial", "reasons of the trial"
_LAST = "last texts of the trial"  # the present one and that before it
_DEFAULT = 0.9
_SIGNS = {"1-gram": "◆", "background": "■", "adapted": "●"}  # as in the charts
_DIFFERS = "text-decoration: underline solid 2px; text-underline-offset: .22em; font-weight: 600;"
_UNSURE = "border-bottom: 2px dotted currentColor; padding-bottom: .3em;"
_mount = st.components.v2.component(
    "trial", html='<div class="place"></div>', css=sheet(), js=script("trial")
)


def trial_html(words: Sequence[TriedWord], threshold: float) -> str:
    """Return the words of a text as each model writes them, differences and doubts marked."""
    names = list(words[0].forms) if words else []
    rows = "".join(
        f'<b style="--hue: var(--{name})">{_SIGNS[name]} {name}</b>'
        f"<span>{_line(words, name, threshold)}</span>"
        for name in names
    )
    return f'<div class="wb wb-forms">{rows}</div>'


def _line(words, name, threshold):
    return "".join(
        escape(word.gap).replace("\n", "<br>") + _word(word, name, threshold, place)
        for place, word in enumerate(words)
    ).strip()


def _word(word, name, threshold, place):
    form, before = word.forms[name], word.forms["background"]
    notes, style = [], ""
    if form != before:
        notes.append(f"{name}: {form}, background: {before}")
        style += _DIFFERS
    if name == "adapted" and word.p <= threshold:
        notes.append(f"p({word.tag}) = {word.p:.3f}")
        style += _UNSURE
    text = escape(form)
    asks = f' role="button" data-word="{place}"' if name == "adapted" and word.tag else ""
    if not (notes or asks):
        return text
    mark = '<span class="wb-mark" aria-hidden="true">≠</span>' if form != before else ""
    tip = escape("; ".join([*notes, *(["click: why?"] if asks else [])]))
    return f'<span style="{style}" title="{tip}" tabindex="0"{asks}>{text}{mark}</span>'


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw a text to type or paste, its three capitalizations, and a threshold with its price."""
    text = st.text_area(
        "Type or paste a text, in any case and with its punctuation", _start(session, snapshot),
        height=100, **controls.in_link(_TEXT),
    )  # fmt: skip
    threshold = st.select_slider(
        "Sure enough: p above", THRESHOLDS, value=_DEFAULT, format_func="{:g}".format,
        help="p: the adapted model's probability of its tag, given the whole sentence.",
        **controls.in_link("sure", [f"{p:g}" for p in THRESHOLDS], f"{_DEFAULT} is used instead"),
    )  # fmt: skip
    with show_errors():
        words = try_text(session, snapshot, text or "")
        if words:
            st.html(trial_html(words, threshold))
            former = _former(text)
            if says := say_changes(try_text(session, snapshot, former), words):
                st.caption(plain(says))
            _draw_reasons(session, snapshot, text, former)
        st.caption(
            "Click a word of the adapted model to see why it is written so. ≠: other than the "
            "background writes it. Dotted: not sure enough; point at the word to see p."
        )
    _draw_coverage(session, snapshot, threshold)


def _former(text):
    """Return the text that was tried before this one; "" of the first."""
    last, former = st.session_state.get(_LAST, (text, ""))
    st.session_state[_LAST] = text, last if text != last else former
    return st.session_state[_LAST][1]


def _draw_reasons(session, snapshot, text, former):
    """Draw why the word that was clicked is written so, while the text is the same."""
    (of, place), explained = st.session_state.get(_ASKED, ("", "")), None
    if place and of == text:
        explained = answer(session, snapshot, int(place), tried_corpus(snapshot, text))
        if says := say_reasons_moved(session, snapshot, former, text, int(place)):
            st.caption(plain(says))
    units = f"words of the {snapshot.part} text"
    data = {
        "explained": explained, "i": SIGMA2_GRID.index(snapshot.tuned.sigma2),
        "sigma2s": [SETTINGS["sigma2"].text(value) for value in SIGMA2_GRID],
        "wording": {"unit": units.replace("words", "word"), "units": units},
    }  # fmt: skip
    _mount(key=_WHY, data=data, on_message_change=_hear)


def _hear():
    """Note which word of the text was clicked, "" where the panel was closed; drop a sentence."""
    message = dict(st.session_state[_WHY].message)
    held_back.take(message)
    if "word" in message:
        st.session_state[_ASKED] = st.session_state[_TEXT], message["word"]


def _start(session, snapshot):
    """Return the sentence that the text begins with: chosen once for a session."""
    kept = st.session_state.get(_START)
    if kept is None or kept[0] is not session:
        if kept is not None and st.session_state.get(_TEXT) == kept[1]:
            del st.session_state[_TEXT]  # another domain: nobody has typed, so another sentence
        kept = st.session_state[_START] = session, find_trial(session, snapshot)
    return kept[1]


def _draw_coverage(session, snapshot, threshold):
    table = coverage(session, snapshot)
    says = describe_coverage(table, threshold)
    st.markdown(f"**{plain(says)}**")
    chart = draw_coverage(table, threshold)
    st.altair_chart(chart, key="coverage chart", alt=says)


SECTION = Section("try a text", (TaskName.CASE,), draw)
