"""A visitor's own texts, from upload or paste, divided; and a model of theirs as the background.

What the sidebar draws comes first, then how a set comes into use once and what is chosen when it
goes, then the sets: in memory alone, of this visit.
"""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import streamlit as st

from workbench.evaluation.task import TASKS
from workbench.experiments.backgrounds import require_table
from workbench.experiments.session import divide
from workbench.models.kinds import load_model
from workbench.models.log_linear import LogLinear
from workbench.settings import SETTINGS, Settings
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.incoming import decode
from workbench.text.lint import Finding, describe_size, drop_faults, lint_text
from workbench.text.readers import read_upload
from workbench.text.tasks import TaskName
from workbench.views import cache
from workbench.views.errors import plain, show_errors

MOST = 5  # sets of one visitor
LEAST_OF_BACKGROUND = 2_000  # words
_MEGABYTES, _MOST_CHARACTERS = 20, 500_000
_END_OF_MODEL = ".model"
_MARK = " (yours)"
_PLACES = ("word", "slice", "pair")  # settings that name a place of the text before
# Keys of the page's state.
_PASTED, _TEXT, _LEFT_OUT, _SETS = "pasted text", "text to paste", "lines left out of ", "own sets"
_TAKEN, _GONE, _BEFORE = "texts taken", "set that went", "domain before own texts"
_MODEL = "own model"
_HELP = {
    True: "Plain text (UTF-8) with its capital letters: one sentence per line, or running text.",
    False: "One word per line with its labels, as in the data sets; a blank line ends a sentence.",
}


class OwnSet(NamedTuple):
    """A text of the visitor's, divided, and what may be wrong with it."""

    corpora: Mapping[str, Corpus]  # train, dev and test
    findings: Sequence[Finding]
    text: str = ""  # as it was read, if lines of it can be left out

    @property
    def task(self) -> TaskName:
        """What its words are labelled with."""
        return self.corpora["train"].task

    @property
    def n_words(self) -> int:
        """How many words all parts have."""
        return sum(map(len, self.corpora.values()))

    @property
    def can_be_background(self) -> bool:
        """Whether it is long enough to train a background on."""
        return self.n_words >= LEAST_OF_BACKGROUND

    @property
    def fingerprint(self) -> str:
        """What identifies the content of its parts."""
        return " ".join(self.corpora[part].fingerprint for part in sorted(self.corpora))


class OwnModel(NamedTuple):
    """A model of the visitor's, from a file that ``train`` or ``adapt`` wrote."""

    name: str
    model: LogLinear


def draw(settings: Settings) -> None:
    """Draw uploader and paste box, the check of the text in use, and the list of own sets.

    To be called before the choice of the domain is drawn: a text that is good becomes the
    domain, once. Of one that is not the fault is told while it is there; all else stays.
    """
    if task := TASKS.get(cache.task_of(settings.background)):
        _draw_upload(task)
        _draw_paste(task)
    if own := st.session_state.get(_MODEL):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<small>{escape(own.name)}, a model</small>")
            st.button("Remove", key="remove model", on_click=remove, args=(own.name,),
                      type="tertiary")  # fmt: skip
    sets = dict(_sets())
    if not sets:
        return
    if gone := st.session_state.get(_GONE):
        kept = f"only {MOST} texts are kept, and it was the oldest"
        st.caption(plain(f"{gone} was removed: {kept}."))
    chosen = str(st.session_state.get("domain"))
    shown = chosen if chosen in sets else list(sets)[-1]
    _draw_list(sets)
    _draw_check(shown, sets[shown])


