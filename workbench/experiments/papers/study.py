"""What the papers' tables are made from: texts, and models trained on them."""

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from workbench.adaptation.adaptation import Adaptation, AdaptedFit, adapt_by_cutoff
from workbench.adaptation.method import Sources, Split, fold
from workbench.evaluation.report import paired_row
from workbench.experiments.backgrounds import Background, background_of, unigram_of, words_learnt
from workbench.experiments.method_rows import describe_change, verdict
from workbench.experiments.search import search_sigma2
from workbench.features.templates import name_templates
from workbench.models.capitalizer import Capitalizer
from workbench.models.crf import CRF
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.settings import BACKGROUND
from workbench.text.corpus import Corpus, unite_labels
from workbench.text.sets.overlap import Shared, find_shared

SHARES = (0.1, 0.175)  # of the background: CA04 has 2 and 3.5 of 20 million words
Domains = dict[str, dict[str, Corpus]]  # ``train``, ``dev`` and ``test`` by the domain's name


class Study:
    """A background, its first parts and one or more domains; models of them, each trained once.

    Parameters
    ----------
    in_domain : Corpus, optional
        Test text of the background's kind.
    amounts : sequence of int, optional
        Numbers of words of the background to train on as well; a tenth and 17.5 % by default.
    options : dict, optional
        Of the background: ``templates``, ``cutoff``, ``sigma2``.
    on_line, on_step : callable, optional
        Called with a line that says what is done next, and with each ``Step`` of a
        background's training.
    """

    kind = MEMM  # that the methods adapt, unless said otherwise

    def __init__(
        self, background: Corpus, domains: Domains, in_domain: Corpus | None = None,
        amounts: Sequence[int] | None = None, options: dict = BACKGROUND,
        on_line: Callable | None = None, on_step: Callable | None = None,
    ):  # fmt: skip
        self.text, self.domains, self.in_domain = _unify_labels(background, domains, in_domain)
        self.amounts, self.options = amounts, options
        self.set_callbacks(on_line, on_step)
        self._cache: dict[Hashable, Any] = {}

    def set_callbacks(self, on_line: Callable | None, on_step: Callable | None) -> None:
        """Replace the callbacks."""
        self._on_line, self._on_step = on_line, on_step

    def __getstate__(self) -> dict:
        """Return what a worker is sent: the texts and options alone."""
        return vars(self) | {"_cache": {}, "_on_line": None, "_on_step": None}

    @property
    def key(self) -> list:
        """What the texts and options are, for JSON."""
        domains = {
            name: {part: text.fingerprint for part, text in parts.items()}
            for name, parts in self.domains.items()
        }
        texts = [text and [text.name, text.fingerprint] for text in (self.text, self.in_domain)]
        return [texts, domains, self.amounts, self.options]

    def report(self, line: str) -> None:
        """Call ``on_line`` with what is done next."""
        if self._on_line:
            self._on_line(line)

    @property
    def facts(self) -> list[str]:
        """How much text there is, by name, and how the background is trained."""
        sizes = [f"{name} {len(parts['train']):,} words" for name, parts in self.domains.items()]
        options = (f"{name} {value}" for name, value in self.options.items())
        return [f"background {self.background_size[1]:,} words", *sizes, *options]

    @property
    def background_size(self) -> tuple[str, int]:
        """The background's name and its number of words."""
        return self.text.name, len(self.text)

    def describe(self) -> str:
        """Say in a sentence which texts the tables are made from."""
        background = "{} ({:,} words)".format(*self.background_size)
        domains = ", ".join(f"{n} ({len(d['train']):,} words)" for n, d in self.domains.items())
        options = ", ".join(f"{name} {value}" for name, value in self.options.items())
        facts = f"Background {background}; adapted to {domains}. Background: {options}."
        return " ".join([facts, *(f"{each.line}." for each in self.shared)])

    @cached_property
    def shared(self) -> list[Shared]:
        """What the texts to measure on share with those learnt from, as in ``find_shared``."""
        return find_shared([self.in_domain], {}, [self.text]) + self._shared_with(self.text)

    def _shared_with(self, background):
        found = list[Shared]()
        for own in self.domains.values():
            found += Split(background, own["train"], own["dev"], {}).find_shared(own["test"])
        return found

    @cached_property
    def parts(self) -> list[Corpus]:
        """The background's first words, by growing amounts, and last all of it."""
        n = len(self.text)
        amounts = [share * n for share in SHARES] if self.amounts is None else self.amounts
        found = np.searchsorted(self.text.starts, [a for a in amounts if 0 < a < n]).tolist()
        ends = sorted({end for end in found if 0 < end < self.text.n_sentences})
        return [*(self.text.take(np.arange(end)) for end in ends), self.text]

    def memm(self, part: int = -1) -> LogLinear:
        """Return the MEMM of a part of the background."""
        corpus = self.parts[part]
        train = partial(background_of, corpus, self.options, self._on_step)
        return self.cached(("memm", len(corpus)), train, f"background of {len(corpus):,} words")

    def unigram(self, part: int = -1) -> Unigram:
        """Return the 1-gram capitalizer of a part of the background."""
        corpus = self.parts[part]
        return self.cached(("1-gram", len(corpus)), partial(unigram_of, corpus), "1-gram")

    def crf(self) -> LogLinear:
        """Return the CRF of the whole background."""
        train = partial(background_of, self.text, self.options, self._on_step, CRF)
        return self.cached("crf", train, f"crf of {len(self.text):,} words")

    def sources(self, adaptation: Corpus, dev: Corpus, kind: type[LogLinear] = MEMM) -> Sources:
        """Return the ``Sources`` of a method: the study's background model and some of a domain."""
        split = Split(self.text, adaptation, dev, dict(self.options), kind)
        return Sources(split, lambda *_: self.crf() if kind is CRF else self.memm())

    def folds(self, domain: str) -> list[tuple[Corpus, Corpus, Corpus]]:
        """Return (other folds, dev text, held-out fold) for each fold of a domain's text."""
        parts = self.domains[domain]
        return [(rest, parts["dev"], held) for rest, held in fold(parts["train"])]

    def background(self) -> LogLinear:
        """Return the model of the whole background that is adapted unless said otherwise."""
        return self.memm()

    def accuracy(self, model: Capitalizer, corpus: Corpus) -> float:
        """Return the share of the words of a corpus that a model tags right."""
        return float((model.tag(corpus) == corpus.tags).mean())

    def n_units(self, corpus: Corpus) -> int:
        """Return the size of a corpus, in words."""
        return len(corpus)

    def cached(self, key: Hashable, make: Callable[[], Any], line: str = "") -> Any:
        """Return the result of ``make``, called once for a key, after reporting a line."""
        if key not in self._cache:
            if line:
                self.report(line)
            self._cache[key] = make()
        return self._cache[key]

    def adaptation(self, domain: str, cutoff: int | None = 0) -> Adaptation:
        """Return the ``Adaptation`` of the whole background to a domain, with train and dev."""
        texts = {part: self.domains[domain][part] for part in ("train", "dev")}
        make = partial(adapt_by_cutoff, self.memm(), texts["train"], texts)
        return self.cached(("adaptations", domain), make)[cutoff]

    def best(self, domain: str, cutoff: int | None = 0) -> AdaptedFit:
        """Return the ``AdaptedFit`` with the fewest errors on the domain's dev text."""
        self.report(f"adapting to {domain}")
        adaptation = self.adaptation(domain, cutoff)
        best, _ = search_sigma2(lambda value: adaptation.at(value, self._on_step).wrong["dev"])
        return adaptation.at(best)

    def wrong(self, name: str, model: Capitalizer, corpus: Corpus) -> np.ndarray:
        """Return which words of a corpus a model tags wrong, bool, shape (N,); cached by name."""
        return self.cached((name, corpus.fingerprint), lambda: model.tag(corpus) != corpus.tags)

    def error(self, name: str, model: Capitalizer, corpus: Corpus | None) -> float | None:
        """Return a model's error rate on a corpus; None without a corpus."""
        return None if corpus is None else float(self.wrong(name, model, corpus).mean())


