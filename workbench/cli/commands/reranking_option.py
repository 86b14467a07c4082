"""The option ``--rerank`` of ``adapt``: its checks, and the reranker that it asks for."""

from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from workbench.cli.console import Progress, say
from workbench.evaluation.number_words import chance_in_words
from workbench.experiments.judgement import is_gain, measure_change
from workbench.experiments.reranking import rerank
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.sets.overlap import find_shared
from workbench.text.tasks import TaskName


def check_reranking(options: Namespace, strengths: Iterable[str], background: Any) -> None:
    """Raise InputError where a reranker is asked for that cannot be learnt or written."""
    if not options.rerank:
        return
    if options.dev is None:
        raise InputError("rerank: --dev TEXT is needed, on which its variance is chosen")
    if [*strengths] != ["sigma2"]:
        raise InputError(f"rerank: with --sigma2 alone, not {' and '.join(strengths)}")
    if options.adapter:
        raise InputError("rerank: an adapter has no room for a reranker; without --adapter it has")
    if background.task is not TaskName.CASE:
        raise InputError(f"rerank: a model of {background.task}; only capitalizers are reranked")


def learn_reranker(background: Any, adapted: Any, text: Corpus, dev: Any, force: bool) -> Any:
    """Return a reranker of an adapted model, learnt from adaptation and dev text.

    Where it brings no significant gain on dev, the adapted model itself, unless it is forced.
    """
    with Progress("learning to rerank", "steps") as progress:
        reranker = rerank(background, adapted, (text, dev), on_line=progress.began)
        row = measure_change(adapted, reranker, dev, find_shared([dev], {}, [text]))
    is_kept = force or is_gain(row)
    end = "" if is_kept else ": left out; --force keeps it"
    say(f"reranking changes {row['before']:.2%} to {row['after']:.2%} on dev, p "
        f"{chance_in_words(row['p_value'])}, {row['verdict']}{end}")  # fmt: skip
    return reranker if is_kept else adapted
