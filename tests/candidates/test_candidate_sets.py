"""Files of candidate sets are read as they are, and packed without loss; bad lines are named."""

import gzip

import candidate_oracle as oracle
import numpy as np
import pytest

from workbench.candidates import files
from workbench.candidates.files import is_candidate_source, read_all_parts, read_candidates
from workbench.candidates.learning import TARGETS, sample_informative, target_shares
from workbench.candidates.likelihood import RelativeValues
from workbench.text.errors import InputError


def plain(sets):
    """The sets as lists of (quality, {number: value}, counts)."""
    names, found = [int(name) for name in sets.feature_names], []
    for first, end in zip(sets.sentence_starts, sets.sentence_starts[1:], strict=False):
        candidates = []
        for c in range(first, end):
            part = slice(sets.starts[c], sets.starts[c + 1])
            numbers = [names[f] for f in sets.features[part]]
            features = dict(zip(numbers, sets.values[part].tolist(), strict=True))
            counts = [int(own[c]) for own in sets.counts.values()]
            candidates.append((sets.quality[c], features, *counts))
        found.append(candidates)
    return found


@pytest.fixture
def sentences(rng):
    return oracle.draw_sentences(rng, 40)


def test_what_is_written_is_read(sentences, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_BLOCK", 100)  # many blocks
    path = oracle.write_svmlight(tmp_path / "train.svm", sentences)
    packed = tmp_path / "packed" / "train.svm.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert plain(read_candidates(path)) == sentences
    assert plain(read_candidates(packed.parent)) == sentences
    assert read_candidates(packed.parent).name == "packed"
    assert read_candidates(path).fingerprint == read_candidates(packed).fingerprint


def test_spaces_comments_and_empty_lines_do_not_matter(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text(
        "# made by hand\n\n 1   qid:3\t2:0.5  7:-1e0 \r\n0 qid:3 # worst\n.5 qid:4 2:+1"
    )
    sets = read_candidates(path)
    assert plain(sets) == [[(1, {2: 0.5, 7: -1}), (0, {})], [(0.5, {2: 1})]]


def test_features_have_the_names_of_the_file_beside_them(tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "dev.svm").write_text("1 qid:1 3:1 9:1\n")
    (tmp_path / "features.txt").write_text("9\tw=nine\n3\tthree\n")
    sets = read_candidates(folder, "dev")
    assert [sets.feature_names[f] for f in sets.features] == ["three", "w=nine"]
    assert sets.value_of("w=nine").tolist() == [1] != sets.value_of("unknown").tolist()
    (tmp_path / "features.txt").write_text("9\tw=nine\n")
    with pytest.raises(InputError, match="feature 3 has no name"):
        read_candidates(folder, "dev")


def test_files_are_joined_by_the_names_of_features(tmp_path):
    (tmp_path / "a.svm").write_text("1 qid:1 3:1 9:2\n")
    (tmp_path / "b.svm").write_text("1 qid:1 9:4\n0 qid:1 1:5\n")
    sets = read_candidates([tmp_path / "a.svm", tmp_path / "b.svm"])
    assert plain(sets) == [[(1, {3: 1, 9: 2})], [(1, {9: 4}), (0, {1: 5})]]


def test_sentences_have_the_documents_of_the_file_beside_them(tmp_path):
    (tmp_path / "train.svm").write_text("1 qid:7 3:1\n1 qid:3 3:1\n")
    beside = tmp_path / "train.sentences.txt"
    beside.write_text("3\tb\tHe left .\n7\ta\n8\tc\n")
    (tmp_path / "test.svm").write_text("1 qid:9 4:1\n")
    assert read_candidates(tmp_path).documents == ("a", "b")
    assert read_candidates(tmp_path).take(np.array([1])).documents == ("b",)
    assert (len(read_all_parts(tmp_path)), read_all_parts(tmp_path).documents) == (3, ())
    for text, says in (("3\tb\n", "no document of sentence 7"), ("3 b\n", "line 1: '<sentence>")):
        beside.write_text(text)
        with pytest.raises(InputError, match=says):
            read_candidates(tmp_path)


def test_event_files_of_tadm_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_BLOCK", 12)
    (tmp_path / "train.events").write_text("2\n0.25 2 0 1 7 0.5\n0.75 0\n\n1\n1 1 0 -1\n")
    sets = read_candidates(tmp_path)
    assert plain(sets) == [[(0.25, {0: 1, 7: 0.5}), (0.75, {})], [(1, {0: -1})]]


BAD = {
    "a.svm": {
        "1 qid:1 3:1\n1 3:1": (2, "needed"),
        "1 qid:1 3:1\n\nx qid:1 3:1": (3, "needed"),
        "1 qid:1 3:1 4": (1, "needed"),
        "1 qid:1 3:1.5.2": (1, "needed"),
        "1 qid:1 3:": (1, "needed"),
        "1 qid:1 3:nan": (1, "finite"),
        "1 qid:1 5 3:1": (1, "needed"),
        "1.0 3:4": (1, "needed"),
        "1 qid:1 3:1\n1 qid:1 4:1 3:1": (2, "ascend"),
        "1 qid:1 3:1 3:1": (1, "ascend"),
        "1 qid:1 0:1": (1, "whole numbers from 1"),
        "1 qid:1 2.5:1": (1, "whole numbers from 1"),
        "1 qid:1.5 2:1": (1, "whole numbers"),
        "1 qid:1 1:1\n1 qid:2 1:1\n1 qid:1 1:1": (3, "qid 1 again"),
        "1 qid:1 1:1 # 1 2 3\n1 qid:1 1:1 # 1 2": (2, "3 counts"),
        "1 qid:1 1:1 # 1 2 3\n1 qid:1 1:1 # 1 2 x": (2, "3 counts"),
    },
    "a.events": {
        "1 1 3 1": (1, "number of a sentence's candidates"),
        "1\n1 1 3": (2, "pairs"),
        "1\n1 2 3 1": (2, "pairs"),
        "2\n1 1 3 1\n1\n": (3, "a candidate is needed"),
        "2\n1 1 3 1\n": (3, "1 more"),
        "0\n": (1, "1 or more"),
        "1\n1 2 3 1 3 1": (2, "once"),
        "1\n1 1 x 1": (2, "needed"),
    },
}


@pytest.mark.parametrize(
    ("name", "text", "line", "says"),
    [(name, text, *told) for name, cases in BAD.items() for text, told in cases.items()],
)
def test_a_bad_line_is_named(name, text, line, says, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=f"{name}: line {line}: .*{says}") as error:
        read_candidates(path)
    assert "\n" not in str(error.value)


def test_what_is_no_candidate_set_is_refused(tmp_path):
    (tmp_path / "train.txt").write_text("A text .\n")
    assert not is_candidate_source(tmp_path)
    assert not is_candidate_source(tmp_path / "none")
    for place, says in ((tmp_path, "train.svm"), (tmp_path / "x.svm", "no such"),
                        (tmp_path / "train.txt", "no candidate sets")):  # fmt: skip
        with pytest.raises(InputError, match=says):
            read_candidates(place)
    (tmp_path / "e.svm").write_text("\n# nothing\n")
    with pytest.raises(InputError, match="no candidates"):
        read_candidates(tmp_path / "e.svm")


def test_sentences_are_taken_in_any_order(sentences, tmp_path):
    sets = oracle.read_sentences(tmp_path / "a.svm", sentences)
    assert plain(sets.take(np.array([7, 0, 3]))) == [sentences[i] for i in (7, 0, 3)]


def test_values_are_relative_to_the_first_candidate(sentences, tmp_path):
    """A run is the values of a feature in a sentence that it divides, and there is no other."""
    sets = oracle.read_sentences(tmp_path / "a.svm", sentences)
    values, told = RelativeValues.of(sets), oracle.count_discriminating(sentences)
    numbers = [int(name) for name in sets.feature_names]
    assert values.count_sentences().tolist() == [told[number] for number in numbers]
    table = values.matrix.toarray()
    for s, candidates in enumerate(sentences):
        given = np.array([[f.get(n, 0.0) for n in numbers] for _, f, *_ in candidates])
        assert (table[slice(*sets.sentence_starts[s : s + 2])] == given - given[0]).all()
    ids = sets.sentence_ids[values.matrix.indices]
    for own in np.split(ids, values.run_starts[1:-1]):
        assert len(set(own.tolist())) == 1
    some = values.take(np.array([2, 0]))
    assert (some.matrix.toarray() == table[:, [2, 0]]).all()


@pytest.mark.parametrize("target", TARGETS)
def test_targets_are_the_obvious_ones(target, sentences, tmp_path):
    sentences = [*sentences, [(0.0, {1: 1.0}, 0, 1, 1, 0, 1), (0.0, {2: 1.0}, 0, 1, 1, 0, 1)]]
    sets = oracle.read_sentences(tmp_path / "a.svm", sentences)
    wanted = [share for candidates in sentences for share in oracle.shares(candidates, target)]
    assert target_shares(sets, target) == pytest.approx(wanted)


def test_informative_samples_hold_the_best_and_all_qualities(tmp_path):
    qualities = [0.5, 1.0, 0.98, 0.97, 0.0, 0.96, 0.5, 1.0]
    sets = oracle.read_sentences(
        tmp_path / "a.svm", [[(q, {1: 1.0}) for q in qualities], [(0.1, {1: 1.0})]]
    )
    assert sample_informative(sets, 3).quality.tolist() == [0.5, 1.0, 0.98, 0.1]
    assert sample_informative(sets, 4).quality.tolist() == [0.5, 1.0, 0.98, 0.0, 0.1]
    assert sample_informative(sets, 9).quality.tolist() == [*qualities, 0.1]
    with pytest.raises(InputError, match="2 or more"):
        sample_informative(sets, 1)
    with pytest.raises(InputError, match="target 'best': known are uniform, gold"):
        target_shares(sets, "best")


def test_figures_of_a_selection_are_those_of_its_counts(sentences, tmp_path, rng):
    sets = oracle.read_sentences(tmp_path / "a.svm", sentences)
    chosen = [int(rng.integers(len(candidates))) for candidates in sentences]
    places = sets.sentence_starts[:-1] + chosen
    f1 = oracle.bracket_f1(sentences, chosen)
    assert sets.quality_terms.ratio(sets.shares_of(places)) == pytest.approx(f1)
    assert sets.count_wrong(places) == pytest.approx((1 - f1) * len(sentences))
    right = sum(candidates[i][5] for candidates, i in zip(sentences, chosen, strict=True))
    accuracy = sets.dependency_terms.ratio(sets.shares_of(places))
    assert accuracy == pytest.approx(right / (6 * len(sentences)))
    bare = [[candidate[:2] for candidate in candidates] for candidates in sentences]
    without = oracle.read_sentences(tmp_path / "b.svm", bare)
    mean = np.mean([candidates[i][0] for candidates, i in zip(sentences, chosen, strict=True)])
    assert without.quality_terms.ratio(without.shares_of(places)) == pytest.approx(mean)
    assert without.dependency_terms is None
