"""``python -m benchmarks.accuracy BACKGROUND DOMAIN…``: words written wrongly, beside other tools.

Of each domain's test text, all words, on the same tokens. sacremoses and CRFsuite learn from the
background's text, CRFsuite with the word predicates of ``ca04``; with ``--both`` it also learns
from the texts of background and domain together, beside the adapted models, which takes minutes
a domain. ``truecase`` is as it is shipped. Ours are trained as ``train`` and ``adapt --dev`` do.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import find_rival
from benchmarks.rivals.crfsuite import attributes, fill_trainer, find_crfsuite, wiped_sentences
from workbench.adaptation.methods.map import adapt
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.evaluation.scores import surface_errors
from workbench.evaluation.significance import mcnemar
from workbench.experiments.hyperparameters import choose_sigma2
from workbench.models.memm import MEMM
from workbench.text.casing import TAGS
from workbench.text.corpus import Corpus, join
from workbench.text.sets.registry import load

_TEMPLATES = ("ca04", "extended")
_ITERATIONS = 100  # of CRFsuite
Wrong = Callable[[Corpus], np.ndarray]  # the words that a tool writes wrongly; bool, shape (N,)
Tool = tuple[str, Wrong]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table of domains and tools, and before it a line for each to standard error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__)
    parser.add_argument("background", metavar="BACKGROUND")
    parser.add_argument("domains", nargs="+", metavar="DOMAIN")
    parser.add_argument("--both", action="store_true", help="CRFsuite of both texts, too")
    options = parser.parse_args(arguments)
    text = load(options.background)
    models = {name: learn_unknown_words(MEMM.fit(text, name), text) for name in _TEMPLATES}
    forms = models["ca04"].mixed_forms
    plain = [*_moses(text), *_truecase(), *_crfsuite("CRFsuite", text, forms)]
    plain += [(f"ours, {name}", _ours(model)) for name, model in models.items()]
    say("| domain | tool | wrong | of CRFsuite's errors it has right | the reverse | p |")
    say("|---|---|---:|---:|---:|---:|")
    rates: dict[str, dict[str, str]] = {}
    for domain in options.domains:
        test = load(domain, "test")
        rates[domain] = _measure(domain, test, plain)
        tuned = {name: _tune(model, domain) for name, model in models.items()}
        adapted = []
        if options.both:
            both = join(text, load(domain))
            adapted += _crfsuite("CRFsuite, both texts", both, tuned["ca04"].mixed_forms)
        adapted += [(f"ours, {name}, adapted", _ours(model)) for name, model in tuned.items()]
        rates[domain] |= _measure(domain, test, adapted)
    _print_table(rates)


def say(line: str) -> None:
    """Print a line on standard error, at once."""
    print(line, file=sys.stderr, flush=True)


def _print_table(rates: dict[str, dict[str, str]]) -> None:
    """Print what each tool, a column, has wrong on each domain, a row."""
    tools = list(dict.fromkeys(tool for row in rates.values() for tool in row))
    print(f"| test text | {' | '.join(tools)} |", "|---" + "|---:" * len(tools) + "|", sep="\n")
    for domain, row in rates.items():
        print(f"| {domain} | {' | '.join(row[tool] for tool in tools)} |")


def _measure(domain: str, test: Corpus, tools: Sequence[Tool]) -> dict[str, str]:
    """Return the rates of some tools; say each beside that whose name begins with CRFsuite."""
    wrong = {name: find(test) for name, find in tools}
    rates = {}
    rival = next((w for name, w in wrong.items() if name.startswith("CRFsuite")), None)
    for name, own in wrong.items():
        pair = ["", "", ""]
        if rival is not None and own is not rival:
            fixed, broken, p = mcnemar(rival, own)
            pair = [f"{fixed:,}", f"{broken:,}", "< 0.001" if p < 0.001 else f"{p:.3f}"]
        rates[name] = f"{100 * own.mean():.2f} %"
        say(f"| {' | '.join([domain, name, rates[name], *pair])} |")
    return rates


def _tune(background: MEMM, domain: str) -> MEMM:
    """Return a background adapted to a domain with the best sigma^2 on its dev text."""
    text = load(domain)
    sigma2, _ = choose_sigma2(background, text, load(domain, "dev"))
    return adapt(background, text, sigma2=sigma2)


def _ours(model: MEMM) -> Wrong:
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


def _moses(text: Corpus) -> Iterator[Tool]:
    """Yield the truecaser of Moses, trained on a text."""
    sacremoses, name = find_rival("sacremoses", "sacremoses")
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
    truecase, name = find_rival("truecase", "truecase")
    if truecase:
        yield name, _by_sentence(truecase.TrueCaser().get_true_case_from_tokens)


def _by_sentence(recase: Callable[[list[str]], Sequence[Any]]) -> Wrong:
    """Return what finds the wrong words of a tool that recases a sentence, word by word."""

    def find(test):
        written = (recase(words) for words in wiped_sentences(test))
        given = [word for sentence in written for word in sentence]
        return np.array([a != test.forms[f] for a, f in zip(given, test.form_ids, strict=True)])

    return find


if __name__ == "__main__":
    main()
