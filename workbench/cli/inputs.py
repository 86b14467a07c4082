"""The texts of a command, read and looked over as its options say."""

import os
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from workbench.cli.console import Progress, say
from workbench.cli.options import refuse
from workbench.experiments.backgrounds import Background, find_background
from workbench.experiments.compare import Split
from workbench.models.kinds import KINDS
from workbench.models.shipped import names_model
from workbench.text.corpus import Corpus, join_each, unite_labels
from workbench.text.errors import InputError
from workbench.text.incoming import is_address, is_pipe
from workbench.text.lint import Finding, drop_faults, find_format, find_little, lint_text
from workbench.text.readers import name_of, read_corpus
from workbench.text.scratch import Memory
from workbench.text.sets.registry import find_data_set, find_without_nltk, folder_of
from workbench.text.sets.splits import PARTS
from workbench.text.tasks import TaskName

_TRAINING = ("model", "templates", "background_cutoff", "background_sigma2")  # of a background


def read_texts(
    texts: Sequence[str], part: str, options: Namespace,
    sift: Callable[[str, str], str] | None = None, memory: Memory | None = None,
    as_recased: bool = False,
) -> Corpus:  # fmt: skip
    """Return one corpus of files, folders and names of data sets; says what was repaired.

    ``sift``, ``memory`` and ``as_recased`` as in ``read_corpus``.
    """
    for text in filter(is_pipe, texts):
        say(f"{text}: a pipe; reading it until whoever writes to it ends")
    with Progress("reading", "files") as progress:
        places = find_places(texts, progress.built)
        corpus = read_corpus(
            places, part, None, progress.read, options.repair, sift, memory, as_recased
        )
    for note in corpus.notes:
        say(note)
    if options.repair and corpus.task is not TaskName.CHUNKS:
        raise InputError(f"--repair: is for chunks; the task of {corpus.name} is {corpus.task}")
    return corpus


def find_places(
    texts: Sequence[str], on_step: Callable[[int, int, str], None] | None = None
) -> list:  # fmt: skip
    """Return the files and folders that texts or names of data sets are; these may be built."""
    return [
        text
        if os.path.exists(text) or is_address(text)
        else folder_of(find_data_set(text), on_step)
        for text in texts
    ]


def _is_one_file(text):
    return os.path.isfile(text) or is_address(text)


def read_each(texts: Sequence[str], options: Namespace) -> tuple[Corpus, list[int]]:
    """Return the corpus of several training texts, and where, in sentences, further ones begin."""
    if len(texts) == 1:
        return read_texts(texts, "train", options), []
    corpora = [read_texts([text], "train", options) for text in texts]
    return join_each(name_of(texts), corpora)


def describe_held_out(options: Namespace) -> dict:
    """Return what a model's info says of text like its own that it has not learnt from.

    If that text is one data set, it is the hash of its dev part, else of its test part: by it
    ``find_held_out`` knows the text again.
    """
    if len(options.text) > 1 or _is_one_file(options.text[0]):
        return {}
    for part in ("dev", "test"):
        with suppress(InputError):
            text = read_texts(options.text, part, options).fingerprint
            return {"held_out": {"part": part, "text": text}}
    return {}


def find_held_out(info: Mapping[str, Any], options: Namespace) -> Corpus | None:
    """Return the held-out text of a model's data set; None unless it is here and the same."""
    while "background" in info:  # adapted before: what was there at first may be forgotten
        info = info["background"]
    held_out, name = info.get("held_out"), info["name"]
    if held_out and find_without_nltk(name):
        with suppress(InputError):
            corpus = read_texts([name], held_out["part"], options)
            return corpus if corpus.fingerprint == held_out["text"] else None
    return None


def find_model(options: Namespace) -> Background | None:
    """Return the background if it is a trained model, by its name or file; None if it is a text.

    InputError if it stands beside a text, or an option says how to train one.
    """
    name = next(filter(names_model, options.background), None)
    if name is None:
        return None
    if len(options.background) > 1:
        raise InputError(f"{name}: a model, which is the background alone: one model, or texts")
    refuse(options, _TRAINING, f"{name} is trained already")
    return find_background(name)


def read_parts(options: Namespace, *tests: str) -> list[Corpus]:
    """Return the adaptation and the development text of an experiment, and those to test on."""
    named = [(options.adapt, "train")]
    named += [([getattr(options, part)], part) for part in ("dev", *tests)]
    return [read_texts(names, part, options) for names, part in named]


def read_split(
    options: Namespace, background_options: dict, *tests: str
) -> tuple[Split, list[Corpus]]:
    """Return the split of an experiment and the parts to test on, their labels numbered alike."""
    background, begins = read_each(options.background, options)
    background, adaptation, dev, *rest = unite_labels(background, *read_parts(options, *tests))
    model = KINDS[options.model]
    return Split(background, adaptation, dev, background_options, model, tuple(begins)), rest


def read_domains(options: Namespace) -> dict[str, dict[str, Corpus]]:
    """Return the corpora train, dev and test of every domain, by its name."""
    domains = {}
    for text in options.adapt:
        parts = {p: read_texts([text], p, options).require_cased() for p in reversed(PARTS)}
        domains[parts["train"].name] = parts
    return domains


def read_in_domain(options: Namespace) -> Corpus | None:
    """Return test text like the background: the option's, else of its data set, if there is any."""
    if options.in_domain:
        return read_texts([options.in_domain], "test", options)
    if len(options.background) == 1 and not _is_one_file(options.background[0]):
        with suppress(InputError):  # a background needs no test text
            return read_texts(options.background, "test", options)
    return None


class Linter:
    """Looks at the files of an adaptation text for lines that mislead, and does what was chosen.

    Parameters
    ----------
    choice : {"keep", "drop", "refuse"}
        Count such lines; leave them out, too; or refuse the text.

    Attributes
    ----------
    findings : list of (str, Finding)
        What was found, with the name of the file.
    """

    def __init__(self, choice: str):
        self._choice, self.findings = choice, list[tuple[str, Finding]]()

    def sift(self, text: str, name: str) -> str:
        """Return the text of a file as it is to be read; InputError if that is refused."""
        found = lint_text(text)
        if self._choice == "drop":
            looks = find_format(text)
            text, dropped = drop_faults(text)
            found = looks + dropped
        if not text.strip():
            raise InputError(
                f"{name}: nothing is left without {_list(found)}; --lint keep takes it"
            )
        self._note(name, found, "--lint drop leaves such lines out, keep takes them")
        return text

    def check_size(self, corpus: Corpus) -> None:
        """Note that a corpus is far too small; InputError if that is refused."""
        self._note(corpus.name, find_little(corpus), "more text is needed, or --lint keep")

    def _note(self, name, found, remedy):
        if found and self._choice == "refuse":
            raise InputError(f"{name}: {_list(found)}; {remedy}")
        self.findings += [(name, finding) for finding in found]

    def say_all(self) -> None:
        """Print one line for each finding."""
        for name, found in self.findings:
            if not found.lines:
                said = found.advice
            elif self._choice == "drop":
                said = "left out"
            else:
                said = f"kept. {found.advice}"
            say(f"{name}: {_list([found])}: {said}")

    def to_json(self) -> list[dict]:
        """Return the findings as plain dictionaries."""
        return [{"text": name, **found._asdict()} for name, found in self.findings]


def _list(findings: Sequence[Finding]) -> str:
    """Return findings as a list in words."""
    return ", ".join(f"{found.n:,} {found.what}{found.places}" for found in findings)
