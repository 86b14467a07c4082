"""Studies of candidate sets as tasks: the same results here and on a cluster, and kept."""

from dataclasses import replace

import pytest
from candidate_oracle import write_domains
from study_runners import timeless

from workbench.adaptation.method import Split
from workbench.candidates.comparison import CandidateBench, compare_on_candidates
from workbench.candidates.files import read_candidates
from workbench.candidates.learning import DEFAULTS, Learning
from workbench.candidates.model import CandidateModel
from workbench.candidates.pn08 import CandidateStudy, make_candidate_tables
from workbench.experiments.papers.tables import make_tables
from workbench.experiments.split_tasks import SplitStudy, compare_by_tasks
from workbench.experiments.task_runner import TaskRunner

pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture
def sets(tmp_path):
    """Candidate sets of a background and, by part, of a domain."""
    write_domains(tmp_path)
    parts = {part: read_candidates(tmp_path / "domain", part) for part in ("train", "dev", "test")}
    return read_candidates(tmp_path / "general"), parts


def test_a_comparison_on_candidates_is_that_of_one_loop(sets, runner_of):
    background, domain = sets
    options = DEFAULTS | {"learning": Learning("gold", most_candidates=3)}
    split = Split(background, domain["train"], domain["dev"], options, CandidateModel)
    names, study = (
        ["background", "target", "map"],
        SplitStudy(split, domain["test"], None, CandidateBench),
    )
    found = compare_by_tasks(study, names, runner_of(study, keeps=True))
    assert timeless(found) == timeless(compare_on_candidates(split, domain["test"], names))
    begun = []
    runner = TaskRunner(study, keeps=True, on_task=begun.append)
    assert compare_by_tasks(study, names, runner) == found
    assert begun == []


def test_tables_of_candidates_are_those_of_one_loop(sets, runner_of):
    background, domain = sets
    names = ["pn08-4", "pn08-weight"]

    def study():
        return CandidateStudy(background, {"domain": domain["test"]}, DEFAULTS)

    found = make_candidate_tables(own := study(), names, runner_of(own))
    expected = make_tables(study(), names)
    assert [(t.spec, t.rows, t.sentence) for t in found] == [
        (t.spec, t.rows, t.sentence) for t in expected
    ]
    assert all(table.seconds > 0 for table in found)


def test_what_is_kept_of_candidates_is_of_the_same_counts_and_documents(sets):
    own, _ = sets
    others = [
        replace(own, documents=["a"] * own.n_sentences),
        replace(own, counts={name: counts + 1 for name, counts in own.counts.items()}),
    ]
    prints = {each.study_fingerprint for each in (own, *others)}
    assert len(prints) == 3
    assert {each.fingerprint for each in others} == {own.fingerprint}
