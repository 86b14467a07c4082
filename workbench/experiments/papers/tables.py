"""A table of the papers: columns, rows, ours beside the printed figures; as JSON and Markdown."""

import time
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

from workbench.annexes import find
from workbench.evaluation.number_words import chance_in_words, counted
from workbench.evaluation.significance import LEVEL, TOO_FEW
from workbench.experiments.method_rows import correct
from workbench.text.errors import InputError
from workbench.text.sets.overlap import why_no_verdict
from workbench.text.tasks import TaskName

PRINTED = tomllib.loads(Path(__file__).with_name("papers.toml").read_text("utf-8"))  # by paper
_FORMS: dict[str, Callable[[Any], str]] = {
    "count": "{:,}".format, "rate": "{:.2%}".format, "nats": "{:,.1f}".format,
    "number": "{:g}".format, "signed": "{:+.2f}".format, "chance": chance_in_words,
    "change": lambda change: f"{change:+.0%}" if round(100 * change) else "no change",
}  # fmt: skip
_GAIN, _LOSS = "gain is significant", "loss is significant"
_NO_ROWS = "These texts give no row: their labels are others, or their sentences too few."


@dataclass(frozen=True)
class Column:
    """One column of a table.

    ``kind`` is "text", "count", "rate", "change", "nats", "number", "signed" (two digits after
    the point) or "chance"; rates and changes are fractions, shown in per cent.
    """

    key: str
    heading: str
    kind: str = "text"

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers, aligned to the right."""
        return self.kind != "text"

    @property
    def full_heading(self) -> str:
        """The heading with its unit."""
        return f"{self.heading}, %" if self.kind in {"rate", "change"} else self.heading

    def text(self, value: Any) -> str:
        """Return a value as text, a dash for None."""
        if value is None:
            return "-"
        return _FORMS[self.kind](value).removesuffix("%") if self.is_number else str(value)


@dataclass(frozen=True)
class TableSpec:
    """How one of the papers' tables or figures is made, such as ``CA04``, ``table 1``.

    ``make`` returns the rows. Columns that are empty in every row are not shown.
    """

    name: str
    paper: str
    place: str
    title: str
    columns: tuple[Column, ...]
    make: Callable[[Any], Iterable[dict]]  # of a ``Study``, or an annex's
    is_of_test: bool = True  # whether it measures on test text

    @property
    def label(self) -> str:
        """Paper and place, in short."""
        return f"{self.paper} {self.place}"

    @property
    def source(self) -> str:
        """Paper and place, as a citation."""
        return f"{PRINTED[self.paper]['authors']}, {self.place}"

    @property
    def note(self) -> str:
        """What the paper finds; "" for a table that it has not."""
        return PRINTED[self.paper]["notes"].get(self.name, "")

    @property
    def tests(self) -> list[str]:
        """The keys of the p-values of its paired tests."""
        return [column.key for column in self.columns if column.kind == "chance"]


def make_spec(
    name: str, paper: str, place: str, title: str, make: Callable, *columns: tuple[str, ...],
    is_of_test: bool = True,
) -> TableSpec:  # fmt: skip
    """Return a ``TableSpec`` whose columns are given as the arguments of ``Column``."""
    made = tuple(Column(*column) for column in columns)
    return TableSpec(name, paper, place, title, made, make, is_of_test)


@dataclass(frozen=True, eq=False)
class Table:
    """One table or figure that was made, with what its tests show and what the paper finds.

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
        """The p-values of its paired tests, corrected."""
        found = [row.get(key) for row in self.rows for key in self.spec.tests]
        return [p for p in found if p is not None]

    def to_markdown(self) -> list[str]:
        """Return it as lines of Markdown."""
        heading = f"### {self.spec.source}: {self.spec.title}"
        told = [self.sentence] if self.sentence else []
        return [heading, "", *(self._lines() if self.rows else ()), *told]

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


# --- the tables by name -------------------------------------------------------------------

# Modules with ``TABLE_SPECS``, loaded when asked for: they import this one.
_OF_CASE, _OF_LABELS = ("ca04", "pn08", "crf08"), ("crf08",)


@cache
def all_specs(task: str = TaskName.CASE) -> dict[str, TableSpec]:
    """Return the specs of the tables that can be made on texts of a task, by name.

    Those of an annex's task are an entry of its ``TABLES``.
    """
    specs = find("TABLES", task)
    if specs is None:
        modules = _OF_CASE if task is TaskName.CASE else _OF_LABELS
        found = [import_module(f"{__package__}.{name}") for name in modules]
        specs = [spec for module in found for spec in module.TABLE_SPECS]
    return {spec.name: spec for spec in specs}


