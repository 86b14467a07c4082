"""The project's path; tiny corpora, a model of one, a place for commands, the papers' tables."""

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command_texts import write_texts
from table_rows import OPTIONS
from tiny_data import ADAPTATION, BACKGROUND, write_data_sets

sys.path.insert(0, str(Path(__file__).parents[1]))

from workbench.models.memm import MEMM
from workbench.numerics.threads import set_threads
from workbench.text.corpus import Corpus
from workbench.text.readers import read_corpus
from workbench.text.sets import storage

pytest_plugins = [
    "browser_pages",
    "labelled_texts",
    "method_sources",
    "study_runners",
    "tiny_sessions",
]  # fixtures of several files

if "PYTEST_XDIST_WORKER" in os.environ:  # the cores are shared out among processes
    set_threads(1)

# Files whose tests are all slow: processes, browsers, notebooks, whole trainings. Some mark a few.
SLOW = {
    "test_accessibility", "test_annexes", "test_api_pages", "test_as_python", "test_benchmarks",
    "test_browser_charts", "test_browser_page", "test_browser_scrub", "test_browser_words",
    "test_candidate_browser", "test_candidate_tasks", "test_chain", "test_chain_hessian",
    "test_chain_sums", "test_cli", "test_cluster", "test_commands_recase", "test_compare",
    "test_envelope", "test_faults", "test_fuzz", "test_jit", "test_live", "test_newcomer",
    "test_nltk_sets", "test_notebooks", "test_report_browser", "test_scrub_mounting",
    "test_scrub_state", "test_service_process", "test_studies", "test_tables", "test_threads",
    "test_training", "test_view_candidates", "test_view_compare", "test_view_labels",
    "test_view_lessons", "test_view_papers", "test_view_sources", "test_view_words", "test_views",
    "test_widget_browser",
}  # fmt: skip


def pytest_collection_modifyitems(items):
    """Mark the tests of slow files and put them first, so that two processes end together."""
    items.sort(key=lambda item: item.path.stem not in SLOW)
    for item in items:
        if item.path.stem in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True, scope="module")
def main_module():
    """Streamlit's tester leaves its script as the main module, which Dask's workers would run."""
    known = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = known


PAPER_SENTENCE = (
    "PrimeTime continues on ABC .PERIOD Now ,COMMA from Los Angeles ,COMMA Diane Sawyer .PERIOD"
)


def _corpus(text, name):
    return Corpus.from_sentences([line.split() for line in text.split("\n")], name)


@pytest.fixture(scope="session")
def paper_sentence():
    """The sample of CA04, section 2, as a list of words."""
    return PAPER_SENTENCE.split()


@pytest.fixture(scope="session")
def background_corpus():
    """Sixty sentences of newswire."""
    return _corpus(BACKGROUND, "newswire")


@pytest.fixture(scope="session")
def adaptation_corpus():
    """Twenty-six sentences of another domain."""
    return _corpus(ADAPTATION, "broadcast")


@pytest.fixture(scope="session")
def few_sentences(background_corpus):
    """Nine sentences of the background, small enough for dense oracles; one has one word."""
    return background_corpus.take(np.array([0, 4, 6, 8, 10, 12, 20, 57, 60]))


@pytest.fixture(scope="session")
def background(background_corpus):
    """The background MEMM with every feature, fitted as far as doubles allow."""
    return MEMM.fit(background_corpus, cutoff=0, sigma2=5.0, tolerance=1e-12)


@pytest.fixture(scope="session")
def random_model(background):
    """A model whose tags are wild, so that each tag meets each kind of word."""
    weights = np.random.default_rng(7).normal(size=background.weights.shape)
    return replace(background, weights=5 * weights * background.features.exists)


@pytest.fixture
def rng():
    """A random stream of the test's own."""
    return np.random.default_rng(2004)


# --- the app ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Tiny data sets, and a place for trained backgrounds that is not the project's."""
    from streamlit import cache_data, cache_resource  # here, as few tests need it

    folder = tmp_path_factory.mktemp("data")
    write_data_sets(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_DATA", str(folder))
        patch.setenv("WORKBENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(storage, "DATA", folder / "none")
        # Streamlit's tester would wait for the map, which is left to idle time: a test in the
        # browser sees it filled.
        patch.setattr("workbench.views.tune.page.idle_points", lambda *_: [])
        patch.setattr("workbench.views.controls.may_test", lambda *_: True)  # a test presses it
        patch.setattr("workbench.views.private._LOADING", 0)  # no browser fetches a sheet here
        cache_data.clear()
        cache_resource.clear()  # what was looked up in another folder counts for some seconds
        yield folder
    cache_data.clear()


# --- commands -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def place(tmp_path_factory, background_corpus, unigram, adaptation_parts):
    """A folder with a background text, a domain in three parts, and models of the background."""
    folder = tmp_path_factory.mktemp("commands")
    write_texts(folder, background_corpus, adaptation_parts)
    MEMM.fit(read_corpus(folder / "news.txt"), cutoff=0, sigma2=5.0, tolerance=1e-12).save(
        folder / "news.model"
    )
    unigram.save(folder / "1gram")
    return folder


@pytest.fixture(autouse=True)
def _closed_pipes():
    """Make a write to a closed pipe an error, though commands that ran here have it end them."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """No data sets but the embedded ones."""
    monkeypatch.setattr(storage, "DATA", tmp_path / "absent")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "cache"))
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)


@pytest.fixture
def run(outside, capfd):
    """Run a command; returns exit status, standard output and standard error."""
    from workbench.cli.main import main  # here, as few tests need all that commands import

    def _run(*arguments):
        status = main([str(argument) for argument in arguments])
        output, message = capfd.readouterr()
        return status, output, message

    return _run


@pytest.fixture
def output(tmp_path):
    """Where a model would go, in a folder of its own."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "new.model"


@pytest.fixture
def refuse(run, output):
    """Run a command that must fail in one line; returns that line."""

    def _refuse(*arguments):
        status, printed, message = run(*arguments)
        assert (status, printed, list(output.parent.iterdir())) == (1, "", [])
        assert message.startswith("workbench: ")
        assert message.count("\n") == 1
        return message

    return _refuse


# --- the papers' tables -------------------------------------------------------------------


@pytest.fixture(scope="session")
def domains(adaptation_parts):
    """Two domains of three parts."""
    turned = zip(adaptation_parts, list(adaptation_parts.values())[::-1], strict=True)
    return {"talk": adaptation_parts, "bn-abc": dict(turned)}


@pytest.fixture(scope="session")
def in_domain(few_sentences):
    """Few sentences as one, which the background has not."""
    return replace(few_sentences, starts=few_sentences.starts[[0, -1]])


@pytest.fixture(scope="session")
def made(background_corpus, domains, in_domain):
    """All tables by name, the study that they were made from, and the lines reported meanwhile."""
    from workbench.experiments import backgrounds
    from workbench.experiments.papers import study, tables

    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backgrounds, "model_folder", lambda: None)
        texts = background_corpus, domains, in_domain, [200, 350]
        of = study.Study(*texts, OPTIONS, lines.append)
        return {table.spec.name: table for table in tables.make_tables(of)}, of, lines


@pytest.fixture
def tables(made):
    """The papers' tables on tiny texts, by name."""
    return made[0]


@pytest.fixture
def study(made):
    """What the tables were made from; its models are trained."""
    return made[1]


@pytest.fixture
def lines(made):
    """What was reported while the tables were made."""
    return made[2]
