"""A visitor's own texts and model: two slots, background and domain, each from files or paste.

What the panel draws comes first, then how a text is read and comes into use, then what is chosen
when it goes, then the sets. All of a background is learnt; a domain is divided in three parts.
They are in memory alone, see ``visit``.
"""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import streamlit as st

from workbench.evaluation.number_words import counted
from workbench.evaluation.task import TASKS, task_named
from workbench.experiments.backgrounds import require_table
from workbench.experiments.session import divide
from workbench.models.kinds import load_model
from workbench.models.log_linear import LogLinear
from workbench.settings import SETTINGS, Settings
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.incoming import DAMAGE, decode, unpack, unpacked_name
from workbench.text.lint import Finding, describe_size, drop_faults, lint_text
from workbench.text.readers import read_upload
from workbench.text.sets.splits import PARTS
from workbench.text.tasks import TaskName, check_same_task
from workbench.views import cache, visit
from workbench.views.errors import plain, show_errors

MOST = 5  # sets of one visitor
LATER = "values of widgets in the next run"
_MEGABYTES, _MOST_CHARACTERS = 20, 500_000
_END_OF_MODEL = ".model"
_MARK = " (yours)"
# Keys of the page's state; those that end in a space are followed by the slot or a set's name.
_OPEN = "own texts are shown"
_PASTED, _TEXT, _TAKEN, _REMOVED = "pasted text ", "text to paste ", "texts taken ", "removals "
_LEFT_OUT, _GONE, _BEFORE = "lines left out of ", "set that went", "domain before own texts"
_SLOTS = {
    "background": (
        "Background: what the capitalizer has learnt",
        "A text, all of which is learnt, or a model file (an MEMM or a CRF) that was trained here.",
    ),
    "domain": (
        "Domain: what it is adapted to",
        "Three fifths of it are learnt, one fifth chooses σ² (dev), one fifth is the final test. "
        "It needs 5 sentences or more.",
    ),
}
_HELP = {
    True: "Plain text in its natural case: running text or a sentence a line, tokenized or not; "
    f"several files are read as one text. Up to {_MEGABYTES} MB; .gz and .zst are unpacked.",
    False: "One word per line with its labels, as in the data sets; a blank line ends a sentence.",
}


class OwnSet(NamedTuple):
    """A text of the visitor's, and what may be wrong with it."""

    corpora: Mapping[str, Corpus]  # train, dev and test; of a background train alone
    findings: Sequence[Finding]
    text: str = ""  # as it was read, if lines of it can be left out
    is_shorter: bool = False  # without these lines

    @property
    def task(self) -> TaskName:
        """What its words are labelled with."""
        return self.corpora["train"].task

    @property
    def n_words(self) -> int:
        """How many words all parts have."""
        return sum(map(len, self.corpora.values()))

    @property
    def slot(self) -> str:
        """What it can be: "background" or "domain"."""
        return "domain" if set(PARTS) <= set(self.corpora) else "background"

    @property
    def fingerprint(self) -> str:
        """What identifies the content of its parts."""
        return " ".join(self.corpora[part].fingerprint for part in sorted(self.corpora))


class OwnModel(NamedTuple):
    """A model of the visitor's, from a file that ``train`` or ``adapt`` wrote."""

    name: str
    model: LogLinear


# --- the panel ----------------------------------------------------------------------------


def is_open() -> bool:
    """Return whether the panel is shown."""
    return bool(st.session_state.get(_OPEN))


def show(is_shown: bool) -> None:
    """Show the panel or close it; for callbacks."""
    st.session_state[_OPEN] = is_shown


