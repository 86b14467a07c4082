"""The papers' tables as tasks, here or on a cluster: one for each background and each table."""

from collections.abc import Sequence
from typing import Any

from workbench.experiments.papers.study import Study
from workbench.experiments.papers.tables import Table, find_table_specs, judge_table, make_table
from workbench.experiments.task_runner import Task, TaskRunner


def make_tables_by_tasks(study: Study, names: Sequence[str], runner: TaskRunner) -> list[Table]:
    """Return the tables of ``make_tables``, in their order."""
    specs, key = find_table_specs(names, study.text.task), study.key
    tasks = [Task(spec.label, [key, spec.name], make_rows, (spec.name,)) for spec in specs]
    if runner.is_shared and not all(map(runner.is_kept, tasks)):  # else two would train the same
        parts = range(len(study.parts)) if any(spec.paper == "CA04" for spec in specs) else [-1]
        trained = [Task("background", [key, part], train_memm, (part,)) for part in parts]
        if any(spec.paper == "CRF08" for spec in specs):
            trained.append(Task("crf", key, train_crf))
        list(runner.run(trained))
    made = {task.arguments[0]: result for task, result in runner.run(tasks)}
    return [
        judge_table(spec, study, found["rows"], found["seconds"])
        for spec in specs
        for found in [made[spec.name]]
    ]


def train_memm(study: Study, part: int) -> dict:
    """Train the MEMM of a part of the background, which the cache then has."""
    return {"features": len(study.memm(part).features)}


def train_crf(study: Study) -> dict:
    """Train the CRF of the background, which the cache then has."""
    return {"features": len(study.crf().features)}


def make_rows(study: Any, name: str) -> dict:
    """Return the rows of a table, and the seconds that they took."""
    (spec,) = find_table_specs([name], study.text.task)
    table = make_table(spec, study)
    return {"rows": table.rows, "seconds": table.seconds}
