"""Models of labels: templates over columns, learning, labels that two texts do not share."""

import numpy as np
import pytest

from workbench.adaptation.methods.map import MapAdaptation, adapt
from workbench.experiments.tuning import Tuning
from workbench.features.context_packing import pack_contexts
from workbench.features.distinct_events import pack_events
from workbench.features.templates import TEMPLATE_SETS, find_templates, predicates_of
from workbench.models.adapter import save_adapter
from workbench.models.crf import CRF
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.corpus import BOUNDARY, Corpus
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus
from workbench.text.tasks import TaskName

KINDS = [MEMM, CRF]


@pytest.mark.parametrize("name", ["chunk", "pos", "ca04"])
@pytest.mark.parametrize("pack", [pack_contexts, pack_events])
def test_rows_say_what_the_plain_road_says(news, name, pack):
    templates = find_templates([t for t in TEMPLATE_SETS[name] if not t.startswith("t-1")])
    contexts = pack(news, templates)
    fillers_of = {t.name: f for f in contexts.fillers for t in f.slot.templates}
    strings = {id(f): list(f.strings(contexts.words)) for f in contexts.fillers}
    seen = set()
    for rows in contexts.rows:
        found = []
        for template in templates:
            fillers = fillers_of[template.name]
            row = rows[contexts.fillers.index(fillers)] - fillers.first_row
            values = template.values_of(strings[id(fillers)][row])
            found += [f"{template.name}={value}" for value in values]
        seen.add(tuple(found))
    pos = [news.columns["pos"].strings[i] for i in news.columns["pos"].ids]
    plain = set()
    for a, b in zip(news.starts, news.starts[1:], strict=False):
        words = [news.words[w] for w in news.word_ids[a:b]]
        for i in range(b - a):
            plain.add(tuple(predicates_of(templates, words, i, (), pos=pos[a:b])))
    assert seen == plain


def test_predicates_of_columns_read_like_words():
    templates = find_templates(["pos-1,pos0", "pos+2"])
    found = predicates_of(templates, ["He", "ran"], 0, (), pos=["PRP", "VBD"])
    assert found == [f"pos-1,pos0={BOUNDARY},PRP", f"pos+2={BOUNDARY}"]


def test_a_column_that_is_not_there_is_named(labelled):
    speech = read_corpus(labelled / "speech" / "us")
    with pytest.raises(InputError, match="us: no column pos, which the templates read"):
        CRF.fit(speech, "chunk", cutoff=0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["news", "speech/us"])
def test_labels_are_learned(labelled, kind, name, tmp_path):
    corpus = read_corpus(labelled / name)
    model = kind.fit(corpus, "pos" if "speech" in name else "chunk", cutoff=0)
    assert model.tag_names == corpus.tag_names
    np.testing.assert_array_equal(model.tag(corpus), corpus.tags)
    model.save(tmp_path / "a.model")
    np.testing.assert_array_equal(load_model(tmp_path / "a.model").tag(corpus), corpus.tags)
    np.testing.assert_allclose(model.probabilities(corpus).sum(axis=1), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_of_a_texts_labels_does_not_matter(news, kind):
    model = kind.fit(news, "chunk", cutoff=0)
    turned = news.relabel(news.tag_names[::-1])
    np.testing.assert_array_equal(model.tag(turned), news.tags)
    texts = {"dev": turned}
    assert Tuning(model, turned, texts).at(1.0).wrong["dev"] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_both_texts_are_united(news, talk, kind, tmp_path):
    background = kind.fit(news, "chunk", cutoff=0)
    model = adapt(background, talk, 10.0)
    assert model.tag_names == (*news.tag_names, "B-ADVP")
    assert [model.tag_names[t] for t in model.tag(talk)] == [talk.tag_names[t] for t in talk.tags]
    background.save(tmp_path / "background.model")
    save_adapter(model, background, tmp_path / "background.model", tmp_path / "small.model")
    loaded = load_model(tmp_path / "small.model")
    assert loaded.tag_names == model.tag_names
    np.testing.assert_array_equal(loaded.weights, model.weights)


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_both_texts_stay_at_a_higher_cutoff(news, talk, kind):
    background = kind.fit(news, "chunk", cutoff=0)
    higher = background.adaptation_problem(talk).raise_cutoff(2).problem
    anew = background.adaptation_problem(talk, 2)
    assert higher.features.names() == anew.features.names()
    assert (higher.features.exists == anew.features.exists).all()
    assert (higher.background_weights == anew.background_weights).all()


@pytest.mark.parametrize("kind", KINDS)
def test_sigma2_near_zero_keeps_the_backgrounds_labels(news, kind):
    background = kind.fit(news, "chunk", cutoff=0)
    model = adapt(background, news.take(np.array([2])), 1e-9)
    np.testing.assert_array_equal(model.tag(news), background.tag(news))


def test_case_and_labels_do_not_mix(news, background, adaptation_corpus):
    labelled = CRF.fit(news, ["currentword", "t-1"], cutoff=0)
    with pytest.raises(
        InputError, match="task of broadcast is case, of the background news chunks"
    ):
        MapAdaptation(labelled, adaptation_corpus)
    with pytest.raises(InputError, match=r"task of news is chunks, of the background .* case;"):
        MapAdaptation(background, news)
    with pytest.raises(InputError, match="news: a 1gram is of case, not of chunks"):
        Unigram.fit(news)
    with pytest.raises(InputError, match="no case to restore"):
        labelled.recase("he ran")


def test_capitalizers_are_as_before(background_corpus):
    same = Corpus.from_sentences([background_corpus.sentence(0)])
    assert same.task is TaskName.CASE
    assert same.require_cased() is same
    assert same.columns == {}
