"""NLTK's corpora as data sets, through NLTK's own readers and downloader.

NLTK is imported when a corpus is asked for, not before, and nothing is fetched
unless ``fetch`` is called. No corpus here needs a model of NLTK's (punkt): raw
text is split by the project's own rules.
"""

import os
import re
import sys
import warnings
from collections.abc import Callable
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from workbench.text.errors import InputError
from workbench.text.layout import Layout, looks_wrapped, read_words
from workbench.text.sets.splits import digest_of, drop_repeats, split_groups, write_parts
from workbench.text.tokens import FINAL_MARKS, are_opening_marks, find_words

_FEW = 30  # documents; below, a corpus is dealt in blocks of sentences
_BLOCK = 50  # sentences
# The modules that decide on the text.
_DECIDING = ("sets/nltk_sets", "sets/splits", "layout", "characters", "canonical", "tokens",
             "casing")  # fmt: skip


class NltkSet(NamedTuple):
    """A corpus of NLTK: its name and folder there, and the function that reads a document."""

    corpus: str
    folder: str
    read: Callable[[Any, str], list[list[str]]]
    note: str


# --- how the sentences of one document are read -------------------------------------------

_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}
# Where the newswire lost a line break, it begins the next word with a capital: U.S. Oil
_BROKEN = re.compile(r"\b(?:[A-Za-z]\.){2,} [A-Z]")


def _read_words(reader, document):
    return [[_unescape(word) for word in sentence] for sentence in reader.sents(document)]


def _read_parsed(reader, document):
    """Return the words of a treebank without traces, which stand for nothing written."""
    tagged = reader.tagged_sents(document)
    return [[_unescape(w) for w, tag in sentence if tag != "-NONE-"] for sentence in tagged]


def _unescape(word):
    return _BRACKETS.get(word, word).replace("\\/", "/").replace("\\*", "*")


def _read_brown(reader, document):
    """Return the words of the Brown corpus, clitics split and doubled marks made single."""
    halved = {mark * 2: mark for mark in ";?!"}
    sentences = ([halved.get(word, word) for word in words] for words in reader.sents(document))
    return [[word[a:b] for word in words for a, b in find_words(word)] for words in sentences]


def _read_raw(reader, document):
    return _sentences_of(reader.raw(document))


def _read_newswire(reader, document):
    """Return the body of a story, without the headline and other lines in capitals."""
    lines = reader.raw(document).splitlines()
    body = " ".join(line.strip() for line in lines if not line.isupper())
    return [s for s in _sentences_of(body) if not _BROKEN.search(" ".join(s))]


def _sentences_of(text):
    layout = Layout.WRAPPED if looks_wrapped(text) else Layout.RUNNING
    words, _, lengths, *_ = read_words(text, layout)
    supply, sentences, opened = iter(words), list[list[str]](), list[str]()
    for sentence in (list(islice(supply, length)) for length in lengths):
        opened += sentence
        if not are_opening_marks(sentence):
            sentences.append(opened)
            opened = []
    return sentences


NLTK_SETS = {
    f"nltk-{corpus}": NltkSet(corpus, folder, read, note)
    for corpus, folder, read, note in (
        ("brown", "brown", _read_brown, "Brown corpus, 1961, 15 genres; non-commercial use"),
        ("reuters", "reuters", _read_newswire, "Reuters-21578 stories, 1987; research use"),
        ("treebank", "treebank/combined", _read_parsed, "WSJ, a 5 % sample; non-commercial use"),
        ("conll2000", "conll2000", _read_words, "WSJ of the CoNLL-2000 task; LDC, research use"),
        ("abc", "abc", _read_raw, "ABC radio news, rural and science; non-commercial use"),
        ("gutenberg", "gutenberg", _read_raw, "18 books of Project Gutenberg; public domain"),
        ("inaugural", "inaugural", _read_raw, "US inaugural addresses; public domain"),
        ("state_union", "state_union", _read_raw, "US State of the Union; public domain"),
        ("webtext", "webtext", _read_raw, "forums, reviews, film scripts; non-commercial use"),
    )
}


# --- where a corpus is --------------------------------------------------------------------