def _draw_upload(task):
    ends = (*task.file_ends, *([_END_OF_MODEL] if task.recases else ()))
    of_model = " A model file, of a MEMM or a CRF, becomes the background." if task.recases else ""
    file = st.file_uploader(
        "Your own text", type=[end.removeprefix(".") for end in ends], key="upload",
        max_upload_size=_MEGABYTES,
        help=f"{_HELP[task.recases]} It becomes a domain, for this visit and for you alone. "
        "Three fifths of it train, one is for development, one for test, in blocks. With "
        f"{LEAST_OF_BACKGROUND:,} words or more it can be a background, too.{of_model}",
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


def _take(identity, read, name, task):
    """Make a text the domain if it was not taken before; if it is faulty, say so right here."""
    taken = st.session_state.setdefault(_TAKEN, set())
    if identity in taken:
        return
    with show_errors():
        data = read()
        if name.endswith(_END_OF_MODEL):
            take_model(name, data)
            taken.add(identity)
            return
        corpus = read_upload(data, name)
        text = decode(data, name) if task.recases else ""
        findings = [*describe_size(corpus), *lint_text(text)]
        made = _divided(corpus, findings, text if drop_faults(text)[1] else "")
        added, gone = add(corpus.name, made)
        taken.add(identity)
        st.session_state[_GONE] = gone
        _leave(gone)
        before = st.session_state.get("domain")
        if before and not find(before):
            st.session_state[_BEFORE] = before
        st.session_state["domain"] = added
        st.session_state[_LEFT_OUT + added] = False
        forget_places()


def take_model(name: str, data: bytes) -> None:
    """Make the model of a file the background; InputError if it is none that can be adapted."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "own.model")
        file.write_bytes(data)
        try:
            model = load_model(file)
        except InputError as error:
            raise InputError(str(error).replace(str(file), name)) from None
    own = OwnModel(f"{name}{_MARK}", require_table(model, name))
    st.session_state[_MODEL] = own
    st.session_state["background"] = own.name
    forget_places()


def _divided(corpus, findings, text):
    """Return a set of a text; InputError as in ``divide``, or if it has no capitals."""
    return OwnSet(divide(corpus.require_cased()), findings, text)


def _draw_list(sets):
    st.caption("Kept in memory for this visit:")
    for name, own in sets.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<small>{escape(name)}, {own.n_words:,} words</small>")
            st.button(
                "Remove", key=f"remove {name}", on_click=remove, args=(name,), type="tertiary"
            )


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
    text, key = _sets()[name].text, _LEFT_OUT + name
    kept = drop_faults(text)[0] if st.session_state[key] else text
    try:
        corpus = read_upload(kept.encode("utf-8", "replace"), files()[name])
        findings = [*describe_size(corpus), *lint_text(kept)]
        add(corpus.name, _divided(corpus, findings, text))
    except InputError as error:
        st.session_state[key] = False
        st.toast(plain(f"All lines stay: {error}"))
    forget_places()


def check_html(findings: Sequence[Finding]) -> str:
    """Return what a check found, as HTML: what needs attention with advice, then the sizes."""
    rows = [
        f"<li><b>{escape(finding.what[:1].upper() + finding.what[1:])}: {finding.n:,}</b>"
        f"{finding.places}. {escape(finding.advice)}</li>"
        for finding in findings if finding.advice
    ]  # fmt: skip
    sizes = [f"{escape(f.what)} {f.n:,}" for f in findings if not f.lines and f.n]
    faults = f"<ul>{''.join(rows)}</ul>" if rows else ""
    return f'<div class="wb wb-check">{faults}<small>{" · ".join(sizes)}</small></div>'


def forget_places() -> None:
    """Forget what the settings name of the text before."""
    for place in _PLACES:
        st.session_state[place] = ""


def remove(name: str) -> None:
    """Forget a set or a model, and choose another where it was chosen; for callbacks."""
    if find_model(name):
        del st.session_state[_MODEL]
    _sets().pop(name, None)
    _leave(name)


def _leave(name: str) -> None:
    """Choose a data set of this machine, of the same task, where the chosen set is gone."""
    before = {"domain": st.session_state.get(_BEFORE)}
    for setting, other in (("background", "domain"), ("domain", "background")):
        if name and st.session_state.get(setting) == name:
            beside = str(st.session_state.get(other))
            here = cache.data_set_names(cache.task_of(beside))[setting]
            wanted = before.get(setting), SETTINGS[setting].default, *here
            st.session_state[setting] = next(
                choice for choice in wanted if choice in here and choice != beside
            )


def _sets() -> dict[str, OwnSet]:
    return st.session_state.setdefault(_SETS, {})


def add(name: str, made: OwnSet) -> tuple[str, str]:
    """Keep a set under a name with a mark; returns that, and the oldest's if it had to go, or "".

    A set of the same name gives way to it.
    """
    sets, name = _sets(), f"{name}{_MARK}"
    sets.pop(name, None)
    sets[name] = made
    gone = next(iter(sets)) if len(sets) > MOST else ""
    sets.pop(gone, None)
    return name, gone


def find(name: str) -> OwnSet | None:
    """Return the visitor's set of a name; None if there is none."""
    return _sets().get(name)


def find_model(name: str) -> LogLinear | None:
    """Return the visitor's model of a name; None if there is none."""
    own = st.session_state.get(_MODEL)
    return own.model if own and own.name == name else None


def domains(task: str | None = None) -> tuple[str, ...]:
    """Return the names of the sets that can be a domain, of one task or of all, oldest first."""
    return tuple(name for name, own in _sets().items() if task in (None, own.task))


def files() -> dict[str, str]:
    """Return the names of the files that sets and model were, by the names they have here."""
    own = st.session_state.get(_MODEL)
    names = [*_sets(), *([own.name] if own else [])]
    return {name: name.removesuffix(_MARK) for name in names}


def backgrounds(task: str | None = None) -> tuple[str, ...]:
    """Return the names of the sets that are long enough to be a background, and of the model."""
    own = st.session_state.get(_MODEL)
    models = [own.name] if own and task in (None, own.model.task) else []
    return (*models, *(n for n in domains(task) if _sets()[n].can_be_background))


def explain_link(query: Mapping[str, str], messages: Sequence[str]) -> list[str]:
    """Return the messages about a link, with a reason where it names a set of another visitor."""
    told = {
        name: f"{name}={query[name][:40]}: it was uploaded in another visit and is not here "
        f"now; upload it again under “Your own text”; {SETTINGS[name].default} is used instead"
        for name in ("background", "domain")
        if query.get(name, "").endswith(_MARK)
    }
    return [told.get(message.partition("=")[0], message) for message in messages]
