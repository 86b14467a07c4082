"""Does reranking help: k best recasings of an adapted capitalizer, ranked by whole sentences."""

from collections.abc import Callable
from typing import Any

import numpy as np

from workbench.adaptation.adaptation import adapt
from workbench.adaptation.method import CANDIDATE_SIGMA2, fold
from workbench.evaluation.report import paired_row
from workbench.evaluation.scores import share
from workbench.experiments.search import choose_sigma2, choose_training_sigma2
from workbench.features.candidates.packing import join_sets
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.models.candidates.recasings import K_BEST, propose_recasings
from workbench.models.candidates.reranker import Reranker
from workbench.text.corpus import Corpus


def train_reranker(
    background: Any, adaptation: Corpus, dev: Corpus, k: int = K_BEST,
    on_line: Callable[[str], object] | None = None,
) -> Reranker:  # fmt: skip
    """Return a reranker of the k best recasings of a background adapted to a domain.

    Its variance is chosen on development text, as is that of ``rerank``.
    """
    report = on_line or (lambda line: None)
    report("adapting")
    sigma2, _ = choose_sigma2(background, adaptation, dev)
    tagger = adapt(background, adaptation, sigma2)
    return rerank(background, tagger, (adaptation, dev), k, on_line)


def rerank(
    background: Any, tagger: Any, texts: tuple[Corpus, Corpus], k: int = K_BEST,
    on_line: Callable[[str], object] | None = None,
) -> Reranker:  # fmt: skip
    """Return a reranker of a tagger: a background adapted with some sigma2 to the first text.

    The candidates that it learns from are those of five taggers, each of a fold of the
    adaptation text by what the others teach: of text that it has learnt a tagger is too sure.
    Their model's variance is chosen on the second text, development text.

    Source
    ------
    Collins & Koo (2005), *Discriminative Reranking for Natural Language Parsing*, section 5.
    """
    report = on_line or (lambda line: None)
    adaptation, dev = texts
    sigma2, proposed = tagger.info["sigma2"], []
    for number, (rest, held) in enumerate(fold(adaptation), 1):
        report(f"fold {number}")
        proposed.append(propose_recasings(adapt(background, rest, sigma2), held, k).sets)
    report("ranking")
    problem = CandidateModel.training_problem(join_sets(adaptation.name, proposed))
    best, _ = choose_training_sigma2(
        problem, propose_recasings(tagger, dev, k).sets, CANDIDATE_SIGMA2
    )
    return Reranker(tagger, problem.learn(sigma2=best), k, tagger.info | {"k_best": k})


def measure_reranker(reranker: Reranker, test: Corpus) -> dict[str, Any]:
    """Return what reranking changes on a text, a dict for JSON.

    ``before`` and ``after``, error rates without and with it; ``oracle``, that of the best of
    the k sequences, all fractions; and the ``paired_row`` of the two taggers.
    """
    proposed = propose_recasings(reranker.tagger, test, reranker.k)
    sets = proposed.sets
    best = np.flatnonzero(sets.is_best)
    chosen = {
        "before": sets.sentence_starts[:-1], "after": reranker.model.tag(sets),
        "oracle": best[np.searchsorted(best, sets.sentence_starts[:-1])],
    }  # fmt: skip
    wrong = {name: proposed.tags_of(own) != test.tags for name, own in chosen.items()}
    rates = {name: share(own) for name, own in wrong.items()}
    pair = paired_row(test, "tagger", wrong["before"], "reranked", wrong["after"])
    return {"text": test.name, "words": len(test), "k": reranker.k, **rates, **pair}
