"""The papers' tables on candidate sets as tasks: one for each system on each domain.

Tables that compare systems share what these select; each other table is a task of its own.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

from workbench.experiments.papers.pn08_candidates import COMPARISONS, CandidateStudy
from workbench.experiments.papers.tables import Table, find_table_specs, judge_table, make_table
from workbench.experiments.task_runner import Task, TaskRunner
from workbench.experiments.tasks.table_study import make_rows
from workbench.text.tasks import TaskName


def make_candidate_tables(
    study: CandidateStudy, names: Sequence[str], runner: TaskRunner
) -> list[Table]:
    """Return the tables of ``make_tables``, in their order."""
    specs, key = find_table_specs(names, TaskName.CANDIDATES), study.key
    systems = {spec.name: _systems_of(study, spec.name) for spec in specs}
    pairs = dict.fromkeys(pair for own in systems.values() for pair in own)
    tasks = [Task(" on ".join(pair[::-1]), [key, *pair], select_by_folds, pair) for pair in pairs]
    tasks += [
        Task(spec.label, [key, spec.name], make_rows, (spec.name,))
        for spec in specs
        if not systems[spec.name]
    ]
    if runner.is_shared and not all(map(runner.is_kept, tasks)):  # else two would train the same
        list(runner.run([Task("background", key, train_background)]))
    made = {task.arguments: result for task, result in runner.run(tasks)}
    for domain, method in pairs:
        study.add(domain, method, made[domain, method]["chosen"])
    return [_table_of(study, spec, systems[spec.name], made) for spec in specs]


def _systems_of(study, name):
    """Return the domains and methods of a table that compares systems; none for another."""
    methods = COMPARISONS[name].systems if name in COMPARISONS else ()
    return [(domain, method) for domain in study.domains for method in methods]


def _table_of(study, spec, pairs, made):
    """Return a table of what was made by tasks, with the seconds that these took."""
    if pairs:
        table = make_table(spec, study)
        return replace(table, seconds=table.seconds + sum(made[p]["seconds"] for p in pairs))
    found = made[spec.name,]
    return judge_table(spec, study, found["rows"], found["seconds"])


def train_background(study: CandidateStudy) -> dict:
    """Train the background's model, which the cache then has."""
    return {"features": study.model.info["features"]}


def select_by_folds(study: CandidateStudy, domain: str, method: str) -> dict:
    """Return the candidates that a method selects in a domain, and the seconds that it took."""
    began = time.perf_counter()
    chosen = study.select(domain, method).chosen.tolist()
    return {"chosen": chosen, "seconds": time.perf_counter() - began}
