"""The visitor's own text in the sidebar: uploaded or pasted, checked, and kept as a data set."""

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from workbench.evaluation.task import TASKS, Task
from workbench.experiments.exploring.session import divide
from workbench.settings import Settings
from workbench.text.errors import InputError
from workbench.text.lint import Finding, describe_size, drop_faults, lint_text
from workbench.text.readers import read_upload
from workbench.text.sources.decoding import decode
from workbench.text.tasks import TaskName
from workbench.views import cache
from workbench.views.error_messages import plain
from workbench.views.sources import own_candidates, own_sets, taking

_PASTED, _TEXT = "pasted text", "text to paste"
_LEFT_OUT = "lines left out of "
_MEGABYTES, _MOST_CHARACTERS = 20, 500_000

_HELP = {
    True: "Plain text (UTF-8) with its capital letters: one sentence per line, or running text.",
    False: "One word per line with its labels, as in the data sets; a blank line ends a sentence.",
}


def draw(settings: Settings) -> None:
    """Draw uploader and paste box, the check of the text in use, and the list of own sets.

    To be called before the choice of the domain is drawn: a text that is good becomes the
    domain, once. Of one that is not the fault is told while it is there; all else stays.
    """
    task = TASKS[cache.task_of(settings.background)]
    if task.name is TaskName.CANDIDATES:
        own_candidates.draw()
    else:
        _draw_upload(task)
        _draw_paste(task)
    sets = own_sets.all_sets()
    if not sets:
        return
    if gone := taking.last_gone():
        kept = f"only {own_sets.MOST} texts are kept, and it was the oldest"
        st.caption(plain(f"{gone} was removed: {kept}."))
    chosen = str(st.session_state.get("domain"))
    shown = chosen if chosen in sets else list(sets)[-1]
    _draw_list(sets)
    _draw_check(shown, sets[shown])


def _draw_upload(task: Task) -> None:
    file = st.file_uploader(
        "Your own text", type=[end.removeprefix(".") for end in task.file_ends], key="upload",
        max_upload_size=_MEGABYTES,
        help=f"{_HELP[task.recases]} It becomes a domain, for this visit and for you alone. "
        "Of every 5 blocks of sentences 3 train, 1 is for development, 1 for test. With "
        f"{own_sets.LEAST_OF_BACKGROUND:,} words or more it can be a background, too.",
    )  # fmt: skip
    if file is not None:
        # Its key lets the style sheet hide the error once the widget has refused a newer file.
        with st.container(key="upload-error"):
            _take(file.file_id, file.getvalue, file.name, task)


def _draw_paste(task):
    with st.expander("Paste a text"):
        st.text_area(
            "Text in its natural case" if task.recases else "Words with their labels, one a line",
            key=_TEXT, height=140, help=f"{_HELP[task.recases]} Up to {_MOST_CHARACTERS:,} "
            "characters; a longer one can be uploaded as a file.",
        )  # fmt: skip
        st.button("Use this text", on_click=_paste)
        if pasted := st.session_state.get(_PASTED):
            number, text = pasted
            name = f"pasted {number}{task.file_ends[0]}"
            _take(f"pasted {number}", lambda: _encode(text), name, task)


def _paste():
    number, _ = st.session_state.get(_PASTED, (0, ""))
    st.session_state[_PASTED] = number + 1, st.session_state[_TEXT]


def _encode(text):
    if len(text) > _MOST_CHARACTERS:
        raise InputError(
            f"a text of {len(text):,} characters: {_MOST_CHARACTERS:,} can be pasted; "
            "upload it as a file"
        )
    return text.encode("utf-8", "replace")


def _take(identity: str, read: Callable[[], bytes], name: str, task: Task) -> None:
    """Make a text the domain if it was not taken before."""

    def make():
        data = read()
        corpus = read_upload(data, name)
        text = decode(data, name) if task.recases else ""
        findings = [*describe_size(corpus), *lint_text(text)]
        return corpus.name, _divided(corpus, findings, text if drop_faults(text)[1] else "")

    if added := taking.take(identity, make):
        st.session_state[_LEFT_OUT + added] = False


def _divided(corpus, findings, text):
    """Return a set of a text; InputError as in ``divide``, or if it has no capitals."""
    return own_sets.OwnSet(divide(corpus.require_cased()), findings, text)


def _draw_list(sets):
    st.caption("Kept in memory for this visit:")
    for name, own in sets.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<small>{escape(name)}, {own.size}</small>")
            st.button(
                "Remove",
                key=f"remove {name}",
                on_click=taking.remove,
                args=(name,),
                type="tertiary",
            )


# --- the check ----------------------------------------------------------------------------


def _draw_check(name, own):
    faults = [finding for finding in own.findings if finding.advice]
    what = f"{len(faults)} to look at" if faults else "nothing found"
    with st.expander(plain(f"Check of {name}: {what}"), expanded=bool(faults or own.text)):
        st.html(check_html(own.findings))
        if own.text:
            _draw_choice(name, drop_faults(own.text)[1])


def _draw_choice(name, droppable):
    lines = sum(finding.n for finding in droppable)
    kinds = ", ".join(f"{finding.n:,} {finding.what}" for finding in droppable)
    st.checkbox(
        f"Leave out {lines:,} {'line' if lines == 1 else 'lines'}", key=_LEFT_OUT + name,
        on_change=_leave_out, args=(name,), help=plain(f"{kinds}. A line is counted once."),
    )  # fmt: skip


def _leave_out(name):
    """Read a set anew, without its faulty lines or with them; where nothing is left, all stay."""
    text, key = own_sets.all_sets()[name].text, _LEFT_OUT + name
    kept = drop_faults(text)[0] if st.session_state[key] else text
    try:
        corpus = read_upload(kept.encode("utf-8", "replace"), own_sets.files()[name])
        findings = [*describe_size(corpus), *lint_text(kept)]
        own_sets.add(corpus.name, _divided(corpus, findings, text))
    except InputError as error:
        st.session_state[key] = False
        st.toast(plain(f"All lines stay: {error}"))
    taking.forget_places()


def check_html(findings: Sequence[Finding]) -> str:
    """Return what a check found, as HTML: what needs attention with advice, then the sizes."""
    rows = [
        f"<li><b>{_capital(escape(finding.what))}: {finding.n:,}</b>{finding.places}. "
        f"{escape(finding.advice)}</li>"
        for finding in findings if finding.advice
    ]  # fmt: skip
    sizes = [f"{escape(f.what)} {f.n:,}" for f in findings if not f.lines and f.n]
    faults = f"<ul>{''.join(rows)}</ul>" if rows else ""
    return f'<div class="wb wb-check">{faults}<small>{" · ".join(sizes)}</small></div>'


def _capital(text):
    return text[:1].upper() + text[1:]