class ModelStudy(Study):
    """A study of a background model whose text is not here, for the tables that need no text.

    Parameters
    ----------
    found : Background
        The model, and the 1-gram capitalizer if one is beside it.
    domains : dict
        As in ``Study``.
    """

    def __init__(self, found: Background, domains: Domains):
        self._found, self.domains, self.in_domain = found, domains, None
        self.options = {"templates": name_templates(found.model.templates)}
        self.set_callbacks(None, None)
        self._cache = {}

    @property
    def background_size(self) -> tuple[str, int]:
        """The model's name and the number of words that it has learnt from."""
        info = self._found.model.info
        return str(info["name"]), words_learnt(info)

    @cached_property
    def shared(self) -> list[Shared]:
        """What the texts to measure on share with those learnt from, as in ``find_shared``."""
        return self._shared_with(self._found.model)

    def memm(self, part: int = -1) -> LogLinear:
        """Return the model."""
        return self._found.model

    def unigram(self, part: int = -1) -> Unigram:
        """Return the 1-gram capitalizer beside the model."""
        assert self._found.unigram is not None  # else no table that needs it is made
        return self._found.unigram


def _unify_labels(background, domains, in_domain):
    """Return the texts with the same numbers of labels; InputError if one has no capitals."""
    corpora = [background, *(c for parts in domains.values() for c in parts.values())]
    corpora += [] if in_domain is None else [in_domain]
    united = iter([corpus.require_cased() for corpus in unite_labels(*corpora)])
    text = next(united)
    domains = {name: {part: next(united) for part in parts} for name, parts in domains.items()}
    return text, domains, next(united, None)


def growing_amounts(lengths: Sequence[int]) -> list[int]:
    """Return the words of the first text, of the first two, ...; of many texts, near ``SHARES``.

    >>> growing_amounts([200, 150, 1650])
    [200, 350, 2000]
    """
    ends = np.cumsum(lengths).tolist()
    if len(ends) <= 4:
        return ends
    return sorted({min(ends, key=lambda end: abs(end - s * ends[-1])) for s in (*SHARES, 1)})


def change(before: float | None, after: float | None) -> float | None:
    """Return the relative change of an error rate; None where it is undefined.

    >>> change(0.04, 0.03)
    -0.25
    """
    return None if not before or after is None else round(after / before - 1, 12)


def compare_errors(corpus: Corpus, before: np.ndarray, after: np.ndarray) -> dict:
    """Return ``change``, ``told``, ``p`` and ``says`` of errors, bool, shape (N,), of two models.

    The relative change of the error, a fraction, and in words with its interval; the p-value of
    McNemar's test; and the verdict in words, "no change" where the two differ by one word or none.
    """
    pair = paired_row(corpus, "before", before, "after", after)
    is_same = abs(pair["fixed"] - pair["broken"]) <= 1
    says = "no change" if is_same else verdict(pair)
    told = describe_change(pair["relative_change"], pair["interval"])
    return {"change": pair["relative_change"], "told": told, "p": pair["p_value"], "says": says}
