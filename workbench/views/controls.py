"""The widgets, built from the table of settings; what they hold is what the link says."""

import streamlit as st

from workbench.charts import best_sigma2
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES
from workbench.settings import PRESETS, SETTINGS, Settings

_LINK_MESSAGES = "messages about the link"


def read_link(names):
    """Say once, until a setting is changed, what in the link could not be used.

    Parameters
    ----------
    names : dict of str to tuple of str
        Data sets here, by setting.
    """
    if _LINK_MESSAGES not in st.session_state:
        settings, messages = Settings.from_query(st.query_params, names)
        st.session_state[_LINK_MESSAGES] = settings, messages


def link_messages(settings):
    """Return what is to be said about the link while the page is as it opened."""
    opened, messages = st.session_state.get(_LINK_MESSAGES, (None, ()))
    return messages if settings == opened else ()


def current(names):
    """Return the ``Settings`` as the widgets hold them, drawn yet or not."""
    opened, _ = st.session_state[_LINK_MESSAGES]
    query = opened.to_query() | {
        name: st.session_state[name] for name in SETTINGS if st.session_state.get(name) is not None
    }
    return Settings.from_query(query, names)[0]


def choose(name, allowed=(), widget=st.selectbox, **options):
    """Draw the widget of a setting, tied to the link; returns its value."""
    setting = SETTINGS[name]
    label = f"{setting.symbol} · {setting.label}" if setting.symbol else setting.label
    options = {"help": setting.help} | options | {"key": name, "bind": "query-params"}
    if setting.is_free:
        return st.text_input(label, setting.default, **options)
    texts = [setting.text(value) for value in allowed or setting.allowed]
    default = setting.text(setting.default)
    if default not in texts:
        default = texts[0]
    if widget is st.selectbox:
        options["index"] = texts.index(default)
    elif widget is st.segmented_control:
        options |= {"default": default, "required": True}
    else:
        options["value"] = default
    text = widget(label, texts, **options)
    return setting.parse(text, allowed)


def draw_sidebar(names):
    """Draw which view, what is adapted to what, and how the view Tune measures it."""
    view = choose("view", widget=st.segmented_control, width="stretch")
    choose("background", names["background"])
    choose("domain", names["domain"])
    known = f"Sets: {', '.join(TEMPLATE_SETS)}. Templates: {' · '.join(TEMPLATES)}."
    choose("templates", max_chars=500, help=f"{SETTINGS['templates'].help} {known}")
    if view == SETTINGS["view"].default:  # elsewhere they hold their values, and mean nothing
        choose("model", widget=st.segmented_control, width="stretch")
        choose("cutoff", widget=st.segmented_control, width="stretch")
        choose("part", widget=st.segmented_control, width="stretch")


def draw_sigma2():
    """Draw the slider of sigma^2; returns its value."""
    return choose("sigma2", widget=st.select_slider)


def set_sigma2(sigma2):
    """Move the slider; for callbacks, which run before it is drawn."""
    st.session_state["sigma2"] = SETTINGS["sigma2"].text(sigma2)


def draw_presets(curve, sigma2):
    """Draw one button a preset, and the reason of the one that is set.

    Parameters
    ----------
    curve : DataFrame
        What ``Session.curve`` gives: tells which sigma^2 is the best on dev so far.
    sigma2 : float
        The present one.
    """
    values = [best_sigma2(curve) if p.sigma2 is None else p.sigma2 for p in PRESETS]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        for preset, value in zip(PRESETS, values, strict=True):
            st.button(
                f"{preset.name} · {SETTINGS['sigma2'].text(value)}",
                key=f"preset {preset.name}",
                help=preset.reason,
                on_click=set_sigma2,
                args=(value,),
            )
        if sigma2 in values:
            st.caption(PRESETS[values.index(sigma2)].reason)
