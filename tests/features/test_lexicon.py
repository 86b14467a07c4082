"""The casing of words: counted by a loop, by folds in training, kept by models of every kind."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from model_files import npy, rewrite

from workbench.adaptation.adaptation import adapt
from workbench.evaluation.explanation import explain, firing_predicates
from workbench.features.lexicon import Lexicon, describe_by_folds
from workbench.features.templates import CASING, CASING_RATE
from workbench.models.adapter import save_adapter
from workbench.models.crf import CRF
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.text.casing import TAGS, tag_of, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

TEMPLATES = "ca04 +casingrate +casing-1 +casing,casing+1 +casing,t-1"


@pytest.fixture(scope="module")
def background(background_corpus):
    return MEMM.fit(background_corpus, templates=TEMPLATES, cutoff=2)


def describe_plainly(word, cased):
    """What the occurrences of a word, pairs (tag, begins its sentence), say of its casing."""
    if not any(c.isupper() or c.islower() for c in word):
        kind = "number" if any(map(str.isalnum, word)) else "mark"
        return kind, kind
    tags = Counter(tag for tag, begins in cased if not begins)
    if not tags:
        return ("initial", "initial") if cased else ("unseen", "unseen")
    n = tags.total()
    most = min(tags, key=lambda tag: (-tags[tag], TAGS.index(tag)))
    share = tags[most] / n
    level = "always" if share >= 0.98 else "mostly" if share >= 0.8 else "often"
    rate = max(s for s in (0, 65, 85, 97, 99.5) if share * 100 >= s)
    times = max(t for t in (1, 3, 10, 100) if n >= t)
    return f"{most} {'rare' if n <= 2 else level}", f"{most} {rate:g}%+ {times}+"


def occurrences(corpus, places):
    """The tag of each word at some places, and whether it begins a sentence, by word."""
    found = {}
    for i in places:
        form = corpus.forms[corpus.form_ids[i]]
        said = tag_of(form).name, bool(corpus.is_initial[i])
        found.setdefault(wipe_case(form), []).append(said)
    return found


def read(corpus):
    """The two columns of a described corpus, as pairs of strings."""
    levels, rates = corpus.columns[CASING], corpus.columns[CASING_RATE]
    return [
        (levels.strings[a], rates.strings[b]) for a, b in zip(levels.ids, rates.ids, strict=True)
    ]


def test_new_text_is_described_by_all_occurrences_and_training_text_by_other_folds(
    background_corpus, adaptation_corpus
):
    described = Lexicon.learn(background_corpus).describe(adaptation_corpus)
    known = occurrences(background_corpus, range(len(background_corpus)))
    words = [adaptation_corpus.words[i] for i in adaptation_corpus.word_ids]
    assert read(described) == [describe_plainly(word, known.get(word, [])) for word in words]
    assert {"unseen", "CAP rare", "LOC always", "mark"} <= {level for level, _ in read(described)}
    n = len(background_corpus)
    fold_of = [i * 10 // n for i in range(n)]
    known = [
        occurrences(background_corpus, (i for i in range(n) if fold_of[i] != fold))
        for fold in range(10)
    ]
    words = [background_corpus.words[i] for i in background_corpus.word_ids]
    expected = [
        describe_plainly(word, known[fold].get(word, []))
        for word, fold in zip(words, fold_of, strict=True)
    ]
    assert read(describe_by_folds(background_corpus)) == expected


def test_to_learn_from_its_own_text_again_is_to_learn_by_folds(background_corpus, background):
    problem = background.adaptation_problem(background_corpus, None)
    training = MEMM.training_problem(background_corpus, TEMPLATES, 2)
    value, _ = problem.log_likelihood(problem.mean)
    assert value == pytest.approx(training.log_likelihood(background.weights[
        background.features.exists])[0])  # fmt: skip


def test_levels_begin_where_they_are_said_to_and_are_finer_for_a_common_word():
    sentences = [["So", "may" if i % 10 else "May", "it"] for i in range(40)]
    found = read(Lexicon.learn(Corpus.from_sentences(sentences)).describe(
        Corpus.from_sentences([["may", "it", "so"]], gold=False)
    ))  # fmt: skip
    assert found[0] == ("LOC mostly", "LOC 85%+ 10+")
    assert found[1] == ("LOC always", "LOC 99.5%+ 10+")
    assert found[2] == ("initial", "initial")
    words = [f"w{'x' * i}" for i in range(100, 200)]  # of 200 occurrences so many are lower case
    forms = [[w] * len(w) + [w.upper()] * (201 - len(w)) for w in words]
    corpus = Corpus.from_sentences([["So", *own] for own in forms])
    known = occurrences(corpus, range(len(corpus)))
    found = read(Lexicon.learn(corpus).describe(Corpus.from_sentences([words], gold=False)))
    assert found == [describe_plainly(word, known[word]) for word in words]
    assert len(set(found)) > 5


def test_a_neighbour_beyond_the_sentence_is_the_boundary(background, adaptation_corpus):
    last = int(adaptation_corpus.starts[1]) - 1
    assert "casing-1=*bdw*" in firing_predicates(background, adaptation_corpus, 0)
    found = firing_predicates(background, adaptation_corpus, last)
    assert "casing,casing+1=mark,*bdw*" in found


def test_another_lexicon_is_another_model(background):
    counts = background.lexicon.counts.copy()
    counts[0, 0] += 1
    other = replace(background, lexicon=replace(background.lexicon, counts=counts))
    assert other.content_hash() != background.content_hash()


def test_the_rows_of_an_explanation_sum_to_the_score(background, adaptation_corpus):
    tags = background.tag(adaptation_corpus)
    scores = background.local_scores(background.pack(adaptation_corpus), background.weights, tags)
    for position in range(0, len(adaptation_corpus), 7):
        rows = explain(background, adaptation_corpus, position)
        sums = rows.groupby("tag", sort=False)["weight"].sum().to_numpy()
        np.testing.assert_allclose(sums - sums[0], scores[position] - scores[position, 0])


@pytest.mark.parametrize("kind", [MEMM, CRF])
def test_a_model_is_saved_with_its_lexicon(kind, background_corpus, adaptation_corpus, tmp_path):
    model = kind.fit(background_corpus, templates=TEMPLATES, cutoff=2)
    model.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert loaded.content_hash() == model.content_hash()
    np.testing.assert_array_equal(loaded.tag(adaptation_corpus), model.tag(adaptation_corpus))


def test_adaptation_keeps_the_lexicon(background, adaptation_corpus, tmp_path):
    near = adapt(background, adaptation_corpus, 1e-9)
    expected = background.tag(adaptation_corpus)
    np.testing.assert_array_equal(near.tag(adaptation_corpus), expected)
    adapted = adapt(background, adaptation_corpus, 1.0)
    assert adapted.lexicon is background.lexicon
    assert (adapted.tag(adaptation_corpus) != expected).any()
    background.save(tmp_path / "b.model")
    save_adapter(adapted, background, tmp_path / "b.model", tmp_path / "a.adapter")
    loaded = load_model(tmp_path / "a.adapter")
    np.testing.assert_array_equal(loaded.tag(adaptation_corpus), adapted.tag(adaptation_corpus))


@pytest.mark.parametrize(
    ("header", "changes"),
    [
        (lambda said: said.pop("lexicon"), {}),
        (lambda said: said.update(lexicon=7), {}),
        (None, {"lexicon_npy": lambda _: npy(np.full((3, 6), 1, np.int32))}),
        (
            None,
            {
                "lexicon_npy": lambda _: npy(np.empty((0, 6), np.int32)),
                "lexicon_txt": lambda _: b"",
            },
        ),
        (None, {"lexicon_txt": lambda text: text.split(b"\n")[0] + b"\n" + text}),
    ],
)
def test_a_damaged_lexicon_is_refused(background, tmp_path, header, changes):
    background.save(tmp_path / "a.model")
    rewrite(tmp_path / "a.model", header, **changes)
    with pytest.raises(InputError, match=r"a\.model: .*lexicon"):
        load_model(tmp_path / "a.model")
