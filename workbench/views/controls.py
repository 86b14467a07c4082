"""The widgets of the settings, made from SETTINGS; their values are the link's."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import streamlit as st

from workbench.evaluation.task import task_named
from workbench.settings import SETTINGS, Settings
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName
from workbench.views import cache, uploads
from workbench.views.errors import plain
from workbench.views.private import forget_in_link, out_of_sight, take_unheard

_LINK_MESSAGES = "messages about the link"
_REFUSED = "refused of the link:"  # a widget's key follows
_MOST_ALLOWED = 12  # names in a warning
_SLIDERS = ("sigma2", "cutoff")
_HELD = (*_SLIDERS, "show", "lecture", "lesson", "step", "pair", "slice", "word", "without",
         "pin")  # fmt: skip
_IS_PLAIN = "opened without a link"
SCRUBBER = "scrubber"  # key of the component
SENT = "sent"  # when the browser sent the last of its messages that was heard, by its clock
_TESTED = "texts that views may measure on the test text of"


def read_link(names: Mapping[str, Sequence[str]]) -> None:
    """Read the link when the page opens; ``names``: the data sets here, by setting.

    A page that was open when the server was restarted opens with a move of its scrubber.
    """
    said = take_unheard(SCRUBBER)
    moved = {name: text for name, text in said.items() if name in _HELD}
    put({**moved, SENT: said[SENT]} if said else {})
    if _LINK_MESSAGES not in st.session_state:
        st.session_state[_IS_PLAIN] = not st.query_params
        st.query_params.update(moved)  # a widget takes only later values into the link
        settings, messages = Settings.from_query(st.query_params, names)
        messages = uploads.explain_link(st.query_params, messages)
        if "templates" not in st.query_params:
            settings = replace(settings, templates=templates_of(settings.background))
        st.session_state[_LINK_MESSAGES] = settings, messages
        texts = {n: SETTINGS[n].text(getattr(settings, n)) for n in SETTINGS}
        if wrong := {n for n, text in st.query_params.items() if texts.get(n, text) != text}:
            for name in wrong:  # no widget would take it
                del st.query_params[name]
            st.query_params.update({n: texts[n] for n in wrong if n in settings.to_query()})
            st.rerun()


def link_messages(settings: Settings) -> Sequence[str]:
    """Return what was wrong with the link that was opened; nothing once a setting has changed."""
    opened, messages = st.session_state.get(_LINK_MESSAGES, (None, ()))
    return messages if settings == opened else ()


@contextmanager
def refusing(settings: Settings) -> Iterator[None]:
    """Empty a setting whose text the block refuses, show why, and run the page again."""
    try:
        yield
    except InputError as error:  # "slice=…: there is none"
        empty: dict[str, Any] = {str(error).partition("=")[0]: ""}
        if not empty.keys() <= SETTINGS.keys():
            raise
        messages = [*link_messages(settings), str(error)]
        st.session_state[_LINK_MESSAGES] = replace(settings, **empty), messages
        st.session_state[uploads.LATER] = empty
        forget_in_link(*empty)
        st.rerun()


def current(names: Mapping[str, Sequence[str]]) -> Settings:
    """Return the ``Settings`` of the widgets; of one not drawn yet, those of the link."""
    query = linked().to_query() | {
        name: st.session_state[name] for name in SETTINGS if st.session_state.get(name) is not None
    }
    return Settings.from_query(query, names)[0]


def is_plain() -> bool:
    """Return whether the page was opened by its bare address."""
    return st.session_state[_IS_PLAIN]


def linked() -> Settings:
    """Return what the link said when the page was opened."""
    return st.session_state[_LINK_MESSAGES][0]


def choose(
    name: str, allowed: Sequence[str] = (), widget: Callable = st.selectbox, **options: Any
) -> Any:
    """Draw the widget of a setting, tied to the link; returns its value."""
    setting = SETTINGS[name]
    label = setting.label
    options = {"help": setting.help} | options | {"key": name, "bind": "query-params"}
    if setting.is_free:
        return st.text_input(label, **{"value": setting.default} | options)
    texts = [setting.text(value) for value in allowed or setting.allowed]
    default = setting.text(setting.default)
    if default not in texts:
        default = texts[0]
    if widget is st.selectbox:
        options["index"] = texts.index(default)
    elif widget is st.segmented_control:
        options |= {"default": default, "required": True, "label_visibility": "collapsed"}
    else:
        options["value"] = default
    text = widget(label, texts, **options)
    return setting.parse(text, allowed)


def mirror(
    name: str, allowed: Sequence[str] = (), widget: Callable = st.selectbox,
    then: Callable[[], object] | None = None, **options: Any,
) -> None:  # fmt: skip
    """Draw a visible widget for a setting that ``hold`` holds; ``then`` is called after a change.

    It may be drawn anywhere, also in a closed popover: the link follows the held widget.
    """
    setting, key = SETTINGS[name], f"choice of {name}"
    st.session_state[key] = st.session_state[name]
    options = {"label": setting.label, "help": setting.help} | options
    if not setting.is_free:
        options["options"] = [setting.text(value) for value in allowed or setting.allowed]
    widget(**options, key=key, on_change=_take, args=(name, key, then))


def _take(name, key, then):
    if st.session_state[key] is not None:
        st.session_state[name] = st.session_state[key]
    if then:
        then()


def in_link(key: str, allowed: Sequence[str] = (), instead: str = "") -> dict[str, Any]:
    """Return the options of a widget of a view's own, whose value is in the link under its key.

    Warns of a value in the link that is none of the allowed, until the widget is used; where none
    are given any will do. ``instead`` says what is shown in its place.
    """
    refused = f"{_REFUSED} {key}"
    if refused not in st.session_state:
        given = st.query_params.get_all(key) if allowed else []
        st.session_state[refused] = [text for text in given if text not in allowed][:1]
    for text in st.session_state[refused]:
        shown = ", ".join(allowed[:_MOST_ALLOWED]) + (", …" if len(allowed) > _MOST_ALLOWED else "")
        st.warning(plain(f"{key}={text[:40]}: allowed are {shown}; {instead}"))
    return {
        "key": key, "bind": "query-params", "on_change": put, "args": ({refused: []},),
    }  # fmt: skip


def is_trained(background: str) -> bool:
    """Return whether models are trained on a background: it is a text of words, and no model."""
    return isinstance(cache.task_of(background), TaskName) and not cache.is_model(background)


def hold(names: Mapping[str, Sequence[str]]) -> None:
    """Draw widgets, out of sight, that hold all settings but the view and tie them to the link.

    Before the settings are read: only where it is drawn does a widget follow the browser's Back.
    """
    put(st.session_state.pop(uploads.LATER, {}))
    with out_of_sight("held"):
        background = choose("background", names["background"])
        choose("domain", names["domain"])
        if is_trained(background):
            choose("templates", value=templates_of(background))
            choose("model", widget=st.segmented_control)
        choose("part", widget=st.segmented_control)
        for name in _HELD:
            own: dict = {"widget": st.select_slider} if name in _SLIDERS else {}
            choose(name, **own)


def templates_of(background: str) -> str:
    """Return the templates that models of a background read unless others are chosen."""
    return task_named(cache.task_of(background)).templates


def put(texts: Mapping[str, str]) -> None:
    """Give widgets other values, texts by name; before they are drawn, as in callbacks."""
    st.session_state.update(texts)


def may_test(background: str, *domains: str) -> bool:
    """Return whether the visitor agreed to measure on some test texts; if not, draw a button."""
    texts = background, *sorted(domains)
    asked = st.session_state.setdefault(_TESTED, set())
    if texts not in asked:
        st.caption("This view measures on *test* text: choose on dev, in *Tune*, first.")
        st.button("Measure on the test text", type="primary", on_click=asked.add, args=(texts,))
    return texts in asked


def offer_background(settings: Settings) -> None:
    """Draw a button that takes a text for the background, where there is one."""
    here = cache.data_set_names(TaskName.CASE)["background"]
    free = [name for name in here if not cache.is_model(name) and name != settings.domain]
    for name in free[:1]:
        st.button(plain(f"Use {name} as background"), on_click=put, args=({"background": name},))


def offer_file(label: str, data: Any, name: str, mime: str | None = None, **options: Any) -> None:
    """Draw a button that downloads a file; data may be a function that makes them on a click."""
    icon = ":material/download:"
    st.download_button(label, data, name, mime, icon=icon, on_click="ignore", **options)
