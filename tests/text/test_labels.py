"""Labelled words: files good and bad, columns, label inventories, models of them."""

import gzip
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_texts import NEWS, write
from seqeval.metrics.sequence_labeling import get_entities

from workbench.text.corpus import BOUNDARY, unite_labels
from workbench.text.errors import InputError
from workbench.text.labels import to_iob2
from workbench.text.readers import read_corpus
from workbench.text.sets.registry import find_data_set, known_data_sets, load
from workbench.text.tasks import TaskName

# --- files --------------------------------------------------------------------------------


def test_a_file_of_chunks_is_a_corpus_with_words_as_written(news):
    assert (news.name, len(news), news.n_sentences) == ("news", 15, 3)
    assert news.sentence(1) == ["He", "was", "widely", "expected"]
    assert [news.tag_names[t] for t in news.tags[:6]] == "B-NP B-PP B-NP I-NP B-VP O".split()
    assert news.tag_names == ("B-NP", "B-PP", "I-NP", "B-VP", "O", "I-VP")
    pos = news.columns["pos"]
    assert [pos.strings[i] for i in pos.ids[6:9]] == ["PRP", "VBD", "RB"]
    assert pos.strings[0] == news.words[0] == BOUNDARY
    assert {"The", "the", "May"} <= set(news.words)
    assert news.task is TaskName.CHUNKS


def test_files_may_be_gzipped_have_tabs_and_come_from_windows(news, tmp_path):
    path = tmp_path / "a.iob.gz"
    path.write_bytes(gzip.compress(NEWS.replace(" ", "\t").replace("\n", "\r\n").encode()))
    same = read_corpus(path)
    assert same.name == "a"
    assert same.fingerprint == news.fingerprint


def test_a_file_of_parts_of_speech_has_its_second_column_for_labels(labelled):
    corpus = read_corpus(labelled / "speech" / "us" / "dev.tag")
    assert corpus.tag_names == ("PRP", "VBD", ".", "VB")
    assert corpus.columns == {}
    assert corpus.starts.tolist() == [0, 3, 4]


def test_files_of_a_form_add_up(labelled):
    both = read_corpus([labelled / "news", labelled / "talk"])
    assert (both.name, len(both), both.n_sentences) == ("news+talk", 23, 5)
    assert both.tag_names[-1] == "B-ADVP"


# --- schemes of chunks --------------------------------------------------------------------

SCHEMES = {  # of the same chunks, sentence after sentence
    "IOB2": "B-NP I-NP B-NP B-VP O B-NP / B-PP B-NP I-NP I-NP O",
    "IOB1": "I-NP I-NP B-NP I-VP O I-NP / I-PP I-NP I-NP I-NP O",
    "IOBES": "B-NP E-NP S-NP S-VP O S-NP / S-PP B-NP I-NP E-NP O",
    "BILOU": "B-NP L-NP U-NP U-VP O U-NP / U-PP B-NP I-NP L-NP O",
}


def iob_file(path, labels):
    sentences = ["".join(f"w X {x}\n" for x in part.split()) for part in labels.split(" / ")]
    return write(path, "\n".join(sentences))


def labels_of(corpus):
    names = [corpus.tag_names[tag] for tag in corpus.tags]
    return [names[a:b] for a, b in pairwise(corpus.starts)]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_is_read_as_iob2(tmp_path, scheme):
    corpus = read_corpus(iob_file(tmp_path / "a.iob", SCHEMES[scheme]))
    same = [part.split() for part in SCHEMES["IOB2"].split(" / ")]
    assert labels_of(corpus) == same
    assert corpus.notes == ()


LETTERS = {"IOB2": "BI", "IOBES": "BIES", "BILOU": "BILU"}
KINDS_OF_CHUNKS = st.sampled_from(["NP", "VP"])


@settings(deadline=None)
@given(st.data(), st.sampled_from(list(LETTERS)))
def test_repaired_chunks_are_those_of_seqeval(data, scheme):
    label = st.builds("{}-{}".format, st.sampled_from(LETTERS[scheme]), KINDS_OF_CHUNKS)
    ending = {"IOB2": ["B-NP", "O", "B-NP"], "IOBES": ["S-NP"], "BILOU": ["U-NP"]}[scheme]
    labels = [*data.draw(st.lists(label | st.just("O"), max_size=12)), *ending]  # of no other
    repaired, _ = to_iob2(labels, [True] + [False] * (len(labels) - 1), refuse=None, repair=True)
    as_seqeval = [label.replace("L-", "E-").replace("U-", "S-") for label in labels]
    assert get_entities(repaired) == get_entities(as_seqeval)
    again = to_iob2(repaired, [True] + [False] * (len(labels) - 1), refuse=None)
    assert again == (repaired, 0)


