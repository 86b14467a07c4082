"""``python -m benchmarks.studies``: what the papers leave open, as tables on given texts.

Texts and options are those of ``workbench tables``; each study may take minutes.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.studies import (
    background_sizes,
    iis_sweeps,
    transfer,
    unknown_word_errors,
    variance_choice,
)
from workbench.charts.paper_charts import save_charts
from workbench.cli.commands.report import add_study, print_tables, read_study
from workbench.cli.console import Progress, say
from workbench.experiments.papers.tables import make_table
from workbench.numerics.threads import set_threads
from workbench.text.errors import InputError

STUDIES = {
    spec.name: spec
    for spec in (
        iis_sweeps.SPEC, unknown_word_errors.SPEC, background_sizes.GRID, background_sizes.GAINS,
        transfer.SPEC, variance_choice.SPEC,
    )
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the tables of the named studies and print them."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.threads is not None:
        set_threads(options.threads)
    try:
        study = read_study(options)
        with Progress("studies") as progress:
            study.set_callbacks(progress.began, progress.step)
            tables = [make_table(STUDIES[name], study) for name in options.studies]
        print_tables(tables, study, options)
        if options.pictures and "transfer" in options.studies:
            rows = tables[options.studies.index("transfer")].rows
            (file,) = save_charts(
                "transfer", [transfer.draw_transfer(rows)], Path(options.pictures)
            )
            say(str(file))
    except InputError as error:
        parser.exit(1, f"{parser.prog}: {error}\n")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.studies", description=__doc__)
    known = "; ".join(f"{spec.name}, {spec.title}" for spec in STUDIES.values())
    parser.add_argument("studies", nargs="+", metavar="NAME", choices=list(STUDIES), help=known)
    add_study(parser)
    parser.set_defaults(default_of=parser.get_default)
    return parser


if __name__ == "__main__":
    main()
