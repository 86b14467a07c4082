"""The k best recasings as candidates: what is said of each, and who reranks them."""

import json

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.experiments.exploring.candidates.candidate_sources import load_candidates
from workbench.experiments.reranking import measure_reranker, train_reranker
from workbench.features.candidates.whole_sentence import describe_casing
from workbench.models.candidates.recasings import LOG_PROBABILITY, propose_recasings
from workbench.models.kinds import load_model
from workbench.text.casing import Tag
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus

WORDS = "“ mr. rome met the bank of rome in rome .".split()
TAGS = [Tag.PNC, Tag.CAP, Tag.CAP, 0, 0, Tag.CAP, 0, Tag.CAP, 0, 0, Tag.PNC]


def test_a_sentence_is_described_as_a_whole():
    assert describe_casing(WORDS, TAGS) == {
        "same=alike": 1, "same=unlike": 2, "run=2": 1, "run=1": 2, "inside=of": 1,
        "after=“ CAP": 1, "after=title CAP": 1, "first=PNC": 1, "last=LOC": 1,
    }  # fmt: skip


def test_candidates_are_the_best_paths_with_their_words_right(background, few_sentences):
    proposed = propose_recasings(background, few_sentences, 4)
    sets, paths = proposed.sets, background.best_paths(few_sentences, 4)
    logs = sets.value_of(LOG_PROBABILITY)
    for s in range(few_sentences.n_sentences):
        own = slice(sets.sentence_starts[s], sets.sentence_starts[s + 1])
        first, end = few_sentences.starts[s : s + 2]
        tags, gold = paths.tags[:, first:end], few_sentences.tags[first:end]
        there = np.isfinite(paths.log_probabilities[:, s])
        assert logs[own] == pytest.approx(paths.log_probabilities[there, s], rel=1e-6)
        right = [int((row == gold).sum()) for row in tags[there]]
        assert sets.counts["matched"][own].tolist() == right
        assert sets.quality[own] == pytest.approx(np.divide(right, end - first))
    firsts = proposed.tags_of(sets.sentence_starts[:-1])
    assert (firsts == background.tag(few_sentences)).all()
    wrong = (firsts != few_sentences.tags).sum()
    assert sets.count_wrong(sets.sentence_starts[:-1]) == pytest.approx(
        wrong / len(few_sentences) * few_sentences.n_sentences
    )


def test_a_reranker_is_learnt_by_folds_and_measured(background, adaptation_parts):
    reranker = train_reranker(background, adaptation_parts["train"], adaptation_parts["dev"], k=5)
    test = adaptation_parts["test"]
    row = measure_reranker(reranker, test)
    assert row["after"] == (reranker.tag(test) != test.tags).mean()
    assert row["before"] == (reranker.tagger.tag(test) != test.tags).mean()
    assert row["oracle"] <= min(row["before"], row["after"])
    changed = (row["before"] - row["after"]) * len(test)
    assert row["fixed"] - row["broken"] == pytest.approx(changed)


def test_a_reranker_is_made_kept_and_used_by_commands(
    background, adaptation_parts, tmp_path, capsys
):
    background.save(tmp_path / "b.model")
    for name, corpus in adaptation_parts.items():
        lines = (" ".join(corpus.sentence(s)) for s in range(corpus.n_sentences))
        (tmp_path / f"{name}.txt").write_text("\n".join(lines))
    train, dev, model = (str(tmp_path / name) for name in ("train.txt", "dev.txt", "r.model"))
    words = ["adapt", str(tmp_path / "b.model"), train, "-o", model, "--rerank", "--sigma2", "1"]
    assert main(words) == 1
    assert "--dev TEXT is needed" in capsys.readouterr().err
    assert main([*words, "--dev", dev, "--force"]) == 0
    assert "reranking changes" in capsys.readouterr().err
    reranker, test = load_model(model), adaptation_parts["test"]
    assert (reranker.kind, reranker.k) == ("reranked", 10)
    proposed = propose_recasings(reranker.tagger, test, 10)
    tags = reranker.tag(test)
    assert (tags == proposed.tags_of(reranker.model.tag(proposed.sets))).all()
    allowed = np.ones((len(test), len(Tag)), bool)
    allowed[0, tags[0]] = False  # so its sentence is the tagger's, the others stay
    forced, of_first = reranker.tag(test, allowed), test.sentence_ids == 0
    assert (forced[~of_first] == tags[~of_first]).all()
    assert (forced[of_first] == reranker.tagger.tag(test, allowed)[of_first]).all()
    text = "see http://x.org/Abc in new york ."
    assert reranker.recase(text).lower() == text.lower()
    assert "http://x.org/Abc" in reranker.recase(text)
    assert main(["evaluate", str(tmp_path / "b.model"), model, "--test", dev, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["models"][1]
    held = read_corpus(dev)
    assert shown["error_rate"] == (reranker.tag(held) != held.tags).mean()


def test_recasings_of_the_embedded_text_are_always_there():
    sets = load_candidates("altair-docs-recasings", "dev")
    assert len(sets.strings) == len(sets)
    first = [sets.strings[start] for start in sets.sentence_starts[:-1]]
    assert [text.lower() for text in first] == [text.lower() for text in sets.sentences]
    gold = [sets.sentences[s] for s in sets.sentence_ids]
    right = np.array([text == own for text, own in zip(sets.strings, gold, strict=True)])
    # Not always 1 and less than 1: a wrong tag may not be seen, a mixed form be guessed wrongly.
    assert sets.quality[right].mean() > 0.94 > sets.quality[~right].mean()
    assert any(name.startswith("word=") for name in sets.feature_names)
    with pytest.raises(InputError, match="only a background"):
        load_candidates("scientific-docs-recasings", "dev")
    with pytest.raises(InputError, match="no candidate sets of that name; here are"):
        load_candidates("none", "dev")