def draw(settings: Settings) -> None:
    """Draw both slots: files, paste, what is wrong with a text, and the list of own sets.

    To be called before the choices of background and domain are drawn: a text that is good is
    chosen, once. Of one that is not the fault is told while it is there; all else stays. With a
    text in each slot the panel closes.
    """
    place = st.empty()  # that is cleared at once, not when all else is drawn
    if not is_open():
        return
    with place.container(key="own texts", border=True):
        for slot, column in zip(_SLOTS, st.columns(2, gap="large"), strict=True):
            with column:
                _draw_slot(slot, TASKS.get(cache.task_of(settings.background)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                "Your texts stay in this server's memory, for this browser alone, and are deleted "
                f"{visit.HOURS} hours after your last visit, or at once by Remove."
            )
            is_used = any(st.session_state.get(slot) in files() for slot in _SLOTS)
            label, close = "Show the figures" if is_used else "Close", "close own texts"
            st.button(label, key=close, type="primary" if is_used else "secondary",
                      on_click=show, args=(False,))  # fmt: skip
    if not is_open():
        place.empty()


def _draw_slot(slot, task):
    heading, says = _SLOTS[slot]
    st.markdown(f"**{heading}**", help=_HELP[not task or task.recases])
    if not task:
        st.caption("Texts of your own are text or words with labels; choose such a background.")
        return
    files = st.file_uploader(
        f"Files of the {slot}", accept_multiple_files=True, label_visibility="collapsed",
        key=f"upload {slot} {st.session_state.get(_REMOVED + slot, 0)}",  # empty after a removal
    )  # fmt: skip
    if files:
        identity = tuple(file.file_id for file in files)
        _take(slot, "files", identity, lambda: {file.name: file.getvalue() for file in files})
    with st.expander("Paste a text"):
        st.text_area(f"Text of the {slot}", key=_TEXT + slot, height=140,
                     label_visibility="collapsed")  # fmt: skip
        st.button("Use this text", key=f"use {slot}", on_click=_paste, args=(slot,))
        if pasted := st.session_state.get(_PASTED + slot):
            number, text = pasted
            name = f"pasted {number}{task.file_ends[0]}"
            _take(slot, "paste", (number,), lambda: {name: _encode(text)})
    st.caption(says)
    _draw_list(slot)


def _paste(slot):
    number = 1 + max((st.session_state.get(_PASTED + each, (0,))[0] for each in _SLOTS), default=0)
    st.session_state[_PASTED + slot] = number, st.session_state[_TEXT + slot]


def _encode(text):
    if len(text) > _MOST_CHARACTERS:
        raise InputError(f"{len(text):,} characters: {_MOST_CHARACTERS:,} can be pasted; upload it")
    return text.encode("utf-8", "replace")


def _draw_list(slot):
    brought = visit.own()
    if gone := st.session_state.get(_GONE) if slot == "domain" else "":
        st.caption(plain(f"{gone} was removed: only {MOST} texts are kept, the oldest goes."))
    rows = {name: _divided_in_words(own) for name, own in brought.sets.items() if own.slot == slot}
    if brought.model and slot == "background":
        rows[brought.model.name] = "a model"
    for name, what in rows.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f"<small><b>{escape(name)}</b>, {what}</small>")
            key, args = f"remove {name}", (name,)
            st.button("Remove", key=key, on_click=remove, args=args, type="tertiary")
    if sets := [name for name in rows if name in brought.sets]:
        shown = next((name for name in sets if name == st.session_state.get(slot)), sets[-1])
        _draw_check(shown, brought.sets[shown])


def _divided_in_words(own):
    sizes = {part: f"{len(corpus):,}" for part, corpus in own.corpora.items()}
    if own.slot == "background":
        return f"{sizes['train']} words, all learnt"
    parts = f"{sizes['train']} adapted to, {sizes['dev']} dev, {sizes['test']} test"
    return f"{own.n_words:,} words: {parts}"


def _draw_check(name, own):
    faults = [finding for finding in own.findings if finding.advice]
    what = counted(len(faults), "warnings") if faults else "nothing found"
    with st.expander(plain(f"Check of {name}: {what}"), expanded=own.is_shorter):
        st.html(check_html(own.findings))
        if own.text:
            st.session_state.setdefault(_LEFT_OUT + name, own.is_shorter)
            droppable = drop_faults(own.text)[1]
            lines = counted(sum(finding.n for finding in droppable), "lines")
            kinds = ", ".join(f"{finding.n:,} {finding.what}" for finding in droppable)
            st.checkbox(
                f"Leave out {lines}", key=_LEFT_OUT + name, on_change=_leave_out, args=(name,),
                help=plain(f"{kinds}. A line is counted once."),
            )  # fmt: skip


