"""Background size × adaptation size: the exchange of one for the other, and what features gain."""

from functools import partial

import numpy as np
from scipy.special import stdtrit

from workbench.adaptation.adaptation import Adaptation, adapt_by_cutoff
from workbench.experiments.papers.study import Study, compare_errors
from workbench.experiments.papers.tables import make_spec
from workbench.experiments.search import COARSE

AMOUNTS = (1_000, 5_000, 20_000, 80_000)  # words of the domain
_N_DRAWS = 10  # stretches of each amount: one of a few thousand words is of one or two documents


# --- the grid and its rate of exchange ----------------------------------------------------


def make_grid(study: Study) -> list[dict]:
    """Return errors on the first domain's test text by words of background and of the domain.

    The domain's words are ten stretches of neighbouring sentences, from random places on; the
    error is the mean of ten, with a 95 % interval (Student's t). sigma^2 is chosen on dev, whose
    words come on top. ``worth``: how many words of background, more than there are, would lower
    the mean error as much; None where all of the background does not.
    """
    domain = next(iter(study.domains))
    test = study.domains[domain]["test"]
    alone = [_error(study.memm(i), test) for i in range(len(study.parts))]
    rows: list[dict] = []
    for i, part in enumerate(study.parts):
        rows.append({"background": len(part), "words": 0, "error": alone[i]})
        for drawn in _draw(study.domains[domain]["train"]):
            n_words = round(np.mean([len(some) for some in drawn]))
            study.report(f"{len(part):,} words of background, {n_words:,} of {domain}")
            errors = [_adapt(study, study.memm(i), some, domain) for some in drawn]
            row = {"background": len(part), "words": n_words, "stretches": len(drawn)}
            row |= _mean_with_interval(errors)
            row["worth"] = _worth(study, alone, i, row["error"])
            rows.append(row)
    return rows


def _draw(corpus):
    """Yield ten stretches of each of ``AMOUNTS`` words, and all of the words, once."""
    for amount in AMOUNTS:
        if amount < 0.9 * len(corpus):
            streams = (np.random.default_rng([amount, number]) for number in range(_N_DRAWS))
            yield [corpus.draw_stretch(amount, rng) for rng in streams]
    yield [corpus]


def _error(model, test):
    return float((model.tag(test) != test.tags).mean())


def _adapt(study, background, some, domain):
    parts = study.domains[domain]
    adaptation = Adaptation(background, some, texts={"dev": parts["dev"], "test": parts["test"]})
    best = min((adaptation.at(s) for s in COARSE), key=lambda tuned: tuned.wrong["dev"])
    return best.wrong["test"] / len(parts["test"])


def _mean_with_interval(errors):
    mean, n = float(np.mean(errors)), len(errors)
    if n == 1:
        return {"error": mean}
    half = float(stdtrit(n - 1, 0.975) * np.std(errors, ddof=1) / np.sqrt(n))
    return {"error": mean, "low": mean - half, "high": mean + half}


def _worth(study, alone, i, error):
    """Return the words of background beyond part i that give the same error, by interpolation.

    The logarithm of the words is taken as linear in the error between two parts.
    """
    sizes = [len(part) for part in study.parts]
    for j in range(i, len(sizes) - 1):
        if alone[j + 1] <= error < alone[j]:
            share = (alone[j] - error) / (alone[j] - alone[j + 1])
            return round(sizes[j] * (sizes[j + 1] / sizes[j]) ** share - sizes[i])
    return None


GRID = make_spec(
    "exchange", "CA04", "future work", "errors by words of background and of the domain",
    make_grid,
    ("background", "words of background", "count"), ("words", "words of the domain", "count"),
    ("stretches", "stretches", "count"), ("error", "test, mean", "rate"),
    ("low", "95 % from", "rate"), ("high", "to", "rate"),
    ("worth", "worth words of background", "count"),
)  # fmt: skip


# --- what new features gain ---------------------------------------------------------------


def make_gains(study: Study) -> list[dict]:
    """Return what the adaptation text's new features gain on test, by words of background.

    Both at the sigma^2 that is best on dev without them.
    """
    return [_gain(study, domain, i) for domain in study.domains for i in range(len(study.parts))]


def _gain(study, domain, i):
    parts = study.domains[domain]
    texts = {part: parts[part] for part in ("dev", "test")}
    study.report(f"new features of {domain}, {len(study.parts[i]):,} words of background")
    make = partial(adapt_by_cutoff, study.memm(i), parts["train"], texts)
    of = study.cached(("gains", domain, i), make)
    every, none = of[0], of[None]
    best = min((none.at(s) for s in COARSE), key=lambda tuned: tuned.wrong["dev"])
    test = parts["test"]
    wrong = [each.tags["test"] != test.tags for each in (best, every.at(best.sigma2))]
    rates = [float(own.mean()) for own in wrong]
    return {
        "tested_on": domain, "background": len(study.parts[i]), "new": every.problem.n_new,
        "sigma2": best.sigma2, "none": rates[0], "every": rates[1],
        "points": 100 * (rates[0] - rates[1]), **compare_errors(test, *wrong),
    }  # fmt: skip


GAINS = make_spec(
    "new-features", "CA04", "beside table 5", "what new features gain, by words of background",
    make_gains,
    ("tested_on", "tested on"), ("background", "words of background", "count"),
    ("new", "new features", "count"), ("sigma2", "sigma2", "number"),
    ("none", "test without them", "rate"), ("every", "with all", "rate"),
    ("points", "points", "signed"), ("p", "p (McNemar)", "chance"), ("says", "verdict"),
)  # fmt: skip
