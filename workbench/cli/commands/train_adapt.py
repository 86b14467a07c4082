"""``train --adapt``: the model of a domain from several texts and its own, fitted together."""

from argparse import Namespace
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from workbench.adaptation.method import Sources, Split, fold
from workbench.adaptation.methods import METHODS
from workbench.adaptation.methods.hierarchy import (
    LEVELS,
    TEXT_WEIGHT,
    WEIGHT,
    Hierarchy,
    read_genres,
)
from workbench.adaptation.unknown_words import learn_unknown_words
from workbench.cli import inputs
from workbench.cli.console import Progress, print_json, say, write_to
from workbench.cli.options import check_templates, refuse
from workbench.cli.result_text import describe_changes
from workbench.evaluation.report import paired_row, tag_as
from workbench.experiments.backgrounds import require_features, words_learnt
from workbench.experiments.gradient_search import search_by_gradient
from workbench.experiments.judgement import GAIN, change_row, is_gain, withhold
from workbench.experiments.method_rows import join_classes, learn, verdict
from workbench.features.selection import check_cutoff
from workbench.learning.prior import check_positive
from workbench.models.kinds import KINDS
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.settings import LEARNED, MODEL_KINDS, TRAINING
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.lint import doubt_size

_HIERARCHY = "hierarchy"
_SIMPLER = ("map", "weighted")  # the simplest first: kept where another is not clearly better


def train_hierarchy(options: Namespace) -> None:
    """Train the model of a domain together with several background texts; save the best there."""
    asked = _Asked.of(options)
    sources, split = _read_sources(asked, options)
    kept, rows = _HIERARCHY, dict[str, dict]()
    if split.dev is not None:
        best, rows = _compare(sources, split, asked.strengths)
        kept = _HIERARCHY if options.force else best
    model = _learn(kept, sources, split.dev, asked.strengths)
    for doubt in doubt_size(sources.corpus) + doubt_size(sources.adaptation):
        say(f"workbench: warning: {doubt}")
    write_to(options.output, model.save)
    for line in describe_changes({f"{name}, dev by halves": row for name, row in rows.items()}, {}):
        say(line)
    how = f"{kept}, as none is clearly better; --force writes the hierarchy"
    how = "fitted as a hierarchy" if kept == _HIERARCHY else how
    say(f"{options.output}: {options.model} of {words_learnt(model.info):,} words, {how}, "
        f"{model.info['features']:,} features")  # fmt: skip
    if options.json:
        print_json({"output": options.output, "written": kept, "methods": rows})


def _compare(sources, split, given):
    """Return the method to keep, and the ``change_row`` of each on dev, half by half.

    What is chosen on one half is measured on the other: many variances fit the text that they
    are chosen on. Of the methods that are not significantly worse than the best, the simplest
    is kept; the background, if the best has no significant gain.
    """
    dev, found = split.dev, defaultdict[str, list](list)
    for name, (own, held) in product(("background", *_SIMPLER, _HIERARCHY), fold(dev, 2)):
        tags = tag_as(_learn(name, sources, own, given), name, held)
        found[name].append(tags != held.tags)
    wrong = {name: np.concatenate(own) for name, own in found.items()}
    before, shared = wrong.pop("background"), split.find_shared()
    rows = {name: withhold(change_row(dev, before, own), shared) for name, own in wrong.items()}
    best = min(rows, key=lambda name: rows[name]["after"])
    if not is_gain(rows[best]):
        return "background", rows
    pairs = {name: paired_row(dev, name, own, best, wrong[best]) for name, own in wrong.items()}
    return next(name for name, pair in pairs.items() if verdict(pair) != GAIN), rows


