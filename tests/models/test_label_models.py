"""Models of labels: templates over columns, learning, labels that two texts do not share."""

from itertools import product

import numpy as np
import pytest
from labelled_texts import NEWS, TALK, write

from workbench.adaptation.adaptation import Adaptation, adapt
from workbench.adaptation.method import Sources, Split
from workbench.adaptation.methods.hierarchy import Hierarchy
from workbench.experiments import search as adaptation_search
from workbench.experiments.backgrounds import Background, split_of_model
from workbench.experiments.compare import compare
from workbench.experiments.gradient_search import choose_template_variances, search_by_gradient
from workbench.experiments.search import choose_training_sigma2
from workbench.features.events import pack_events
from workbench.features.packing import pack_contexts
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
    np.testing.assert_array_equal(model.tag(turned), turned.tags)
    texts = {"dev": turned}
    assert Adaptation(model, turned, texts=texts).at(1.0).wrong["dev"] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_both_texts_are_united_at_any_cutoff_and_kept_at_sigma2_near_zero(
    news, kind, talk, tmp_path
):
    background = kind.fit(news, "chunk", cutoff=0)
    model = adapt(background, talk, 10.0)
    assert model.tag_names == (*news.tag_names, "B-ADVP")
    np.testing.assert_array_equal(model.tag(talk), talk.tags)
    found = model.best_tags(talk)
    assert [model.tag_names[t] for t in found] == [talk.tag_names[t] for t in talk.tags]
    background.save(tmp_path / "background.model")
    save_adapter(model, background, tmp_path / "background.model", tmp_path / "small.model")
    loaded = load_model(tmp_path / "small.model")
    assert loaded.tag_names == model.tag_names
    np.testing.assert_array_equal(loaded.weights, model.weights)
    higher = background.adaptation_problem(talk).raise_cutoff(2).problem
    anew = background.adaptation_problem(talk, 2)
    assert higher.features.names() == anew.features.names()
    assert (higher.features.exists == anew.features.exists).all()
    assert (higher.background_weights == anew.background_weights).all()
    model = adapt(background, news.take(np.array([2])), 1e-9)
    np.testing.assert_array_equal(model.tag(news), background.tag(news))


def _split(model, *texts, **options):
    return Split(*texts, {"templates": "chunk", "cutoff": 0, "sigma2": 5.0}, type(model), **options)


def _search_hierarchy(model, news, train, dev):
    sources = Sources(_split(model, news, train, dev, begins=(1,)), lambda *_: model)
    return search_by_gradient([(Hierarchy(sources), dev)]).n_wrong


def _compare(model, news, train, dev):
    names = ("background", "map", "pred")[: 3 if isinstance(model, MEMM) else 2]
    rows = compare(_split(model, news, train, dev), dev, names)["models"]
    return [row["error_rate"] for row in rows] + [row["chunks"]["f1"] for row in rows]


def _compare_with_model(model, _, train, dev):
    split, (test,) = split_of_model(Background(model, None, None), train, dev, dev)
    names = ("background", "map", "linint")[: 3 if isinstance(model, MEMM) else 2]
    return [row["error_rate"] for row in compare(split, test, names)["models"]]


SEARCHES = {  # errors, or what else comes of comparing labels
    "sigma2": lambda model, _, *texts: adaptation_search.choose_sigma2(model, *texts)[1],
    "folds": lambda model, _, train, dev: adaptation_search.choose_sigma2(model, train)[1],
    "variances": lambda model, _, *texts: adaptation_search.choose_variances(model, *texts)[1],
    "alpha": lambda model, _, *texts: adaptation_search.choose_alpha(model, *texts)[1],
    "by template": lambda model, _, *texts: choose_template_variances(model, *texts)[1],
    "hierarchy": _search_hierarchy,
    "training": lambda model, news, _, dev: choose_training_sigma2(
        model.training_problem(news, "chunk", 0), dev)[1],
    "compare": _compare,
    "compare with a model": _compare_with_model,
}  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), [*product(SEARCHES, KINDS)])
def test_labels_are_compared_by_name(tmp_path, news, name, kind):
    """However a text numbers them; a label that the model lacks is an error."""
    train = read_corpus(write(tmp_path / "talk.iob", "\n".join([TALK] * 3)))
    dev = read_corpus(write(tmp_path / "dev.iob", f"Well UH B-INTJ\n\n{TALK}\n{NEWS}"))
    kind = MEMM if name == "alpha" else kind  # no CRF has that prior
    model, names, search = kind.fit(news, "chunk", 0), (*news.tag_names, "B-ADVP"), SEARCHES[name]
    assert len({news.tag_names, train.tag_names, dev.tag_names, names}) == 4
    by_hand = search(model, news, train.relabel(names), dev.relabel(names))
    assert search(model, news, train, dev) == pytest.approx(by_hand, abs=1e-3)


def test_held_out_text_of_other_labels_alone_is_refused(tmp_path, news, talk):
    dev = read_corpus(write(tmp_path / "dev.iob", "Well UH B-INTJ\n"))
    with pytest.raises(InputError, match="sentence with known labels alone; known: B-NP, B-PP,"):
        choose_template_variances(MEMM.fit(news, "chunk", cutoff=0), talk, dev)


def test_case_and_labels_do_not_mix(news, background, adaptation_corpus):
    labelled = CRF.fit(news, ["currentword", "t-1"], cutoff=0)
    with pytest.raises(
        InputError, match="task of broadcast is case, of the background news chunks"
    ):
        Adaptation(labelled, adaptation_corpus)
    with pytest.raises(InputError, match=r"task of news is chunks, of the background .* case;"):
        Adaptation(background, news)
    with pytest.raises(InputError, match="news: a 1gram learns case, not chunks"):
        Unigram.fit(news)
    with pytest.raises(InputError, match="no case to restore"):
        labelled.recase("he ran")


def test_a_text_of_case_has_no_columns_of_labels(background_corpus):
    same = Corpus.from_sentences([background_corpus.sentence(0)])
    assert same.task is TaskName.CASE
    assert same.require_cased() is same
    assert same.columns == {}