def _leave_out(name):
    """Read a set anew, without its faulty lines or with them; where nothing is left, all stay."""
    own, is_shorter = visit.own().sets[name], st.session_state[_LEFT_OUT + name]
    try:
        made = _make(own.slot, files()[name], drop_faults(own.text)[0] if is_shorter else own.text)
        visit.own().sets[name] = made._replace(text=own.text, is_shorter=is_shorter)
    except InputError as error:
        st.session_state[_LEFT_OUT + name] = False
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


# --- a text or a model comes into use -----------------------------------------------------


def _take(slot, source, identity, read):
    """Choose a text that was not taken before for a slot; what is refused is said right here.

    Where files join those of a text that was taken, it gives way to the text of them all.
    """
    key = f"{_TAKEN}{slot} {source}"
    before, name, refused = st.session_state.get(key, ((), "", ()))
    if identity != before:
        with show_errors(), st.spinner("Reading …"):
            found, refused = _check(read())
            *_, last = found or [""]
            if last.endswith(_END_OF_MODEL):  # it takes the place of texts that were there before
                name = _take_model(slot, last, found[last])
            elif found:
                name = _take_text(slot, found, name if set(before) < set(identity) else "")
            if found:
                st.session_state["show"] = SETTINGS["show"].default
                forget_places()
                visit.keep()
                # A click now would begin a run with the former choice: the next run sets this one.
                kept = {*_SLOTS, "templates", "show"} & set(st.session_state)
                st.session_state[LATER] = {each: st.session_state[each] for each in kept}
            st.session_state[key] = identity, name, refused
            if found and not refused and all(st.session_state[each] in files() for each in _SLOTS):
                show(False)  # all is there: the figures are what is waited for
    for fault in refused:
        st.error(plain(fault))


def _check(files):
    """Return the files that can be read, unpacked, and what is wrong with each of the others."""
    found, refused = dict[str, bytes](), []
    for name, data in files.items():
        try:
            unpacked = _unpack(name, data)
            if len(files) > 1 and not name.endswith(_END_OF_MODEL):
                read_upload(decode(unpacked, name), unpacked_name(name)).require_cased()
            found[name] = unpacked
        except InputError as error:
            refused.append(str(error))
    return found, [f"{fault}; left out" if found else fault for fault in refused]


def _unpack(name, data):
    """Return the bytes of a file, unpacked; InputError if they are too many or damaged."""
    most, found = _MEGABYTES << 20, b""
    try:
        for piece in unpack(iter([data])):
            found += piece
            if len(found) > most:
                raise InputError(f"{name}: more than {_MEGABYTES} MB; the command line takes more")
    except DAMAGE as error:
        raise InputError(f"{name}: cannot be unpacked ({error})") from None
    return found


def _take_model(slot, name, data):
    if slot == "domain":
        raise InputError(f"{name}: a model; it can be the background, not a domain")
    with TemporaryDirectory() as folder:
        file = Path(folder, "own.model")
        file.write_bytes(data)
        try:
            model = load_model(file)
        except InputError as error:
            raise InputError(str(error).replace(str(file), name)) from None
    own = OwnModel(f"{name}{_MARK}", require_table(model, name))
    visit.own().model = own
    st.session_state["background"] = own.name
    follow_background()
    return own.name


def _take_text(slot, found, replaced):
    first, *others = (unpacked_name(name) for name in found)
    name = f"{Path(first).stem} and {len(others)} more{Path(first).suffix}" if others else first
    made = _make(slot, name, "\n\n".join(decode(data, name) for name, data in found.items()))
    if slot == "domain":
        background = str(st.session_state.get("background"))
        check_same_task(background, cache.task_of(background), name, made.task)
    visit.own().sets.pop(replaced, None)
    added, gone = _add(name, made)
    st.session_state[_GONE] = gone
    _leave(gone)
    before = st.session_state.get("domain")
    if slot == "domain" and before and not find(before):
        st.session_state[_BEFORE] = before
    st.session_state[slot] = added
    st.session_state[_LEFT_OUT + added] = False
    follow_background()
    return added