class _Asked(NamedTuple):
    """What the options ask for, checked before any text is read."""

    kind: type[LogLinear]
    fitting: dict[str, Any]  # of the background, as ``LogLinear.fit`` takes it
    with_unknown_words: bool
    genres: tuple[str, ...]  # of each background text and, last, of the domain; or none
    strengths: dict[str, float]  # variances and weights that are given; others are searched

    @classmethod
    def of(cls, options: Namespace) -> "_Asked":
        """Return what is asked for; InputError if that cannot be."""
        _refuse(options)
        genres = () if options.tree is None else read_genres(options.tree, options.text)
        levels = [level for level in LEVELS if level != "genre" or genres]
        strengths = _read_sigma2s(options.sigma2, levels)
        searched = [f"sigma2 of {level}" for level in levels if LEVELS[level] not in strengths]
        if options.weights not in (None, "auto"):
            strengths[WEIGHT] = check_positive(options.weights, "with --adapt, weights")
            strengths[TEXT_WEIGHT] = 1.0
        elif searched or options.weights:
            searched.append("weights")
        if searched and options.dev is None:
            raise InputError(f"{searched[0]}: --dev TEXT is needed to search it on")
        if not searched and options.dev is not None:
            raise InputError(f"dev {options.dev}: all variances are given, nothing is searched")
        fitting = {
            "templates": check_templates(options),
            "cutoff": check_cutoff(options.cutoff), "sigma2": TRAINING["sigma2"].default,
        }  # fmt: skip
        kind: Any = KINDS[options.model]
        with_unknown_words = kind is MEMM and options.unknown_words == LEARNED
        return cls(kind, fitting, with_unknown_words, genres, strengths)

    def train_background(self, text: Corpus) -> LogLinear:
        """Return the model of the background, from which the hierarchy's fit begins."""
        with Progress("training the background") as progress:
            model: Any = self.kind.fit(text, **self.fitting, on_step=progress.step)
        require_features(model, text, self.fitting["cutoff"])
        return learn_unknown_words(model, text) if self.with_unknown_words else model


def _refuse(options):
    """Raise InputError for an option that a hierarchy does not go with."""
    if options.model not in MODEL_KINDS or (options.prior, options.solver) != ("gaussian", "lbfgs"):
        raise InputError(
            f"adapt {options.adapt}: with --adapt, a memm or crf, --solver lbfgs and --prior "
            "gaussian are allowed"
        )
    others = "alpha", "memory", "drop_boundaries"
    refuse(options, others, "does not go with --adapt")


def _read_sigma2s(text: str | None, levels: Sequence[str]) -> dict[str, float]:
    """Return the variances in text such as "general=10,domain=1", by hyper-parameter."""
    if text in (None, "auto"):
        return {}
    found: dict[str, float] = {}
    for part in str(text).split(","):
        level, _, number = part.partition("=")
        name = LEVELS.get(level.strip(), "")
        if level.strip() not in levels or not number or name in found:
            allowed = ",".join(f"{level}=X" for level in levels)
            raise InputError(f"sigma2 {text}: auto, or some of {allowed}, is allowed with --adapt")
        found[name] = check_positive(number, f"sigma2 of {level.strip()}")
    return found


def _read_sources(asked, options):
    """Return what is learnt from, its background trained, and all texts; dev may be None."""
    background, begins = inputs.read_each(options.text, options)
    domain = inputs.read_texts([options.adapt], "train", options)
    dev: Any = None
    if options.dev is not None:
        dev = inputs.read_texts([options.dev], "dev", options).require_cased()
    split = Split(background, domain, dev, asked.fitting, asked.kind, tuple(begins), asked.genres)
    trained = asked.train_background(background)
    return Sources(split, lambda *_: trained), split


def _learn(name, sources, dev, given):
    """Return the model of a method; hyper-parameters that are not given are searched on dev."""
    if name != _HIERARCHY:
        with Progress(f"searching {name}"):
            return learn(METHODS[name], sources, dev).model
    hierarchy = Hierarchy(sources)
    if dev is None:
        return hierarchy.learn(**given)
    with Progress("searching sigma2") as progress:

        def on_try(values):
            progress.began(f"trying {_describe(values)}")

        best = search_by_gradient([(hierarchy, dev)], given, on_try)
    say(f"{_describe(best.values)} ({best.n_wrong:,} errors in {len(dev):,} words of dev)")
    (fit,) = best.fits
    return hierarchy.model(fit, **best.values)


def _describe(values):
    """Return weights and variances as text: "weights 3, sigma2 general=10,new=1,domain=1"."""
    means = join_classes(values)
    named = ((level, means[name]) for level, name in LEVELS.items() if name in means)
    sigma2 = ",".join(f"{level}={value:.3g}" for level, value in named)
    return f"weights {means.get(WEIGHT, 1.0):.3g}, sigma2 {sigma2}"
