"""Events exchanged between workers, so that equal events of all parts of a text are counted once.

Each worker gets the events of some current words. It then has fewer distinct events and rows than
its part of the text has, and its sums depend on fewer weights, so a pass computes and sends less.
Words with so many events that a worker might get too many stay where they were read.
"""

from collections.abc import Sequence

import numpy as np

from workbench.cluster.shares import Parts
from workbench.features.contexts import Contexts
from workbench.features.events import DistinctEvents, fill_events, find_events, merge_events
from workbench.features.templates import Template
from workbench.numerics.even_loads import deal_in_order
from workbench.text.corpus import Corpus

STAYS = -1  # the owner of a word whose events stay where they were read
_LARGEST = 0.1  # of a worker's share: a word with more events stays


def exchange_events(parts: Parts, templates: tuple[Template, ...]) -> Parts:
    """Return the ``Contexts`` of all parts together, each worker's of the words that it owns.

    ``parts`` are corpora that number their words alike.
    """
    events = parts.map(find_events, templates)
    counts = events.map(_count_words, own=parts.results).merge(np.add)
    owners = parts.tasks.submit(deal_words, counts, *events.map(_n_events).results)
    n = len(parts.results)
    dealt = events.map(_deal, owners, n, own=range(n))
    sent = [dealt.map(_take, receiver).results for receiver in range(n)]
    packed = [
        parts.tasks.submit(_receive, corpus, templates, *received, worker=worker)
        for corpus, worker, received in zip(parts.results, parts.workers, sent, strict=True)
    ]
    return parts._replace(results=packed)


def deal_words(counts: np.ndarray, *sizes: int) -> np.ndarray:
    """Return the number of the part that gets the events of each word, or ``STAYS``.

    Parts get about as many events as they had.

    Parameters
    ----------
    counts : ndarray of int, shape (words,)
        How many distinct events each word has in all parts.
    sizes : int
        How many distinct events each part has.
    """
    owners = np.full(len(counts), STAYS, np.int32)
    order = np.argsort(-counts, kind="stable")
    moves = counts[order] <= _LARGEST * min(sizes)
    deal_in_order(counts, order[moves], np.array(sizes, float), owners)
    return owners


# --- what runs on a worker ----------------------------------------------------------------


def _count_words(events, corpus):
    """Return how many distinct events there are of each value of the first column."""
    return np.bincount(events.columns[0], minlength=len(corpus.words))


def _n_events(events):
    return len(events.counts)


def _deal(events, number, owners, n_parts):
    """Return the events of a part, by its number, that each part gets."""
    owner = owners[events.columns[0]]
    owner[owner == STAYS] = number
    narrow = DistinctEvents(list(map(_narrow, events.columns)), _narrow(events.counts))
    return [narrow.take(owner == receiver) for receiver in range(n_parts)]


def _narrow(column):
    """Return an array in as few bytes a number as its largest needs: it is sent."""
    return column.astype(np.min_scalar_type(column.max(initial=0)))


def _take(dealt, receiver):
    return dealt[receiver]


def _receive(corpus: Corpus, templates: Sequence[Template], *received: DistinctEvents) -> Contexts:
    """Return what a part gets of all parts, packed."""
    return fill_events(corpus, templates, merge_events(corpus, templates, *received))
