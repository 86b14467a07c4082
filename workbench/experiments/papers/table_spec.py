"""The form of a table or figure of the papers: where it stands, its columns, how it is made."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workbench.evaluation.number_words import chance_in_words

PAPERS = {
    "CA04": "Chelba & Acero (2004)", "PN08": "Plank & van Noord (2008)",
    "CRF08": "Zhang, Qiu, Huang & Wu (2008)",
}  # fmt: skip
_FORMS: dict[str, Callable[[Any], str]] = {
    "count": "{:,}".format, "rate": "{:.2%}".format, "nats": "{:,.1f}".format,
    "number": "{:g}".format, "signed": "{:+.2f}".format, "chance": chance_in_words,
    "change": lambda change: f"{change:+.0%}" if round(100 * change) else "no change",
}  # fmt: skip


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

    ``make`` returns the rows and ``judge`` a sentence that compares them with the
    paper's. Columns that are empty in every row are not shown.
    """

    name: str
    paper: str
    place: str
    title: str
    columns: tuple[Column, ...]
    make: Callable[[Any], list[dict]]  # of a ``Study``, or of a ``CandidateStudy``
    judge: Callable[[list[dict]], str]

    @property
    def label(self) -> str:
        """Paper and place, in short."""
        return f"{self.paper} {self.place}"

    @property
    def source(self) -> str:
        """Paper and place, as a citation."""
        return f"{PAPERS[self.paper]}, {self.place}"


def make_spec(
    name: str, paper: str, place: str, title: str, make: Callable, judge: Callable,
    *columns: tuple[str, ...],
) -> TableSpec:  # fmt: skip
    """Return a ``TableSpec`` whose columns are given as the arguments of ``Column``."""
    return TableSpec(name, paper, place, title, tuple(Column(*c) for c in columns), make, judge)
