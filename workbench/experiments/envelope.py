"""The sealed envelope: which models were looked at on a test text, counted on disk."""

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from workbench.evaluation.number_words import change_in_words, interval_in_words, per_cent, times
from workbench.experiments.session import Session
from workbench.features.templates import name_templates
from workbench.settings import SETTINGS
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.storage import kept_folder
from workbench.text.unfinished import unfinished

_lock = threading.Lock()
_unwritten = dict[str, list[str]]()  # where no folder can be written: for the server's life


def name_look(session: Session, sigma2: float, cutoff: int | None) -> str:
    """Return the name of a look at a session's model: its kind, templates, sigma^2 and cut-off."""
    texts = SETTINGS["sigma2"].text(sigma2), SETTINGS["cutoff"].text(cutoff)
    templates = name_templates(session.background.templates) if session.task.templates else ""
    model = f"{session.background.kind.upper()} {templates}".strip()
    look = f"{model}, σ² {texts[0]}, cut-off {texts[1]}"
    return f"{look}, without sentences {sorted(session.dropped)}" if session.dropped else look


def say_look(
    look: str, dev: Sequence[Mapping[str, Any]], test: Sequence[Mapping[str, Any]], n: int
) -> str:
    """Return the errors of a model on dev and on test, and the number of looks at test, in words.

    ``look`` names the model; ``dev`` and ``test`` are the models of a ``Snapshot`` of each.
    """
    says = f"{look}. On dev: {_say_result(dev)}. On test: {_say_result(test)}"
    return f"{says}; opened {times(n)} on this server: choose on dev, report once"


def _say_result(models):
    """Return the error of the adapted model and its change from the background's, in words."""
    *_, row = models
    if "quality" in row:
        return f"adapted {per_cent(row['quality'])}"
    versus = row.get("versus") or {}
    says = f"adapted {per_cent(row['error_rate'])} wrong"
    if not versus:
        return says
    interval = interval_in_words(versus["interval"], change_in_words)
    change = change_in_words(versus["relative_change"])
    return f"{says}, {change} against the background (95 % interval: {interval})"


class Envelope:
    """A test text and the models that were looked at on it, each counted once.

    The list is a file in the cache folder, so neither a reload nor another visitor begins anew.

    Parameters
    ----------
    background : str
        Name of the background.
    test : Corpus
        The test text; a text with other words has another list.
    """

    def __init__(self, background: str, test: Corpus):
        text = json.dumps([background, test.fingerprint])
        self.name = f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return the envelope of a session's test text."""
        return cls(str(session.background.info["name"]), session.corpora["test"])

    @property
    def looks(self) -> list[str]:
        """What was looked at so far, oldest first."""
        with _lock:
            return self._read()

    def open(self, look: str) -> list[str]:
        """Note a look at a model; returns all looks so far.

        ``look`` names the model, as ``name_look``. What was looked at before is not counted again.
        """
        with _lock:
            looks = self._read()
            if look not in looks:
                looks.append(look)
                self._write(looks)
            return looks

    def _path(self) -> Path | None:
        folder = kept_folder("openings")
        return folder / self.name if folder else None

    def _read(self):
        path = self._path()
        if path is None:
            return list(_unwritten.get(self.name, ()))
        try:
            return read_looks(path.read_text("utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: the count of looks at the test text: {error}") from None

    def _write(self, looks):
        path = self._path()
        if path is None:
            _unwritten[self.name] = looks
            return
        try:
            with unfinished(path.parent) as folder:
                new = folder / "new"
                new.write_text(json.dumps({"version": 1, "looks": looks}), "utf-8")
                new.replace(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be written ({error.strerror or error})") from None


def read_looks(text: str) -> list[str]:
    """Return the looks in the text of a file; ValueError if it is damaged."""
    content = json.loads(text)
    if not isinstance(content, dict) or not isinstance(content.get("looks"), list):
        raise ValueError("the file is damaged")
    return [str(look) for look in content["looks"]]
