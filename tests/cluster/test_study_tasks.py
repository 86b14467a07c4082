"""Studies as tasks: the same results here and on a cluster, kept, and gone on with."""

import json

import pytest
from study_runners import timeless

from workbench.adaptation.method import Split
from workbench.experiments.ablation import Ablation
from workbench.experiments.compare import compare
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import make_tables
from workbench.experiments.split_tasks import (
    SplitStudy,
    ablate_by_tasks,
    compare_by_tasks,
    sweep_by_tasks,
)
from workbench.experiments.surface import sweep
from workbench.experiments.table_tasks import make_tables_by_tasks
from workbench.experiments.task_runner import Task, TaskRunner
from workbench.models.memm import MEMM
from workbench.text.errors import InputError

OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}
METHODS = ["1-gram", "background", "map", "target"]

pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture
def study(background_corpus, adaptation_parts):
    train, dev, test = (adaptation_parts[part] for part in ("train", "dev", "test"))
    return SplitStudy(Split(background_corpus, train, dev, OPTIONS), test)


def test_a_comparison_is_that_of_one_loop(study, runner_of):
    found = compare_by_tasks(study, METHODS, runner_of(study))
    assert timeless(found) == timeless(compare(study.split, study.test, METHODS))
    assert all(row["fit_seconds"] > 0 for row in found["models"])


def test_a_sweep_is_that_of_one_loop(study, runner_of):
    grid, points = ([0.1, 1.0], [0, None]), []
    rates, table = sweep_by_tasks(study, *grid, runner_of(study), lambda *n: points.append(n))
    background = MEMM.fit(study.split.background, **OPTIONS)
    expected = sweep(background, study.split.adaptation, study.texts, *grid)
    assert table.columns.tolist() == expected.columns.tolist()
    errors = [column for column in table if column.endswith("error_rate")]
    exact = ["cutoff", "sigma2", "new_features", "free_weights", *errors]
    assert table[exact].equals(expected[exact])
    assert points == [(1, 4), (2, 4), (3, 4), (4, 4)]
    wrong = background.tag(study.test) != study.test.tags
    assert rates["test_error_rate"] == wrong.mean()


def test_an_ablation_is_that_of_one_loop(study, runner_of):
    split = study.split
    templates = OPTIONS | {"templates": "currentword t-1 shape"}
    few = Split(split.background, split.adaptation, split.dev, templates)
    found = ablate_by_tasks(
        SplitStudy(few), "without", None, runner_of(few_study := SplitStudy(few))
    )
    assert few_study.split is few
    list((alone := Ablation(few)).run())
    assert timeless(found) == timeless(alone.to_json())


def test_tables_are_those_of_one_loop(background_corpus, domains, few_sentences, runner_of):
    texts, names = (background_corpus, domains, few_sentences, [200]), ["1", "6", "crf08-2"]
    study = Study(*texts, OPTIONS)
    found = make_tables_by_tasks(study, names, runner_of(study))
    expected = make_tables(Study(*texts, OPTIONS), names)
    assert [(t.spec, t.rows, t.sentence) for t in found] == [
        (t.spec, t.rows, t.sentence) for t in expected
    ]


def test_a_study_that_was_stopped_goes_on(study):
    begun, again = [], []

    def stop(name):
        begun.append(name)
        if name == "map":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        compare_by_tasks(study, METHODS, TaskRunner(study, keeps=True, on_task=stop))
    assert begun == ["background", "1-gram", "background", "map"]
    runner = TaskRunner(study, keeps=True, on_task=again.append)
    found = compare_by_tasks(study, METHODS, runner)
    assert again == ["map", "target"]
    assert timeless(found) == timeless(compare(study.split, study.test, METHODS))
    assert found == compare_by_tasks(study, METHODS, TaskRunner(study, keeps=True))


def test_what_is_kept_is_of_the_same_texts_and_options(study):
    list(TaskRunner(study, keeps=True).run(tasks := [study.task("a", _note, "map")]))
    split = study.split
    others = [
        SplitStudy(Split(split.background, split.adaptation, split.dev, OPTIONS | {"cutoff": 2})),
        SplitStudy(split, split.dev),
    ]
    assert TaskRunner(study, keeps=True).is_kept(tasks[0])
    for other in others:
        assert not TaskRunner(other, keeps=True).is_kept(other.task("a", _note, "map"))


@pytest.mark.parametrize("damage", ["cut", "changed", "empty", "no text"])
def test_a_damaged_result_is_computed_again(cache, damage):
    task, calls = Task("a", 1, _note, ("x",)), []
    list(TaskRunner(calls, keeps=True).run([task]))
    (file,) = cache.iterdir()
    data = file.read_bytes()
    damaged = {
        "cut": data[:-3],
        "changed": data.replace(b"x", b"y"),
        "empty": b"",
        "no text": b"\xff",
    }
    file.write_bytes(damaged[damage])
    assert [done.result for done in TaskRunner(calls, keeps=True).run([task])] == [{"noted": "x"}]
    assert calls == ["x", "x"]
    assert file.read_bytes() == data


def _note(calls, name):
    calls.append(name) if isinstance(calls, list) else None
    return {"noted": name}


def _fail(_, why):
    raise InputError(why)


def test_a_mistake_is_told_as_it_is(runner_of):
    with pytest.raises(InputError, match=r"^no capitals$"):
        list(runner_of(None).run([Task("a", 1, _fail, ("no capitals",))]))


def test_results_are_plain_json(study, cache):
    compare_by_tasks(study, ["map"], TaskRunner(study, keeps=True))
    for file in cache.iterdir():
        json.loads(file.read_text().partition("\n")[2])
