"""The table of tasks: what a corpus, a model and a row of a report belong to."""

import pytest

from workbench.evaluation.report import model_row
from workbench.evaluation.task import TASKS, WordTask, find_task, task_of_row
from workbench.features.templates import find_templates
from workbench.models.memm import MEMM
from workbench.text.errors import InputError
from workbench.text.readers import read_corpus
from workbench.text.tasks import TaskName, check_same_task, task_of

FILES = {
    TaskName.CASE: ("a.txt", "He met Ann in Rome .\nNASA said so .\n"),
    TaskName.TAGS: ("a.tag", "He PRP\nran VBD\n\nAnn NNP\n"),
    TaskName.CHUNKS: ("a.iob", "He PRP B-NP\nran VBD B-VP\n. . O\n"),
}


@pytest.fixture(params=FILES, ids=lambda name: name.name)
def corpus(request, tmp_path):
    name, text = FILES[request.param]
    (tmp_path / name).write_text(text)
    return read_corpus(tmp_path / name), request.param


def test_a_corpus_its_model_and_their_scores_are_of_one_task(corpus):
    text, name = corpus
    task = find_task(text)
    assert task.name is name
    assert FILES[name][0].endswith(task.file_ends)
    model = MEMM.fit(text, task.templates, cutoff=0)
    assert find_task(model) is task
    row = model_row(text, "a", model, text.tags)
    assert task_of_row(row) is task
    assert all(0 <= column.value(row) <= 1 for column in task.columns if column.value(row))
    assert task.headline.value(row) == (1.0 if name is TaskName.CHUNKS else 0.0)
    if task.breakdown:
        assert row[task.breakdown[0]]


def test_a_model_recases_where_its_task_says_so(corpus):
    text, name = corpus
    model = MEMM.fit(text, TASKS[name].templates, cutoff=0)
    if TASKS[name].recases:
        assert model.recase("ann met nasa").lower() == "ann met nasa"
    else:
        with pytest.raises(InputError, match=f"a model of {name} has no case to restore"):
            model.recase("ann met nasa")


def test_every_task_is_in_the_table_with_templates_that_exist():
    assert set(TASKS) == set(TaskName)
    of_words = [task for task in TASKS.values() if isinstance(task, WordTask)]
    assert len(of_words) == 3
    assert all(find_templates(task.templates) for task in of_words)


def test_two_tasks_are_refused_by_name():
    check_same_task("a", TaskName.CASE, "b", TaskName.CASE)
    with pytest.raises(InputError, match="the task of a is case, of b chunks; both must"):
        check_same_task("a", TaskName.CASE, "b", TaskName.CHUNKS)


@pytest.mark.parametrize(
    ("names", "task"),
    [
        (("LOC", "CAP", "MXC", "AUC", "PNC"), TaskName.CASE),
        (("NN", "VB"), TaskName.TAGS),
        (("O", "B-NP", "I-NP"), TaskName.CHUNKS),
        (("O",), TaskName.CHUNKS),
    ],
)
def test_a_task_is_known_by_the_names_of_its_tags(names, task):
    assert task_of(names) is task
