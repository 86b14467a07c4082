"""Contexts and events packed into arrays, against a plain loop."""

from collections import Counter

import numpy as np
import oracles
import pytest

from workbench.features.events import pack_events
from workbench.features.packing import pack_contexts
from workbench.features.templates import Template, find_templates, predicates_of
from workbench.text.casing import wipe_case
from workbench.text.corpus import BOUNDARY, Corpus


def _join(*strings):
    return ",".join(strings)


CA04 = find_templates("ca04")
PAIRS = (
    Template("pair-1", (-1, 0), 0, _join),
    Template("pair+1", (0, 1), 0, _join),
    Template("three", (-1, 0, 1), 0, lambda a, b, c: f"{a}|{b}|{c}" if c != BOUNDARY else None),
)
WIDE = tuple(Template(f"word{o:+}", (o,), 0, _join) for o in (-3, -2, 2, 3, 9))
SETS = {
    "ca04": CA04,
    "pairs": CA04 + PAIRS,
    "wide": CA04 + WIDE,
    "pairs without single words": PAIRS,
    "words and tags": (
        Template("word,t-1", (0,), 1, _join), Template("pair,t-1,2", (0, 1), 2, _join)
    ),
    "tags alone": find_templates(["t-1,2"]),
    "extended": find_templates("extended"),
}  # fmt: skip


def unpack(contexts):
    """Read every packed context back: tag, count and predicates, in order."""
    read = [list(fillers.strings(contexts.words)) for fillers in contexts.fillers]
    for rows, tag, count in zip(contexts.rows, contexts.tags, contexts.counts, strict=True):
        predicates = [
            f"{template.name}={value}"
            for fillers, strings, row in zip(contexts.fillers, read, rows, strict=True)
            for template in fillers.slot.templates
            for value in template.values_of(strings[row - fillers.first_row])
        ]
        yield int(tag), count, tuple(sorted(predicates))


@pytest.mark.parametrize("templates", SETS.values(), ids=SETS)
def test_packed_events_are_those_of_a_loop_each_packed_once(background_corpus, templates):
    packed = Counter()
    for tag, count, predicates in unpack(pack_events(background_corpus, templates)):
        packed[tag, predicates] += count
    counted = oracles.count_events(background_corpus, templates)
    # Two contexts that the templates cannot tell apart may stay two events.
    assert packed == Counter({(tag, tuple(sorted(p))): n for (tag, p), n in counted.items()})
    events = pack_events(background_corpus, templates)
    assert len(np.unique(np.column_stack([events.rows, events.tags]), axis=0)) == len(events.tags)


@pytest.mark.parametrize("templates", SETS.values(), ids=SETS)
def test_packed_contexts_are_in_the_order_of_the_text(adaptation_corpus, templates):
    plain, tags = [], [adaptation_corpus.tag_names[tag] for tag in adaptation_corpus.tags]
    for a, b in zip(adaptation_corpus.starts, adaptation_corpus.starts[1:], strict=False):
        words = [adaptation_corpus.words[i] for i in adaptation_corpus.word_ids[a:b]]
        for i in range(b - a):
            last = tags[max(a, a + i - 2) : a + i][::-1]
            plain.append(tuple(sorted(predicates_of(templates, words, i, last))))
    packed = list(unpack(pack_contexts(adaptation_corpus, templates)))
    assert [predicates for _, _, predicates in packed] == plain
    assert {count for _, count, _ in packed} == {1.0}


def test_events_are_sorted_by_current_word(background_corpus):
    assert np.all(np.diff(pack_events(background_corpus, CA04).rows[:, 0]) >= 0)


def test_slots_have_rows_of_their_own_for_all_histories_and_few_for_edges(background_corpus):
    events = pack_events(background_corpus, CA04)
    ends = np.cumsum([len(fillers) for fillers in events.fillers])
    assert [fillers.first_row for fillers in events.fillers] == [0, *ends[:-1].tolist()]
    fillers = pack_events(background_corpus, CA04).fillers[-1]
    assert len(set(fillers.strings(background_corpus.words))) == 36
    (fillers,) = pack_contexts(background_corpus, find_templates("position")).fillers
    assert len(fillers) <= 2**3


def test_sentences_stand_between_boundaries_that_no_word_reads_across():
    corpus = Corpus.from_sentences([["Rain"]])
    [(_, _, predicates)] = unpack(pack_events(corpus, CA04))
    assert predicates == tuple(sorted(predicates_of(CA04, ["rain"], 0, ())))
    corpus = Corpus.from_sentences([["Rain", "fell"]])
    templates = [Template("word+9", (9,), 0, _join), Template("word-9", (-9,), 0, _join)]
    assert {predicates for _, _, predicates in unpack(pack_contexts(corpus, templates))} == {
        ("word+9=*bdw*", "word-9=*bdw*")
    }
    corpus = Corpus.from_sentences([["A", "b"], ["C"]])
    last = [predicates for _, _, predicates in unpack(pack_contexts(corpus, CA04))][-1]
    assert {"previousword=*bdw*", "t-1=*bdw*", "t-1,2=*bdw*,*bdw*"} < set(last)


def test_words_are_packed_in_one_case_and_no_tag_that_templates_do_not_read(paper_sentence):
    text, shouted = "Rain in Rome".split(), "RAIN IN ROME".split()
    first, second = (
        pack_contexts(Corpus.from_sentences([words]), find_templates(["currentword", "nextword"]))
        for words in (text, shouted)
    )
    assert [p for *_, p in unpack(first)] == [p for *_, p in unpack(second)]
    corpus = Corpus.from_sentences([paper_sentence])
    packed = [predicates for _, _, predicates in unpack(pack_contexts(corpus, CA04))]
    assert f"currentword={wipe_case(paper_sentence[0])}" in packed[0]


def test_tags_are_counted_in_every_row(few_sentences):
    events = pack_events(few_sentences, CA04)
    counted = np.zeros((events.n_rows, events.n_tags))
    for rows, tag, count in zip(events.rows, events.tags, events.counts, strict=True):
        counted[rows, tag] += count
    by_slot = [events.count_tags(slot).toarray() for slot in range(len(events.fillers))]
    assert np.array_equal(np.concatenate(by_slot), counted)
