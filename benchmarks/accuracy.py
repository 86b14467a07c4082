"""``python -m benchmarks.accuracy BACKGROUND DOMAIN…``: words written wrongly, beside other tools.

Of each domain's test text, all words, on the same tokens. sacremoses and CRFsuite learn from the
background's text, CRFsuite with the word predicates of ``ca04``; with ``--both`` they also learn
from the texts of background and domain together, beside the adapted models, which takes minutes
a domain. ``truecase`` is as it is shipped. Ours are trained as ``train`` and ``adapt --dev`` do.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import find_rival
from benchmarks.rivals.crfsuite import attributes, fill_trainer, find_crfsuite, wiped_sentences
from workbench.adaptation.adaptation import adapt
from workbench.adaptation.unknown_words import average_bags, learn_unknown_words
from workbench.evaluation.error_rates import surface_errors
from workbench.evaluation.significance import mcnemar
from workbench.experiments.search import choose_sigma2
from workbench.models.memm import MEMM
from workbench.text.casing import TAGS
from workbench.text.corpus import Corpus, join
from workbench.text.sets.registry import load

_TEMPLATES = ("ca04", "best")
_ITERATIONS = 100  # of CRFsuite
Wrong = Callable[[Corpus], np.ndarray]  # the words that a tool writes wrongly; bool, shape (N,)
Tool = tuple[str, Wrong]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print two tables with a row for each domain: what is wrong, and CRFsuite beside ours."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("background", metavar="BACKGROUND")
    parser.add_argument("domains", nargs="+", metavar="DOMAIN")
    parser.add_argument("--both", action="store_true", help="rivals of both texts, too")
    options = parser.parse_args(arguments)
    text = load(options.background)
    models = {name: train(text, name) for name in _TEMPLATES}
    forms = models["ca04"].mixed_forms
    plain = [*_moses("sacremoses", text), *_truecase(), *_crfsuite("CRFsuite", text, forms)]
    plain += [(f"ours, `{name}`", ours(model)) for name, model in models.items()]
    found = {}
    for domain in options.domains:
        adapted = _adapted_tools(text, models, domain, options.both)
        test = load(domain, "test")
        found[domain] = {name: find(test) for name, find in [*plain, *adapted]}
        print(f"{domain}: done", file=sys.stderr, flush=True)
    print_table(found, rate_cells)
    print_table(found, _beside_crfsuite)


def train(text: Corpus, templates: str) -> MEMM:
    """Return a model trained as ``train`` does."""

    def fit(templates):
        return learn_unknown_words(MEMM.fit(text, templates), text)

    return average_bags(fit(templates), fit)


def _adapted_tools(
    text: Corpus, models: dict[str, MEMM], domain: str, with_both: bool
) -> Iterator[Tool]:
    """Yield the tools that learn from a domain's text, too."""
    tuned = {name: tune(model, domain) for name, model in models.items()}
    if with_both:
        both = join(text, load(domain))
        yield from _moses("sacremoses, both texts", both)
        yield from _crfsuite("CRFsuite, both texts", both, tuned["ca04"].mixed_forms)
    yield from ((f"`{name}`, adapted", ours(model)) for name, model in tuned.items())


def print_table(
    found: Mapping[str, Any], cells_of: Callable[[Any], dict[str, str]], of: str = "test text"
) -> None:
    """Print a row for each name, such as a domain's, with its cells by heading."""
    rows = {name: cells_of(own) for name, own in found.items()}
    headings = next(iter(rows.values()))
    print(f"| {of} |", " | ".join(headings), "|")
    print("|---|" + "---:|" * len(headings))
    for name, cells in rows.items():
        print(f"| {name} |", " | ".join(cells.values()), "|")
    print()


def rate_cells(tools: dict[str, np.ndarray]) -> dict[str, str]:
    """Return the share of words that each tool writes wrongly, in per cent."""
    return {name: f"{100 * wrong.mean():.2f} %" for name, wrong in tools.items()}


def _beside_crfsuite(tools: dict[str, np.ndarray]) -> dict[str, str]:
    """Return its errors that ours has right, the reverse, and McNemar's p, by pair of tools."""
    adapted = "CRFsuite, both texts" if "CRFsuite, both texts" in tools else "CRFsuite"
    cells = {}
    for name, own in tools.items():
        rival = adapted if name.endswith("adapted") else "CRFsuite"
        if "`" in name and name != "`truecase`" and rival in tools:
            cells[f"{name}, for {rival}"] = pair_cell(tools[rival], own)
    return cells


def pair_cell(theirs: np.ndarray, mine: np.ndarray) -> str:
    """Return their errors that mine has right, the reverse, and McNemar's p."""
    fixed, broken, p = mcnemar(theirs, mine)
    return f"{fixed:,} / {broken:,}, " + ("p < 0.001" if p < 0.001 else f"p = {p:.3f}")


def tune(background: MEMM, domain: str) -> MEMM:
    """Return a background adapted to a domain with the best sigma^2 on its dev text."""
    text = load(domain)
    sigma2, _ = choose_sigma2(background, text, load(domain, "dev"))
    return adapt(background, text, sigma2=sigma2)


def ours(model: MEMM) -> Wrong:
    """Return what finds the words of a text that a model of ours writes wrongly."""
    return lambda test: surface_errors(test, model.tag(test), model.mixed_forms)


def _crfsuite(name: str, text: Corpus, mixed_forms: dict[str, str]) -> Iterator[Tool]:
    """Yield CRFsuite, trained on a text, with our forms of mixed-case words."""
    pycrfsuite, _ = find_crfsuite()
    if not pycrfsuite:
        return
    trainer, tagger = fill_trainer(pycrfsuite, text, _ITERATIONS), pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "model.crfsuite"))
        trainer.train(path)
        tagger.open(path)

    def find(test):
        tags = [tag for words in wiped_sentences(test) for tag in tagger.tag(attributes(words))]
        return surface_errors(test, np.array(list(map(TAGS.index, tags)), np.int8), mixed_forms)

    yield name, find


def _moses(name: str, text: Corpus) -> Iterator[Tool]:
    """Yield the truecaser of Moses, trained on a text."""
    sacremoses, _ = find_rival("sacremoses", "sacremoses")
    if sacremoses:
        truecaser = sacremoses.MosesTruecaser()
        truecaser.train([text.sentence(i) for i in range(text.n_sentences)])
        begin = sacremoses.MosesDetruecaser().detruecase  # a capital for the first word
        yield (
            name,
            _by_sentence(lambda words: begin(truecaser.truecase(" ".join(words), return_str=True))),
        )


def _truecase() -> Iterator[Tool]:
    """Yield ``truecase`` with the counts that it is shipped with."""
    truecase, _ = find_rival("truecase", "truecase")
    if truecase:
        yield "`truecase`", _by_sentence(truecase.TrueCaser().get_true_case_from_tokens)


def _by_sentence(recase: Callable[[list[str]], Sequence[Any]]) -> Wrong:
    """Return what finds the wrong words of a tool that recases a sentence, word by word."""

    def find(test):
        written = (recase(words) for words in wiped_sentences(test))
        given = [word for sentence in written for word in sentence]
        return np.array([a != test.forms[f] for a, f in zip(given, test.form_ids, strict=True)])

    return find


if __name__ == "__main__":
    main()
