"""The head of the page: the view, lessons, own texts, and the choice of background and domain."""

from collections.abc import Callable, Mapping, Sequence
from html import escape

import streamlit as st

from workbench.evaluation.task import task_named
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES
from workbench.models.shipped import BACKGROUNDS
from workbench.settings import SETTINGS, Settings
from workbench.text.tasks import TaskName
from workbench.views import cache, controls, lessons, uploads, visit
from workbench.views.private import BRAND

_OTHERS = "other tasks"
_TOUR = "tags"  # the lesson that says what everything on the page is


def draw() -> Settings:
    """Draw the head and return the settings that are chosen in it and in the link."""
    names = cache.data_set_names()
    controls.read_link(names)
    top = st.container(key="top", horizontal=True, vertical_alignment="center", gap="small")
    sentence = st.container(
        key="sentence", horizontal=True, vertical_alignment="center", gap="xsmall"
    )
    # What goes is cleared at once, not when all else is drawn; what stays does not flicker.
    start = st.container() if _is_new_here() else st.empty()
    with top:
        st.html(BRAND, width="content")
        view = controls.choose("view", widget=st.segmented_control)
    uploads.draw(controls.current(names))  # first: a new text is chosen
    names = cache.data_set_names()
    is_tune = view == SETTINGS["view"].default
    controls.hold(names)
    settings = controls.current(names)
    with top:
        _draw_tools(settings, is_tune)
    with sentence:
        _draw_sentence(settings)
    if settings.lesson or uploads.is_open():
        visit.see_start()  # begun by the head
    if is_tune and _is_new_here():
        _draw_start(start)
    return settings


def _draw_tools(settings, is_tune):
    place = st.empty()  # that is cleared at once where another task is chosen
    if task_named(cache.task_of(settings.background)).recases:
        with place.popover("Lessons", key=lessons.LIST, on_change="rerun"):
            lessons.draw_list()
    st.button("Your own text", key="own text", on_click=uploads.show, args=(not uploads.is_open(),))
    with st.popover("Advanced"):
        _draw_advanced(settings, is_tune)


def _draw_sentence(settings):
    """Draw the sentence in which background and domain are chosen."""
    task = cache.task_of(settings.background)
    is_case = task == TaskName.CASE
    shown = None if st.session_state.get(_OTHERS) or not is_case else TaskName.CASE
    domains = cache.data_set_names(task)["domain"]
    _say("A capitalizer that has learnt" if is_case else "A model that has learnt")
    _choose("background", cache.data_set_names(shown)["background"], uploads.follow_background)
    _say("is adapted to")
    _choose("domain", [name for name in domains if name != settings.background],
            uploads.forget_places)  # fmt: skip


def _say(text):
    st.html(f"<p>{text}</p>", width="content")


def _choose(name: str, names: Sequence[str], then: Callable[[], object]) -> None:
    names = list(dict.fromkeys([*names, st.session_state[name]]))
    known = {data_set.name: data_set for data_set in cache.all_data_sets()}
    labels = {name: _describe(name, known) for name in names}
    controls.mirror(
        name, names, then=then, format_func=labels.__getitem__, label_visibility="collapsed",
        help=None,
    )  # fmt: skip


def _describe(name, known):
    """Return what a data set, a model or a text of the visitor's is, with its size."""
    if title := BACKGROUNDS.get(name):
        return f"{title} · a model"
    if own := uploads.find(name):
        return f"{name} · {own.n_words:,} words"
    if (data_set := known.get(name)) is None:
        return name
    what, n = data_set.note.partition(";")[0], data_set.n_words
    size = "" if n is None else f"{n / 1e6:.1f}M words" if n >= 1e6 else f"{n / 1e3:.0f}k words"
    return " · ".join(filter(None, (name, what, size)))


def _draw_advanced(settings, is_tune):
    more = "Also lists backgrounds of parts of speech, chunks and names, and candidate parses."
    st.toggle("Other tasks", key=_OTHERS, help=more)
    if controls.is_trained(settings.background):
        known = f"Sets: {', '.join(TEMPLATE_SETS)}. Templates: {' · '.join(TEMPLATES)}."
        text = f"{SETTINGS['templates'].help} {known}"
        controls.mirror("templates", widget=st.text_input, help=text)
        if is_tune:
            controls.mirror("model", widget=st.segmented_control, width="stretch")
    if is_tune:
        controls.mirror("part", widget=st.segmented_control, width="stretch")
    draw_unavailable()


def draw_unavailable() -> None:
    """Draw the list of data sets that cannot be chosen, with reasons; nothing where all can."""
    if not (found := [data_set for data_set in cache.all_data_sets() if data_set.obstacle]):
        return
    with st.expander(f"{len(found)} more sets that could be here"):
        rows = "".join(f"<li><b>{escape(d.name)}</b>: {escape(d.obstacle)}.</li>" for d in found)
        st.html(f'<ul class="wb wb-unavailable">{rows}</ul>')
        where = "Folders of your own are listed from data/ and from where WORKBENCH_DATA points."
        st.caption(f"{where} A domain needs train, dev and test text.")


def _is_new_here():
    """Return whether a new visitor has opened the bare page, and taken no way to begin."""
    is_begun = uploads.is_open() or st.session_state.get("lesson", "none") != "none"
    is_tune = st.session_state.get("view") in (None, SETTINGS["view"].default)
    return is_tune and not is_begun and controls.is_plain() and not visit.has_seen_start()


def _draw_start(place):
    """Draw three ways to begin."""
    ways: Mapping[str, Callable[[], None]] = {
        "Take the two-minute tour": lambda: lessons.go(_TOUR),
        "Bring your own text": lambda: uploads.show(True),
        "Just play": visit.see_start,
    }
    with place.container(key="start", horizontal=True, vertical_alignment="center", gap="small"):
        _say("New here?")
        for label, begin in ways.items():
            st.button(label, key=f"start {label}", on_click=begin)
