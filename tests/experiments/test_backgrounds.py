"""Background models are trained once for each text and kept; a bad file only costs time."""

import pytest

from workbench.experiments import backgrounds
from workbench.experiments.backgrounds import find_background
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.settings import BACKGROUND
from workbench.text.canonical import view
from workbench.text.errors import InputError


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The folder that models are kept in."""
    folder = tmp_path / "models"
    folder.mkdir()
    monkeypatch.setattr(backgrounds, "model_folder", lambda: folder)
    return folder


@pytest.fixture
def trained(monkeypatch):
    """The names of the corpora that a MEMM was trained on, as it happens."""
    names, fit = [], MEMM.fit

    def noted(corpus, *arguments, **options):
        names.append(corpus.name)
        return fit(corpus, *arguments, **options)

    monkeypatch.setattr(MEMM, "fit", noted)
    return names


@pytest.fixture
def news(tmp_path, background_corpus):
    path = tmp_path / "news.txt"
    lines = [" ".join(background_corpus.sentence(i)) for i in range(background_corpus.n_sentences)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_memm_a_baseline_and_word_counts_are_found_and_only_whole_models_kept(kept, news):
    memm, unigram, _ = find_background(str(news))
    assert (type(memm), type(unigram)) == (MEMM, Unigram)
    assert memm.info["text"] == unigram.info["text"]
    counts = find_background(str(news)).word_counts
    words = view(news.read_text().lower()).text.split()
    assert counts == {word: words.count(word) for word in words}
    find_background(str(news))
    assert [path.suffix for path in kept.iterdir()] == [".model", ".model"]


def test_the_second_time_nothing_is_trained(kept, trained, news, background_corpus):
    first, baseline, _ = find_background(str(news))
    second, same_baseline, _ = find_background(str(news))
    assert trained == ["news"]
    assert (second.tag(background_corpus) == first.tag(background_corpus)).all()
    assert (second.weights == first.weights).all()
    assert same_baseline.tag_of_word == baseline.tag_of_word


def test_another_text_and_other_options_are_trained_on_their_own(kept, trained, news, monkeypatch):
    find_background(str(news))
    news.write_text(news.read_text() + "Rome is in Italy .\n")
    find_background(str(news))
    assert len(trained) == 2
    monkeypatch.setitem(BACKGROUND, "cutoff", 2)
    assert find_background(str(news))[0].info["cutoff"] == 2
    assert len(trained) == 3


def test_templates_are_known_by_what_they_are_not_by_how_they_are_said(kept, trained, news):
    for templates in ("ca04", "ca04 +shape -shape", "ca04 +shape"):
        find_background(str(news), options=BACKGROUND | {"templates": templates})
    assert len(trained) == 2


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"", bytes.upper]
)
def test_a_damaged_file_is_replaced(kept, trained, news, damage):
    find_background(str(news))
    for path in kept.iterdir():
        path.write_bytes(damage(path.read_bytes()))
    find_background(str(news))
    assert len(trained) == 2
    find_background(str(news))
    assert len(trained) == 2


def test_a_folder_that_takes_no_file_costs_nothing_but_time(kept, trained, news):
    kept.rmdir()
    kept.write_text("a file where the folder was")
    assert find_background(str(news))[0].info["words"] == 500
    assert find_background(str(news))[0].info["words"] == 500
    assert len(trained) == 2


def test_no_folder_at_all_costs_nothing_but_time(monkeypatch, trained, news):
    monkeypatch.setattr(backgrounds, "model_folder", lambda: None)
    find_background(str(news))
    find_background(str(news))
    assert len(trained) == 2


def test_training_reports_its_steps(kept, news):
    steps = []
    find_background(str(news), steps.append)
    assert steps[0].iteration == 0
    steps.clear()
    find_background(str(news), steps.append)
    assert steps == []


def test_text_without_case_is_refused(kept, tmp_path):
    (tmp_path / "lower.txt").write_text("no case here .\n")
    with pytest.raises(InputError, match="lower: no capital letter"):
        find_background(str(tmp_path / "lower.txt"))


def test_an_interrupted_training_keeps_nothing(kept, news):
    def interrupt(step):
        if step.iteration == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        find_background(str(news), interrupt)
    assert list(kept.iterdir()) == []