def find_table_specs(
    names: Sequence[str] = (), task: str = TaskName.CASE
) -> list[TableSpec]:  # fmt: skip
    """Return the specs of the named tables, in their order, as they are made on texts of a task.

    All for no name. InputError if a name is unknown, or its table cannot be made on such texts.
    """
    known = all_specs(task)
    if unknown := [name for name in names if name not in known]:
        raise InputError(f"table {unknown[0]!r}: known for {task} are {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names or known)]


def find_specs_of(task: str, lacking: Collection[str] = ()) -> list[TableSpec]:
    """Return the specs of the tables that have rows for texts of a task.

    And that need nothing of what the background is ``lacking``, as in ``find_lacking``.
    """
    without_rows = "crf08-2" if task is TaskName.CASE else "crf08-4"  # of chunks; of capitals
    specs = [spec for spec in find_table_specs(task=task) if spec.name != without_rows]
    if not lacking:
        return specs
    of_models = {"4", "5", "figure1"} | ({"6"} if "1-gram" not in lacking else set())
    return [spec for spec in specs if spec.name in of_models]


# --- made and judged ----------------------------------------------------------------------


def make_tables(study: Any, names: Sequence[str] = ()) -> Iterator[Table]:
    """Yield one ``Table`` after the other of a study; names as in ``find_table_specs``."""
    for spec in find_table_specs(names, study.text.task):
        yield make_table(spec, study)


def make_table(spec: TableSpec, study: Any) -> Table:
    """Return one ``Table`` of a study, its p-values and verdicts corrected for their number."""
    study.report(f"{spec.source}: {spec.title}")
    began = time.perf_counter()
    rows = list(spec.make(study))
    correct(rows, {key: _beside(key, "says") for key in spec.tests})
    return judge_table(spec, study, rows, time.perf_counter() - began)


def judge_table(spec: TableSpec, study: Any, rows: list[dict], seconds: float) -> Table:
    """Return the ``Table`` of rows; where texts share too much, no tests and verdicts but why."""
    if not (why := why_no_verdict(study.shared)):
        told = _tell_tests(spec, rows) if rows else _NO_ROWS
        return Table(spec, rows, " ".join(filter(None, (told, spec.note))), seconds)
    tests = {key for p in spec.tests for key in (p, _beside(p, "says"))}
    rows = [row | dict.fromkeys(row.keys() & tests) for row in rows]
    return Table(spec, rows, f"{why}.", seconds)


def _beside(key, what):
    """Return the key of what stands beside a p-value: ``says_target`` for ``p_target``."""
    return what.join(key.rsplit("p", 1)) if key.endswith("_p") else key.replace("p", what, 1)


def _tell_tests(spec, rows):
    """Say how many tests show a gain and a loss, and the largest of each; "" without a test."""
    tests = [(row, key) for row in rows for key in spec.tests if row.get(key) is not None]
    if not tests:
        return ""
    verdicts = [row[_beside(key, "says")] for row, key in tests]
    n = Counter(verdicts)
    says = f"Significant gain in {_tell_gains(spec, tests)}, significant loss in {n[_LOSS]}"
    says += f"; {TOO_FEW} in {n[TOO_FEW]}." if n[TOO_FEW] else "."
    for verdict, name in ((_GAIN, "gain"), (_LOSS, "loss")):
        of_it = [test for test, own in zip(tests, verdicts, strict=True) if own == verdict]
        says += _tell_largest(spec, name, of_it)
    return says


def _tell_gains(spec, tests):
    """Say how many tests show a gain, of each column where there is more than one or a base."""
    found: dict[str, list[bool]] = {}
    for row, key in tests:
        heading = next(column.heading for column in spec.columns if column.key == key)
        found.setdefault(heading, []).append(row[_beside(key, "says")] == _GAIN)
    of = {
        f" (column “{name}”)" if len(found) > 1 or "against" in name else "": own
        for name, own in found.items()
    }
    return " and ".join(
        f"{sum(own)} of {counted(len(own), 'tests')}{where}" for where, own in of.items()
    )


def _tell_largest(spec, what, tests):
    """Say which effect is the largest of those that are told with their interval."""
    told = [(row, key) for row, key in tests if row.get(_beside(key, "told"))]
    if not told:
        return ""
    row, key = max(told, key=lambda test: abs(test[0][_beside(test[1], "change")] or 0))
    places = takewhile(lambda column: column.kind in {"text", "number"}, spec.columns)
    where = "; ".join(f"{c.heading} {c.text(row[c.key])}" for c in places if row.get(c.key))
    return f" The largest {what}: {row[_beside(key, 'told')]}, {where}."


def to_markdown(tables: Sequence[Table], study: Any) -> list[str]:
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
