"""The section of files to take away: model, tables, report, recased text."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from workbench.experiments.lessons.teachers_sheet import teachers_sheet
from workbench.experiments.repeat import (
    DIVIDED,
    Source,
    changed_words_csv,
    curve_csv,
    figures_json,
    python_lines,
)
from workbench.experiments.session import Session, Snapshot
from workbench.experiments.surface import describe_choice
from workbench.models.adapter import save_adapter
from workbench.models.capitalizer import Capitalizer
from workbench.recasing.answers import recase_bytes
from workbench.recasing.recaser import Recaser
from workbench.scrub.report import report_html
from workbench.settings import CUTOFFS, SETTINGS, Settings
from workbench.views import controls, uploads
from workbench.views.errors import plain, show_errors
from workbench.views.sections import Section
from workbench.views.tune import held_back

_EXPLAINED = 30  # of the report, on a page where somebody waits for it


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw a button for each file, and the lines that repeat the figures."""
    cutoff = SETTINGS["cutoff"].text(settings.cutoff)
    texts = f"{settings.background}-{session.corpora['train'].name}".replace("/", "-")
    texts = re.sub(r" \(yours\)|\.(?:txt|md|gz|zst|model)\b", "", texts)
    name = f"{texts}-sigma2-{snapshot.tuned.sigma2:g}-cutoff-{cutoff}"
    with st.container(horizontal=True):
        _offer_model(settings, session, snapshot, name)
        _offer_tables(settings, session, snapshot, f"{name}-{snapshot.part}")
        in_link = {n: t for n, t in settings.to_query().items() if n in ("background", "domain")}
        source = _source_of(settings)  # now: later, while a file is made, no visitor is known
        lesson = " with this lesson" if settings.lesson and session.task.recases else ""
        controls.offer_file(
            f"Report{lesson}, HTML", lambda: report_page(settings, session, source), f"{name}.html",
            "text/html", help="A page with a working slider, for offline. Made in some seconds.",
        )  # fmt: skip
        if session.task.recases:
            controls.offer_file(
                "Teacher's sheet, HTML", partial(teachers_sheet, session, in_link, st.context.url),
                f"{texts}-lessons.html", "text/html",
                help="To print: lessons with answers on these texts. Made in some 20 seconds.",
            )  # fmt: skip
        if snapshot.part == "dev":
            held_back.offer_test(session, "Report on test", "Every look at test is counted")
    if snapshot.part == "test":
        held_back.draw_found(settings, session, "Back to dev, to choose")
    at = f"σ² {snapshot.tuned.sigma2:g}, cut-off {cutoff}, on the {snapshot.part} text:"
    best, cost = describe_choice(session, snapshot.tuned, CUTOFFS)
    if not settings.lesson:  # which may ask about it
        st.caption(plain(f"{at} {snapshot.summary} {cost}"))
    if best and not settings.lesson and snapshot.part == "dev":
        to = {name: SETTINGS[name].text(value) for name, value in best._asdict().items()}
        st.button("Take the best instead", help=f"σ² {to['sigma2']}, cut-off {to['cutoff']}",
                  on_click=controls.put, args=(to,))  # fmt: skip
    if session.task.recases:
        draw_recased(snapshot.tuned.model, name)
    _repeat(settings, session, source)
    own = filter(None, map(uploads.find, (settings.background, settings.domain)))
    if session.dropped or held_back.current().describe() or any(each.is_shorter for each in own):
        st.caption("These lines do not redo what you dropped, corrected or left out on this page.")


def _offer_model(settings, session, snapshot, name):
    command = "recase" if session.task.recases else "evaluate"
    controls.offer_file(
        "Adapted model", lambda: bytes_of(snapshot.tuned.model.save), f"{name}.model",
        help=f"For `python -m workbench {command}`, on any machine.",
    )  # fmt: skip
    if session.is_of_model:
        file = uploads.files().get(settings.background, settings.background)
        save = partial(save_adapter, snapshot.tuned.model, session.background, file)
        controls.offer_file(
            "Adapter", lambda: bytes_of(save), f"{name}.adapter",
            help=plain(f"Only what adaptation changed, a small file; it needs {file} to be read."),
        )  # fmt: skip


def _offer_tables(settings, session, snapshot, name):
    words = session.diff_name, lambda: changed_words_csv(snapshot)
    curve = "Curve", lambda: curve_csv(session, snapshot.point["cutoff"])
    for label, make in (words, curve):
        file = f"{name}-{label.lower().replace(' ', '-')}.csv"
        controls.offer_file(f"{label}, CSV", make, file, "text/csv")
    controls.offer_file(
        "Figures, JSON", lambda: figures_json(session, settings, snapshot), f"{name}.json",
        "application/json", help="Settings, fingerprints of the texts, and every figure.",
    )  # fmt: skip


def _source_of(settings):
    """Return the texts of some settings; own texts have the names of their files."""
    own = uploads.files()
    background, domain = (own.get(name, name) for name in (settings.background, settings.domain))
    source = Source.of(replace(settings, background=background, domain=domain))
    return source._replace(is_divided=settings.domain in own)


def _repeat(settings, session, source):
    """Draw Python and command line that make the figures again."""
    st.caption("The same figures in Python")
    st.code(python_lines(session, settings, source), "python", wrap_lines=True)
    if source.is_divided:
        st.caption(DIVIDED)
    else:
        what, commands = session.commands(replace(settings, background=source.background[0]))
        st.caption(what)
        st.code(commands, "bash", wrap_lines=True)


def report_page(settings: Settings, session: Session, source: Source) -> str:
    """Return the HTML report of a session, for every cut-off whose curve is complete.

    Errors on test are in it only if the page shows them.
    """
    if settings.part != "test":  # its envelope stays sealed
        source = source._replace(test=None)
    else:  # on which no slider moves
        settings = replace(settings, part="dev", word="")
    cutoffs = [cutoff for cutoff in session.known_cutoffs if not session.missing(cutoff)]
    return report_html(session, settings, source, cutoffs=cutoffs, n_explained=_EXPLAINED)


def bytes_of(save: Callable[[Path], object]) -> bytes:
    """Return the bytes of the file that a function writes at a path."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "adapted.model")
        save(path)
        return path.read_bytes()


def draw_recased(model: Capitalizer, name: str) -> None:
    """Draw an uploader, and a button with the file recased."""
    with st.expander("Recase a file with the adapted model"):
        file = st.file_uploader(
            "Text to recase", key="file to recase", max_upload_size=5,  # megabytes
            help="Plain text. Only letters change case; addresses, handles, paths, markup and code "
            "stay. `workbench recase` takes files of any size, and words whose letters you give.",
        )  # fmt: skip
        if file is None:
            return
        with show_errors():
            recased = b"".join(recase_bytes(Recaser(model), file.getvalue()))
            controls.offer_file("Recased text", recased, f"{name}-recased.txt", "text/plain")


SECTION = Section("take away", None, draw, is_silent=True)