def _make(slot, name, text):
    """Return the set of a text; InputError as in ``divide``, or if it has no capital letters."""
    corpus = read_upload(text, name).require_cased()
    corpora = {"train": corpus} if slot == "background" else divide(corpus)
    lint = lint_text(text) if corpus.task is TaskName.CASE else []
    has_faults = bool(lint and drop_faults(text)[1])
    return OwnSet(corpora, [*describe_size(corpus), *lint], text if has_faults else "")


def _add(name, made):
    """Keep a set under a name with a mark; returns that, and the oldest's if it had to go, or "".

    A set of the same name and slot gives way to it; beside one of the other slot it has a number.
    """
    sets = visit.own().sets
    stem, end, name = Path(name).stem, Path(name).suffix, f"{name}{_MARK}"
    if name in sets and sets[name].slot != made.slot:
        name = f"{stem} 2{end}{_MARK}"
    sets.pop(name, None)
    sets[name] = made
    gone = next(iter(sets)) if len(sets) > MOST else ""
    sets.pop(gone, None)
    return name, gone


def forget_places() -> None:
    """Forget what the settings name of the text before."""
    for place in ("word", "slice", "pair", "without"):
        st.session_state[place] = ""


# --- what is chosen when something else goes or comes -------------------------------------


def remove(name: str) -> None:
    """Forget a set or a model, and choose another where it was chosen; for callbacks."""
    key = _REMOVED + (own.slot if (own := find(name)) else "background")
    st.session_state[key] = st.session_state.get(key, 0) + 1
    if find_model(name):
        visit.own().model = None
    visit.own().sets.pop(name, None)
    _leave(name)


def _leave(name):
    """Choose a data set of this machine, of the same task, where the chosen set is gone."""
    for setting in ("background", "domain"):
        if name and st.session_state.get(setting) == name:
            _choose_beside(setting, st.session_state.get(_BEFORE) if setting == "domain" else "")


def _choose_beside(setting, wanted=""):
    """Choose what goes with the other slot's set: what is wanted, the default, or the first."""
    beside = str(st.session_state.get({"background": "domain", "domain": "background"}[setting]))
    here = cache.data_set_names(cache.task_of(beside))[setting]
    choices = wanted, SETTINGS[setting].default, *here
    st.session_state[setting] = next(name for name in choices if name in here and name != beside)


def follow_background() -> None:
    """Choose domain and templates that go with the background, where they do not; for callbacks."""
    background, domain = (str(st.session_state.get(name)) for name in ("background", "domain"))
    task = cache.task_of(background)
    if domain == background or cache.task_of(domain) != task:
        _choose_beside("domain")
        forget_places()
    own = {None, "", *(each.templates for each in TASKS.values())}
    if st.session_state.get("templates") in own:  # not chosen, but those of a task
        st.session_state["templates"] = task_named(task).templates


# --- the sets -----------------------------------------------------------------------------


def find(name: str) -> OwnSet | None:
    """Return the visitor's set of a name; None if there is none."""
    return visit.own().sets.get(name)


def find_model(name: str) -> LogLinear | None:
    """Return the visitor's model of a name; None if there is none."""
    own = visit.own().model
    return own.model if own and own.name == name else None


def names_of(slot: str, task: str | None = None) -> list[str]:
    """Return the names of the model and the sets of a slot, of one task or of all, oldest first."""
    own = visit.own().model
    model = [own.name] if own and slot == "background" and task in (None, own.model.task) else []
    sets = visit.own().sets.items()
    return model + [name for name, own in sets if own.slot == slot and task in (None, own.task)]


def files() -> dict[str, str]:
    """Return the names of the files that sets and model were, by the names they have here."""
    own = visit.own()
    names = [*own.sets, *([own.model.name] if own.model else [])]
    return {name: name.removesuffix(_MARK) for name in names}


def explain_link(query: Mapping[str, str], messages: Sequence[str]) -> list[str]:
    """Return the messages about a link, with a reason where it names a set of another visitor."""
    told = {
        name: f"{name}={query[name][:40]}: it was uploaded in another visit and is not here "
        f"now; bring it again under “Your own text”; {SETTINGS[name].default} is used instead"
        for name in ("background", "domain")
        if query.get(name, "").endswith(_MARK)
    }
    return [told.get(message.partition("=")[0], message) for message in messages]