@settings(deadline=None)
@given(st.lists(st.builds("{}-{}".format, st.sampled_from("BI"), KINDS_OF_CHUNKS), max_size=9))
def test_iob1_chunks_are_those_of_seqeval(labels):
    labels = [
        "I" + label[1:] if label[0] == "B" and before[2:] != label[2:] else label
        for before, label in pairwise(["O", *labels])
    ]  # in IOB1 a B- stands only after a chunk of its type
    converted, n_repaired = to_iob2(labels, [i == 0 for i in range(len(labels))], refuse=None)
    assert get_entities(converted) == get_entities(labels)
    assert n_repaired == 0


STRAY = {
    "B-NP I-VP / B-NP": "line 2: I-VP after B-NP",
    "B-NP O I-NP": "line 3: I-NP after O",
    "O B-NP / I-NP B-VP": "line 4: I-NP at the start",
    "S-NP E-NP": "line 2: E-NP after S-NP",
    "B-NP E-NP I-NP E-NP": "line 3: I-NP after E-NP",
    "U-NP / O L-NP": "line 4: L-NP after O",
}


@pytest.mark.parametrize(("labels", "message"), STRAY.items(), ids=STRAY.values())
def test_a_label_that_continues_no_chunk_is_refused_or_repaired(tmp_path, labels, message):
    path = iob_file(tmp_path / "tweets.iob", labels)
    with pytest.raises(InputError) as caught:
        read_corpus(path)
    assert str(caught.value).startswith(f"{path}: {message}; a chunk begins with B-")
    corpus = read_corpus(path, repair=True)
    assert corpus.notes == (f"{path}: chunks without a beginning, repaired: 1",)
    assert corpus.take([0]).notes == ()
    flat = [get_entities(one) for one in labels_of(corpus)]
    raw = [part.split() for part in labels.replace("L-", "E-").replace("U-", "S-").split(" / ")]
    assert flat == list(map(get_entities, raw))


STRUCTURED = {
    "CoNLL-2003": "-DOCSTART- -X- O\n\n{0}\n-DOCSTART- -X- O\n\n{1}",
    "CoNLL-U": "# newdoc id = a\n# text = He ran\n{0}\n# sent_id = 2\n# text = So it is\n{1}",
    "mark-up": '<doc id="a">\n<s>\n{0}</s>\n<s>\n{1}</s>\n</doc>\n',
    "blank lines at a bound": "{0}\n-DOCSTART- -X- O\n\n\n{1}",
}
OWN = ("# # B-NP\nran VBD O\n", "- : O\n< SYM B-NP\n")  # words that begin as structure does


@pytest.mark.parametrize("text", STRUCTURED.values(), ids=STRUCTURED)
def test_lines_of_structure_are_no_words(tmp_path, text):
    corpus = read_corpus(write(tmp_path / "a.IOB", text.format(*OWN)))
    assert [corpus.sentence(i) for i in range(corpus.n_sentences)] == [["#", "ran"], ["-", "<"]]


def test_files_of_one_corpus_may_have_schemes_of_their_own(tmp_path):
    for part, scheme in enumerate(SCHEMES):
        iob_file(tmp_path / f"part-{part}.iob", SCHEMES[scheme])
    corpus = read_corpus(sorted(tmp_path.glob("part-*")))
    assert labels_of(corpus)[:2] * len(SCHEMES) == labels_of(corpus)


def test_labelled_sets_are_registered(labelled, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA", str(labelled))
    labels = {data_set.name: data_set.task for data_set in known_data_sets()}
    assert (labels["news"], labels["speech/us"]) == ("chunks", "parts of speech")
    assert find_data_set("news").parts == ("train", "dev", "test")
    assert load("speech/us", "test").name == "speech/us"


# --- corpora ------------------------------------------------------------------------------


def test_labels_are_numbered_by_name_in_all_corpora(news, talk):
    one = talk.relabel(news.tag_names)
    assert one.tag_names == (*news.tag_names, "B-ADVP")
    before = [talk.tag_names[t] for t in talk.tags]
    assert [one.tag_names[t] for t in one.tags] == before
    assert news.relabel(news.tag_names) is news
    names = [corpus.tag_names for corpus in unite_labels(news, talk, news)]
    assert names == [(*news.tag_names, "B-ADVP")] * 3


def test_sentences_taken_keep_columns_and_the_fingerprint_depends_on_them(news, tmp_path):
    part = news.take(np.array([1, 2]))
    pos = part.columns["pos"]
    assert [pos.strings[i] for i in pos.ids] == "PRP VBD RB VBN DT NN VBD IN NNP".split()
    for old, new in (("DT", "XX"), ("B-PP", "B-XP")):
        path = write(tmp_path / "news.iob", NEWS.replace(old, new))
        assert read_corpus(path).fingerprint != news.fingerprint
