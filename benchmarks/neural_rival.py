"""``python -m benchmarks.neural_rival BACKGROUND DOMAIN…``: a neural truecaser beside ours.

Words written wrongly, of all words of each domain's test text, before adaptation and after it, by
``ca04``, ``best`` and an LSTM over characters (``benchmarks.rivals.neural``) that learns from the
same text: from the background's for so many minutes of one core, then from the domain's for so
many more, each time until the dev text gains no more. Times are of processor.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.accuracy import Wrong, ours, pair_cell, print_table, rate_cells, train, tune
from benchmarks.measure import one_core, take_turns, timed
from benchmarks.rivals.crfsuite import wiped_sentences
from benchmarks.rivals.neural import (
    CharacterLSTM,
    alphabet_of,
    characters_of,
    find_torch,
    wrong_words,
)
from workbench.text.corpus import Corpus
from workbench.text.sets.registry import load

_ROUNDS = 3  # of tagging
_LSTM = "LSTM"


class Tool(NamedTuple):
    """A truecaser: how its models are made, what they write wrongly, and how they tag."""

    train: Callable[[Corpus], Any]
    adapt: Callable[[Any, str], Any]  # a model to a domain, by name
    wrong: Callable[[Any], Wrong]
    tag: Callable[[Any, Corpus], Any]


class Measured(NamedTuple):
    """What a truecaser is worth."""

    wrong: dict[str, tuple[np.ndarray, np.ndarray]]  # by domain: before adaptation, after; bool
    train_seconds: float
    adapt_seconds: list[float]  # of each domain
    rate: float  # words tagged in a second
    size: int  # bytes of the file of the model before adaptation


def main(arguments: Sequence[str] | None = None) -> None:
    """Print three tables: what is wrong, ours beside the LSTM, and what each costs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neural_rival", description=__doc__)
    parser.add_argument("background", metavar="BACKGROUND")
    parser.add_argument("domains", nargs="+", metavar="DOMAIN")
    parser.add_argument("--minutes", type=float, default=15, help="for the background (15)")
    parser.add_argument("--adapt-minutes", type=float, default=3, help="for each domain (3)")
    options = parser.parse_args(arguments)
    torch, name = find_torch()
    if not torch:
        sys.exit(name)
    text = load(options.background)
    for own in ("ca04", "best"):  # compile
        tune(train(text.take(np.arange(200)), own), options.domains[0])
    neural = _neural(torch, options.background, options.minutes, options.adapt_minutes)
    tools = {f"`{own}`": _own(own) for own in ("ca04", "best")} | {_LSTM: neural}
    found = {}
    for name, tool in tools.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        found[name] = _measure(tool, text, options.domains)
    print_table(_by_domain(found), rate_cells)
    print_table(_by_domain(found), _beside_lstm)
    print_table(found, _costs, "truecaser")


def _own(templates):
    """Return our MEMM with some templates."""
    return Tool(
        partial(train, templates=templates), tune, ours, lambda model, text: model.tag(text)
    )


def _neural(torch, background, minutes, adapt_minutes):
    """Return the LSTM, which learns from a background and a domain for so many minutes each."""

    def train_network(text):
        model = CharacterLSTM(torch, alphabet_of(text))
        return model.fit(text, load(background, "dev"), 60 * minutes)

    def adapt_network(model, domain):
        return model.copy().fit(load(domain), load(domain, "dev"), 60 * adapt_minutes)

    def tag(model, corpus):
        text = characters_of(corpus, model.alphabet)
        return text, model.capitals(text)

    return Tool(
        train_network, adapt_network, lambda m: lambda test: wrong_words(test, *tag(m, test)), tag
    )


def _measure(tool: Tool, text: Corpus, domains: Iterable[str]) -> Measured:
    """Train a tool, adapt it to each domain and measure it on test text."""
    model, train_seconds = timed(lambda: tool.train(text), time.process_time)
    wrong, seconds, tests = {}, [], {domain: load(domain, "test") for domain in domains}
    for domain, test in tests.items():
        adapted, taken = timed(partial(tool.adapt, model, domain), time.process_time)
        wrong[domain] = tool.wrong(model)(test), tool.wrong(adapted)(test)
        seconds.append(taken)
        print(f"  {domain}: done", file=sys.stderr, flush=True)
    rate = _rate(tool, model, next(iter(tests.values())))
    return Measured(wrong, train_seconds, seconds, rate, _size(model))


def _rate(tool, model, text):
    """Return the words that a model tags in a second of one core, from words."""
    sentences = wiped_sentences(text)
    with one_core():
        (laps,) = take_turns(
            _ROUNDS,
            lambda: tool.tag(model, Corpus.from_sentences(sentences, gold=False)),
            clock=time.process_time,
        )
    return len(text) / median(laps)


def _size(model):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "saved.model")
        model.save(path)
        return path.stat().st_size


def _by_domain(found):
    """Return what each tool writes wrongly by domain, before adaptation and then after it."""
    domains = next(iter(found.values())).wrong
    return {
        domain: {
            name + when: own.wrong[domain][after]
            for after, when in enumerate(("", ", adapted"))
            for name, own in found.items()
        }
        for domain in domains
    }


def _beside_lstm(tools: dict[str, np.ndarray]) -> dict[str, str]:
    """Return the errors of the LSTM that ours has right, the reverse, and McNemar's p."""
    cells = {}
    for name, own in tools.items():
        rival = f"{_LSTM}, adapted" if name.endswith("adapted") else _LSTM
        if name != rival:
            cells[f"{name}, for the LSTM"] = pair_cell(tools[rival], own)
    return cells


def _costs(own: Measured) -> dict[str, str]:
    domains, adapting = ", ".join(own.wrong), ", ".join(f"{s:.0f} s" for s in own.adapt_seconds)
    return {
        "training": f"{own.train_seconds:.0f} s", f"adapting to {domains}": adapting,
        "words tagged a second": f"{own.rate:,.0f}", "model file": f"{own.size / 1e6:.1f} MB",
    }  # fmt: skip


if __name__ == "__main__":
    main()
