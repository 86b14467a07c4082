"""Tables of text as people write it: running lines, compounds, abbreviations."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tables.shared import print_table, rate
from workbench.adaptation.adaptation import adapt
from workbench.evaluation.report import report
from workbench.experiments.backgrounds import background_of
from workbench.experiments.search import choose_sigma2
from workbench.models.capitalizer import Capitalizer
from workbench.recasing.compounds import find_compounds
from workbench.recasing.policies import settle_breaks
from workbench.settings import BACKGROUND
from workbench.text.casing import tag_of
from workbench.text.characters import join_words
from workbench.text.corpus import Corpus, join_each
from workbench.text.readers import read_corpus
from workbench.text.sets.registry import load

_STRAIGHT = {"``": '"', "''": '"'}
_CURLY = {"``": "“", "''": "”", "'": "’"}


def print_running() -> None:
    """Print words that ``recase`` writes wrongly in text that is laid out in four ways."""
    background = background_of(load("reuters1987"), BACKGROUND)
    domain, dev = load("bn-cnn"), load("bn-cnn", "dev")
    adapted = adapt(background, domain, choose_sigma2(background, domain, dev)[0])
    headings = ("test text", "model", "tokenized", "a sentence a line", "with curly quotes",
                "paragraphs of five")  # fmt: skip
    rows = (
        (name, which, *(rate(_share_wrong(model, text)) for text in _layouts(load(name, "test"))))
        for name in ("bn-cnn", "ted", "techdocs", "ap1988", "brown-fiction", "speeches")
        for which, model in (("background", background), ("adapted to bn-cnn", adapted))
    )
    print_table(headings, rows, 2)


def _layouts(corpus: Corpus) -> Iterator[str]:
    """Yield a text tokenized, as lines with straight and with curly quotes, and as paragraphs."""
    sentences = list(map(corpus.sentence, range(corpus.n_sentences)))
    yield "\n".join(map(" ".join, sentences))
    lines = list(map(join_words, sentences))
    straight = [_replace(line, _STRAIGHT) for line in lines]
    yield "\n".join(straight)
    yield "\n".join(_replace(line, _CURLY) for line in lines)
    yield "\n".join(" ".join(straight[i : i + 5]) for i in range(0, len(straight), 5))


def _replace(text, marks):
    for mark, other in marks.items():
        text = text.replace(mark, other)
    return text


def _share_wrong(model: Capitalizer, text: str) -> float:
    with TemporaryDirectory() as folder:
        (file := Path(folder, "text.txt")).write_text(text, "utf-8")
        corpus = read_corpus(file, as_recased=True)
    return report(corpus, [("model", model)], "keep")["models"][0]["surface_error_rate"]


def print_compounds() -> None:
    """Print how many compounds are written wrongly by their tag alone, and by their parts."""
    names = "reuters1987", "ted", "techdocs"
    text, _ = join_each("all", [load(name) for name in names])
    model = background_of(text, BACKGROUND | {"templates": "best"})
    headings = "text", "compounds", "number", "wrong by the tag alone", "wrong by their parts"
    print_table(headings, (
        (name, *row)
        for name, part in (("wiki-truecase", "train"), ("ap1988", "test"), ("bio", "test"))
        for row in _count_compounds(model, load(name, part))
    ), 2)  # fmt: skip


def _count_compounds(model, corpus):
    """Yield a row for each kind of compound."""
    tags = model.tag(corpus)
    found = find_compounds(model, corpus, tags)
    kinds = {"such as Day-Lewis": str.istitle, "in small letters": str.islower}
    left = set(found)
    for kind, is_one in {**kinds, "other": lambda form: True}.items():
        places = [place for place in sorted(left) if is_one(corpus.form_at(place))]
        left -= set(places)
        words = [corpus.words[corpus.word_ids[place]] for place in places]
        wrong = sum(
            model.form(word, int(tags[place])) != corpus.form_at(place)
            for word, place in zip(words, places, strict=True)
        )
        by_parts = sum(found[place] != corpus.form_at(place) for place in places)
        yield kind, f"{len(places):,}", f"{wrong:,}", f"{by_parts:,}"


def print_abbreviations() -> None:
    """Print whether the more probable reading of an abbreviation is the right one.

    Counted are places where the two readings give the next word another tag.
    """
    model = background_of(load("reuters1987"), BACKGROUND)
    names = "ap1988", "wiki-truecase", "bn-cnn", "techdocs", "brown-fiction", "ted"
    headings = ("text", "the sentence ends there", "of these taken to go on", "it goes on",
                "of these taken to end")  # fmt: skip
    counts = [_count_abbreviations(model, load(name)) for name in names]
    rows = [*zip(names, *np.array(counts).T, strict=True)]
    print_table(headings, [*rows, ("all", *np.sum(counts, axis=0))])


def _count_abbreviations(model, corpus):
    pairs = list(_find_abbreviations(corpus))
    apart = Corpus.from_sentences([sentence for *both, _ in pairs for sentence in both])
    seconds, ends = np.arange(1, 2 * len(pairs), 2), np.array([end for *_, end in pairs])
    places = apart.starts[seconds]
    together = replace(apart, starts=apart.starts[::2])
    differs = model.tag(apart)[places] != model.tag(together)[places]
    is_end = np.isin(places, settle_breaks(model, apart, seconds.tolist()).starts)
    return [int((differs & each).sum()) for each in (ends, ends & ~is_end, ~ends, ~ends & is_end)]


def _find_abbreviations(corpus):
    """Yield the words up to an abbreviation, those after it, and whether a sentence ends there."""
    sentences = list(map(corpus.sentence, range(corpus.n_sentences)))
    for first, second in pairwise(sentences):
        if len(first) > 2 and first[-1] == "." and _is_abbreviation(first[-2], second[0]):
            yield first[:-1], second, True
    for words in sentences:
        for i, (word, after) in enumerate(pairwise(words)):
            if _is_abbreviation(word, after):
                yield words[: i + 1], words[i + 1 :], False


def _is_abbreviation(word, after):
    """Return whether a word has dots among its letters, as U.S. has, and a word follows."""
    return (
        word.count(".") > 1 and word[-1] == "." and tag_of(word).name != "PNC" and after.isalpha()
    )
