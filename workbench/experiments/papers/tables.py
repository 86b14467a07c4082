"""The papers' tables and figures on any texts: made one after the other, as JSON and Markdown."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from workbench.experiments.method_rows import LEVEL, correct
from workbench.experiments.papers import ca04, crf08, pn08, pn08_amounts, pn08_candidates
from workbench.experiments.papers.study import Study
from workbench.experiments.papers.table_spec import Column, TableSpec
from workbench.experiments.studies import (
    background_sizes,
    iis_sweeps,
    transfer,
    unknown_word_errors,
    variance_choice,
)
from workbench.text.errors import InputError
from workbench.text.sets.overlap import why_no_verdict
from workbench.text.tasks import TaskName

TABLE_SPECS = {
    spec.name: spec for module in (ca04, pn08, pn08_amounts, crf08) for spec in module.TABLE_SPECS
}
_STUDIES = (
    iis_sweeps.SPEC, unknown_word_errors.SPEC, background_sizes.GRID, background_sizes.GAINS,
    transfer.SPEC, variance_choice.SPEC,
)  # fmt: skip
STUDY_SPECS = {spec.name: spec for spec in _STUDIES}
KNOWN_SPECS = TABLE_SPECS | STUDY_SPECS
CANDIDATE_SPECS = {
    spec.name: spec for spec in (*pn08_candidates.TABLE_SPECS, *pn08_amounts.TABLE_SPECS)
}
_LABEL_SPECS = {spec.name: spec for spec in crf08.TABLE_SPECS}
_KNOWN = {TaskName.CASE: KNOWN_SPECS, TaskName.CANDIDATES: CANDIDATE_SPECS}


@dataclass(frozen=True, eq=False)
class Table:
    """One table or figure that was made, with a sentence that compares it with the paper's.

    A row has a value for each column's key: rates as fractions, None for the undefined.
    """

    spec: TableSpec
    rows: list[dict]
    sentence: str
    seconds: float = field(compare=False)

    def to_json(self) -> dict:
        """Return it as a dict of JSON values."""
        spec = self.spec
        return {
            "name": spec.name, "source": spec.source, "title": spec.title,
            "columns": [asdict(column) for column in self.columns], "rows": self.rows,
            "sentence": self.sentence, "seconds": self.seconds,
        }  # fmt: skip

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are not empty in every row."""
        filled = {key for row in self.rows for key, value in row.items() if value is not None}
        return tuple(column for column in self.spec.columns if column.key in filled)

    @property
    def p_values(self) -> list[float]:
        """The p-values of its paired tests, corrected: of the columns that hold chances."""
        keys = [column.key for column in self.spec.columns if column.kind == "chance"]
        found = [row.get(key) for row in self.rows for key in keys]
        return [p for p in found if p is not None]

    def to_markdown(self) -> list[str]:
        """Return it as lines of Markdown."""
        heading = f"### {self.spec.source}: {self.spec.title}"
        return [heading, "", *(self._lines() if self.rows else ()), self.sentence]

    def _lines(self):
        table = [[column.full_heading for column in self.columns]]
        table += [[c.text(row.get(c.key)) for c in self.columns] for row in self.rows]
        widths = [max(3, *map(len, column)) for column in zip(*table, strict=True)]
        marks = ["-" * (w - 1) + ":" if c.is_number else "-" * w
                 for c, w in zip(self.columns, widths, strict=True)]  # fmt: skip
        return [*(self._line(cells, widths) for cells in [table[0], marks, *table[1:]]), ""]

    def _line(self, cells, widths):
        parts = zip(cells, widths, self.columns, strict=True)
        aligned = [cell.rjust(w) if c.is_number else cell.ljust(w) for cell, w, c in parts]
        return f"| {' | '.join(aligned)} |"


def find_table_specs(
    names: Sequence[str] = (), task: TaskName = TaskName.CASE
) -> list[TableSpec]:  # fmt: skip
    """Return the specs of the named tables, in their order, as they are made on texts of a task.

    For no name all that are the papers' own; the studies beside them take longer.

    Raises
    ------
    InputError
        If a name is unknown, or its table cannot be made on such texts.
    """
    known = _KNOWN.get(task, _LABEL_SPECS)
    if unknown := [name for name in names if name not in known]:
        raise InputError(f"table {unknown[0]!r}: known for {task} are {', '.join(known)}")
    own = TABLE_SPECS if task is TaskName.CASE else known
    return [known[name] for name in dict.fromkeys(names or own)]


def find_specs_of(task: TaskName) -> list[TableSpec]:
    """Return the specs of the papers' own tables that have rows for texts of a task."""
    without_rows = "crf08-2" if task is TaskName.CASE else "crf08-4"  # of chunks; of capitals
    return [spec for spec in find_table_specs(task=task) if spec.name != without_rows]


def make_tables(study: Any, names: Sequence[str] = ()) -> Iterator[Table]:
    """Yield one ``Table`` after the other of a study; names as in ``find_table_specs``."""
    for spec in find_table_specs(names, study.text.task):
        yield make_table(spec, study)


def make_table(spec: TableSpec, study: Any) -> Table:
    """Return one ``Table`` of a study, its p-values and verdicts corrected for their number."""
    study.report(f"{spec.source}: {spec.title}")
    began = time.perf_counter()
    rows = spec.make(study)
    chances = [column.key for column in spec.columns if column.kind == "chance"]
    correct(rows, {key: key.replace("p", "says", 1) for key in chances})
    return judge_table(spec, study, rows, time.perf_counter() - began)


def judge_table(spec: TableSpec, study: Any, rows: list[dict], seconds: float) -> Table:
    """Return the ``Table`` of rows; where texts share too much, no tests and verdicts but why."""
    if not (why := why_no_verdict(study.shared)):
        return Table(spec, rows, spec.judge(rows), seconds)
    tests = [c.key for c in spec.columns if c.kind == "chance" or c.key.startswith("says")]
    rows = [row | dict.fromkeys(row.keys() & set(tests)) for row in rows]
    return Table(spec, rows, f"{why}.", seconds)


def to_markdown(tables: Sequence[Table], study: Study) -> list[str]:
    """Return lines of Markdown: what tables are made of, the tables, and their tests."""
    lines = [study.describe()]
    for table in tables:
        lines += ["", *table.to_markdown()]
    if not (found := [p for table in tables for p in table.p_values]):
        return lines
    return [*lines, "",
        f"Paired tests here: {len(found)}; p-values and verdicts are corrected for the number of "
        f"tests in a table (Holm), {sum(p < LEVEL for p in found)} of them are below 5 %."
    ]  # fmt: skip
