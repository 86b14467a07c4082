"""Several corpora as one, their words and labels numbered alike."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbench.text.corpus import Column, Corpus
from workbench.text.tasks import check_same_task


def unite_labels(*corpora: Corpus) -> list[Corpus]:
    """Return the corpora with tags numbered alike: names of the first, then further ones."""
    names = tuple(dict.fromkeys(name for corpus in corpora for name in corpus.tag_names))
    return [corpus.relabel(names) for corpus in corpora]


def join(corpus: Corpus, more: Corpus) -> Corpus:
    """Return the sentences of two corpora as one, named as the first, with tags numbered alike.

    Words and labels keep the numbers that they have in the first; of columns, such as parts of
    speech, those stay that both have.
    """
    a, b = unite_labels(corpus, more)
    words, word_ids = _merge(Column(a.words, a.word_ids), Column(b.words, b.word_ids))
    forms, form_ids = _merge(Column(a.forms, a.form_ids), Column(b.forms, b.form_ids))
    shared = [name for name in a.columns if name in b.columns]
    columns = {name: _merge(a.columns[name], b.columns[name]) for name in shared}
    starts = np.concatenate((a.starts, a.starts[-1] + b.starts[1:]))
    return Corpus(
        a.name, words, word_ids, np.concatenate((a.tags, b.tags)), starts, forms, form_ids,
        a.tag_names, columns,
    )  # fmt: skip


def join_each(name: str, corpora: Sequence[Corpus]) -> tuple[Corpus, list[int]]:
    """Return some corpora as one of a name, and the sentences at which further ones begin.

    InputError if they are of different tasks.
    """
    joined, begins = corpora[0], list[int]()
    for corpus in corpora[1:]:
        check_same_task(corpus.name, corpus.task, joined.name, joined.task)
        begins.append(joined.n_sentences)
        joined = join(joined, corpus)
    return replace(joined, name=name), begins


def _merge(first, second):
    """Return the strings of two columns, those of the first first, and the ids of both texts."""
    number = {string: place for place, string in enumerate(first.strings)}
    places = [number.setdefault(string, len(number)) for string in second.strings]
    ids = np.concatenate((first.ids, np.array(places, np.int32)[second.ids]))
    return Column(list(number), ids)
