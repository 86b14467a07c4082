"""What the papers' tables are made of: texts, the models of them, and the form of a table."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from workbench.experiments.backgrounds import background_of, unigram_of
from workbench.experiments.hyperparameters import search_sigma2
from workbench.experiments.tuning import tunings
from workbench.models.crf import CRF
from workbench.settings import BACKGROUND
from workbench.text.corpus import unite_labels

PAPERS = {
    "CA04": "Chelba & Acero (2004)",
    "PN08": "Plank & van Noord (2008)",
    "CRF08": "Zhang, Qiu, Huang & Wu (2008)",
}
SHARES = (0.1, 0.175)  # of the background: CA04 has 2 and 3.5 of 20 million words
_FORMS = {
    "count": "{:,}", "rate": "{:.2%}", "change": "{:+.0%}", "nats": "{:,.1f}", "number": "{:g}",
    "chance": "{:.2g}",
}  # fmt: skip


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    key, heading : str
    kind : {"text", "count", "rate", "change", "nats", "number", "chance"}
        What its values are; rates and changes are fractions, shown in per cent.
    """

    key: str
    heading: str
    kind: str = "text"

    @property
    def is_number(self):
        """Whether it is flush right."""
        return self.kind != "text"

    @property
    def told_heading(self):
        """The heading with its unit."""
        return f"{self.heading}, %" if self.kind in {"rate", "change"} else self.heading

    def text(self, value):
        """Show a value; a dash where there is none."""
        if value is None:
            return "-"
        return _FORMS[self.kind].format(value).removesuffix("%") if self.is_number else str(value)


@dataclass(frozen=True)
class TableSpec:
    """How one of the papers' tables or figures is made.

    Attributes
    ----------
    name : str
        What it is asked for by.
    paper : str
        Its letters and year, ``CA04``.
    place : str
        Where it stands there, ``table 1``.
    title : str
    columns : tuple of Column
        Empty ones are not shown.
    make : callable
        From ``Study`` to rows.
    judge : callable
        From rows to a sentence on agreement with the paper.
    """

    name: str
    paper: str
    place: str
    title: str
    columns: tuple
    make: Callable
    judge: Callable

    @property
    def label(self):
        """Paper and place, in short."""
        return f"{self.paper} {self.place}"

    @property
    def source(self):
        """Paper and place, as one cites them."""
        return f"{PAPERS[self.paper]}, {self.place}"