def _find(name):
    """Return the place of a corpus, or None, and NLTK's warnings while looking."""
    import nltk.data

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:  # the final "/" finds a folder inside a zip file, too
            place = nltk.data.find(f"corpora/{NLTK_SETS[name].folder}/")
        except LookupError:
            place = None
    return place, "; ".join(str(warning.message) for warning in caught)


def places() -> list[Path]:
    """Return the folders where NLTK looks unless it is told others."""
    shared = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
    own = (Path(sys.prefix, name) for name in ("", "share", "lib"))
    return [root / "nltk_data" for root in (Path.home(), *own, *map(Path, shared))]


def is_here(name: str) -> bool:
    """Return whether NLTK finds the corpus of a set (``nltk-brown``) on this machine.

    Where it has no folder it is not asked: importing it takes most of a second.
    """
    is_told = "nltk" in sys.modules or "NLTK_DATA" in os.environ or os.name == "nt"
    may_be = is_told or any(place.is_dir() for place in places())
    return may_be and _find(name)[0] is not None


def _require(name):
    place, warned = _find(name)
    if place is None:
        raise InputError(
            f"{name}: not on this machine{f' ({warned})' if warned else ''}; fetch it with NLTK's "
            f'downloader, nltk.download("{NLTK_SETS[name].corpus}"), '
            "or set NLTK_DATA to the folder that holds it"
        )
    return place


def fetch(name: str) -> None:
    """Download the corpus of a set with NLTK's downloader.

    InputError if there is no connection to NLTK's server, or what came is not the corpus.
    """
    from nltk.downloader import Downloader

    try:
        Downloader().download(
            NLTK_SETS[name].corpus, quiet=True, raise_on_error=True, print_error_to=StringIO()
        )  # it would print the error, too
    except (ValueError, OSError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise InputError(
            f"{name}: cannot be fetched ({reason}); a connection to NLTK's server is needed, "
            "or NLTK_DATA set to a folder that holds the corpus"
        ) from None
    _require(name)


def nltk_key(name: str) -> str:
    """Return the key of a set's text: place and date of the corpus, and the code that reads it."""
    place = str(_require(name))
    on_disk = Path(place if Path(place).exists() else place.partition(".zip")[0] + ".zip")
    changed = on_disk.stat().st_mtime_ns if on_disk.exists() else 0
    return f"{name}-{digest_of(*_DECIDING, state=f'{place} {changed}')}"


# --- its sentences ------------------------------------------------------------------------


def _is_kept(words):
    """Return whether words are a sentence of text: 3 to 150, a final mark, not all capitals."""
    text = " ".join(words)
    return (
        3 <= len(words) <= 150
        and not FINAL_MARKS.isdisjoint(words[-2:])
        and any(map(str.isalpha, text))
        and not text.isupper()
        and text.isprintable()
    )


def documents(
    name: str, on_step: Callable[[int, int, str], None] | None = None
) -> dict[str, list[list[str]]]:
    """Return the sentences of one of ``NLTK_SETS`` by document: {document: list of lists of words}.

    ``on_step``, optional, is called with (documents read, documents in all, what is being read).
    InputError if the corpus is not on this machine.
    """
    _require(name)
    import nltk.corpus

    reader = getattr(nltk.corpus, NLTK_SETS[name].corpus)
    ids: list[str] = reader.fileids()
    found: dict[str, list] = {}
    for done, document in enumerate(ids):
        if on_step and done % 25 == 0:
            on_step(done, len(ids), f"reading {name}")
        found[document] = [s for s in NLTK_SETS[name].read(reader, document) if _is_kept(s)]
    return found


def sentences(name: str) -> list[list[str]]:
    """Return the sentences of a corpus, each a list of words, documents in order."""
    return list(chain.from_iterable(documents(name).values()))


def write_nltk(
    name: str, folder: Path, on_step: Callable[[int, int, str], None] | None = None
) -> None:
    """Write train.txt, dev.txt and test.txt of a corpus, whole documents if it has many."""
    groups = documents(name, on_step)
    if len(groups) < _FEW:
        groups = {
            f"{document}#{start}": found[start : start + _BLOCK]
            for document, found in groups.items()
            for start in range(0, len(found), _BLOCK)
        }
    lines = {group: [" ".join(words) for words in found] for group, found in groups.items()}
    write_parts(Path(folder), drop_repeats(split_groups(lines)))