class Study:
    """A background, its first parts and one or more domains; models of them, each made once.

    Parameters
    ----------
    background : Corpus
    domains : dict of str to dict
        Corpora ``train``, ``dev`` and ``test`` by name.
    in_domain : Corpus, optional
        Test text of the background's kind.
    amounts : sequence of int, optional
        Words of the background to train on beside all of it; a tenth and 17.5 % by default.
    options : dict, optional
        Of the background: ``templates``, ``cutoff``, ``sigma2``.
    tell : callable, optional
        Called with a line that says what comes next.
    on_step : callable, optional
        Called with each ``Step`` of a background's training.
    """

    def __init__(
        self, background, domains, in_domain=None, amounts=None, options=BACKGROUND, tell=None,
        on_step=None,
    ):  # fmt: skip
        self.text, self.domains, self.in_domain = _number_alike(background, domains, in_domain)
        self.amounts, self.options = amounts, options
        self._tell, self._on_step = tell, on_step
        self._models, self._tunings, self._tags = {}, {}, {}

    def watch(self, tell, on_step):
        """Have others told what comes next, and the steps of training, from now on."""
        self._tell, self._on_step = tell, on_step

    def tell(self, line):
        """Say what comes next."""
        if self._tell:
            self._tell(line)

    def describe(self):
        """Say in a sentence what the tables are made on."""
        told = [f"{self.text.name} ({len(self.text):,} words)"]
        told += [f"{n} ({len(d['train']):,} words)" for n, d in self.domains.items()]
        options = ", ".join(f"{name} {value}" for name, value in self.options.items())
        return f"Background {told[0]}; adapted to {', '.join(told[1:])}. Background: {options}."

    @cached_property
    def parts(self):
        """The background's first words, by growing amounts, and last all of it; corpora."""
        n = len(self.text)
        amounts = [share * n for share in SHARES] if self.amounts is None else self.amounts
        ends = np.searchsorted(self.text.starts, [a for a in amounts if 0 < a < n])
        ends = sorted({int(end) for end in ends if 0 < end < self.text.n_sentences})
        return [*(self.text.take(np.arange(end)) for end in ends), self.text]

    def memm(self, part=-1):
        """Return the MEMM of a part of the background."""
        corpus = self.parts[part]
        train = partial(background_of, corpus, self.options, self._on_step)
        return self.keep(("memm", len(corpus)), f"background of {len(corpus):,} words", train)

    def unigram(self, part=-1):
        """Return the 1-gram capitalizer of a part of the background."""
        corpus = self.parts[part]
        return self.keep(("1-gram", len(corpus)), "1-gram", partial(unigram_of, corpus))

    def crf(self):
        """Return the CRF of the whole background."""
        train = partial(background_of, self.text, self.options, self._on_step, CRF)
        return self.keep("crf", f"crf of {len(self.text):,} words", train)

    def keep(self, key, line, make):
        """Return what a key stands for: made now, which is told in a line, or kept."""
        if key not in self._models:
            self.tell(line)
            self._models[key] = make()
        return self._models[key]

    def tuning(self, domain, cutoff=0):
        """Return the ``Tuning`` of the whole background to a domain; it has train and dev text."""
        if domain not in self._tunings:
            texts = {part: self.domains[domain][part] for part in ("train", "dev")}
            self._tunings[domain] = tunings(self.memm(), texts["train"], texts)
        return self._tunings[domain][cutoff]

    def best(self, domain, cutoff=0):
        """Return the ``AdaptedFit`` with the fewest errors on the domain's dev text."""
        self.tell(f"adapting to {domain}")
        tuning = self.tuning(domain, cutoff)

        def count_wrong(sigma2):
            return tuning.at(sigma2, self._on_step).wrong["dev"]

        return tuning.at(search_sigma2(count_wrong)[0])

    def wrong(self, name, model, corpus):
        """Return which words of a corpus a model tags wrong, bool, shape (N,); once by name."""
        key = name, corpus.fingerprint
        if key not in self._tags:
            self._tags[key] = model.tag(corpus) != corpus.tags
        return self._tags[key]

    def error(self, name, model, corpus):
        """Return a model's error rate on a corpus; None without a corpus."""
        return None if corpus is None else float(self.wrong(name, model, corpus).mean())


def _number_alike(background, domains, in_domain):
    """The texts with their labels numbered alike; InputError if one has no case to tell."""
    corpora = [background, *(c for parts in domains.values() for c in parts.values())]
    corpora += [] if in_domain is None else [in_domain]
    united = iter([corpus.require_cased() for corpus in unite_labels(*corpora)])
    text = next(united)
    domains = {name: {part: next(united) for part in parts} for name, parts in domains.items()}
    return text, domains, next(united, None)


def growing_amounts(lengths, most=4):
    """Return the words of the first text, of the first two, ...; of many, where the paper cuts.

    >>> growing_amounts([200, 150, 1650])
    [200, 350, 2000]
    """
    ends = np.cumsum(lengths).tolist()
    if len(ends) <= most:
        return ends
    return sorted({min(ends, key=lambda end: abs(end - s * ends[-1])) for s in (*SHARES, 1)})


def change(before, after):
    """Return the relative change of an error rate; None where it is undefined.

    >>> change(0.04, 0.03)
    -0.25
    """
    return None if not before or after is None else round(after / before - 1, 12)


def verdict_of(agrees):
    """Begin a sentence that compares with the paper."""
    return "As in the paper" if agrees else "Unlike in the paper"
