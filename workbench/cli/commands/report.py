"""``report`` and ``tables``: a session as one page, and the papers' tables and figures.

What can be refused at once is refused before any text is read or model trained.
"""

import math
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.cli import inputs
from workbench.cli.console import (
    Progress,
    as_json,
    check_output,
    print_json,
    print_lines,
    say,
    write_to,
)
from workbench.cli.options import (
    add_experiment,
    add_split,
    check_background,
    check_count,
    check_new_cutoff,
    check_new_strength,
)
from workbench.cli.result_text import per_cent
from workbench.experiments.backgrounds import (
    Background,
    adapt_background,
    background_of_split,
    baseline_of,
    count_words,
    read_levels,
)
from workbench.experiments.papers.study import Study, growing_amounts
from workbench.experiments.papers.tables import Table, all_specs, find_table_specs, to_markdown
from workbench.experiments.repeat import Source
from workbench.experiments.session import Session
from workbench.experiments.surface import fill_paths
from workbench.experiments.table_tasks import make_tables_by_tasks
from workbench.experiments.task_runner import open_runner
from workbench.scrub.report import N_EXPLAINED, report_html, write_report
from workbench.settings import LESSONS, SETTINGS, SIGMA2_GRID, Settings
from workbench.text.errors import InputError
from workbench.text.incoming import STANDARD_STREAM

# fmt: off


def add_report(parser: ArgumentParser) -> None:
    """Add the options of ``report``."""
    add_split(parser, with_test=False, takes_model=True)
    parser.add_argument("--test", metavar="TEXT", help="test text, to report the errors on, too")
    parser.add_argument("--sigma2", default="auto", metavar="X",
        help=f"variance that the slider starts at and that is explained, one of its stops from "
        f"{min(SIGMA2_GRID):g} to {max(SIGMA2_GRID):g}; auto (default) takes the one with the "
        "fewest errors on dev")
    parser.add_argument("--cutoff", default=str(SETTINGS["cutoff"].default), metavar="N,M,...",
        help="cutoffs of new features that are in the page, the first of them reported "
        "(default %(default)s, adds all; none adds none)")
    parser.add_argument("--levels", default="", metavar="TEXT:X,...",
        help="texts between background and domain, each with the variance of the step "
        "to it, as in wsj:1,ted:0.3: the background is adapted to them first, in this order")
    parser.add_argument("--explained", type=int, default=N_EXPLAINED, metavar="N",
        help="how many of the words that changed can be asked why (default %(default)s); "
        "7 kB each")
    parser.add_argument("--lesson", default="", choices=LESSONS, metavar="NAME",
        help=f"a lesson above the slider, one of {', '.join(LESSONS)}")
    parser.add_argument("-o", "--output", required=True, metavar="FILE",
        help="page to write, such as lesson.html; - is standard output")
    add_experiment(parser)


def add_study(parser: ArgumentParser) -> None:
    """Add the texts that tables are made of, and where these are written."""
    parser.add_argument("--background", nargs="+", metavar="TEXT", required=True,
        help="background text; of several, models are trained on the first, the first two, ...")
    parser.add_argument("--adapt", nargs="+", metavar="TEXT", required=True,
        help="data sets with train, dev and test, each a domain of its own")
    parser.add_argument("--in-domain", metavar="TEXT",
        help="test text of the background's kind (default: that of the background's data set)")
    parser.add_argument("--amounts", metavar="N,M,...",
        help="words of the background to train on, besides all of it (default: as its texts add "
        "up, of one text 10 and 17.5 %%, the paper's shares)")
    parser.add_argument("-o", "--output", default="-", metavar="FILE",
        help="write there, not to standard output")
    parser.add_argument("--pictures", metavar="FOLDER",
        help="draw the tables that have charts, too, as SVG in a folder")
    add_experiment(parser)


def add_tables(parser: ArgumentParser) -> None:
    """Add the options of ``tables``."""
    known = "; ".join(f"{spec.name}, {spec.title}" for spec in all_specs().values())
    parser.add_argument("--only", default="", metavar="A,B,...", help=f"some of: {known}")
    add_study(parser)
# fmt: on


def _open_session(options):
    """Return the session of a split; without test text dev stands in for it, and is not shown."""
    levels = read_levels(options.levels)
    parts = ["test"] if options.test else []
    if found := inputs.find_model(options):
        train, *held = inputs.read_parts(options, *parts)
    else:
        found, (train, *held) = _train_background(options, parts)
    steps = [(inputs.read_texts([text], "train", options), sigma2) for text, sigma2 in levels]
    with Progress("levels"):
        found = adapt_background(found, steps)
    corpora = {"train": train, "dev": held[0], "test": held[-1]}
    return Session(found.model, found.unigram, corpora, found.word_counts, found.is_model)


def _train_background(options, parts):
    """Return a background that is trained or in the cache, and the texts of the domain."""
    split, tests = inputs.read_split(options, check_background(options), *parts)
    with Progress("background") as progress:
        model = background_of_split(split, progress.step)
    found = Background(model, baseline_of(split.background), count_words(split.background))
    return found, (split.adaptation, split.dev, *tests)


def report(options: Namespace, open_session: Callable[[Namespace], Any] = _open_session) -> None:
    """Write one page with the slider alive in it."""
    sigma2 = _check_stop(options.sigma2)
    cutoffs = [check_new_cutoff(text.strip()) for text in options.cutoff.split(",")]
    n_explained = check_count("explained", options.explained)
    texts = [*options.background, *options.adapt, options.dev, options.test or options.dev]
    texts += [level.text for level in read_levels(options.levels)]
    check_output(options.output, texts, "page", options.json)
    session = open_session(options)
    if options.lesson and not session.task.recases:
        raise InputError(f"lesson {options.lesson}: the lessons are about capital letters alone")
    with Progress("adapting", "values of sigma2") as progress:
        fill_paths(session, cutoffs, progress.counted, progress.fitting)
    if sigma2 is None:
        known = session.adaptation(cutoffs[0]).known
        sigma2 = min(known, key=lambda fit: fit.wrong["dev"]).sigma2  # the smaller of equals
    settings = Settings(
        sigma2=sigma2, cutoff=cutoffs[0], templates=options.templates, lesson=options.lesson
    )
    source = Source(tuple(options.background), tuple(options.adapt), options.dev, options.test,
                    options.repair, options.levels)  # fmt: skip
    with Progress("explaining", "words") as progress:
        page = report_html(session, settings, source, cutoffs=cutoffs, n_explained=n_explained,
                           on_answer=progress.counted)  # fmt: skip
    write_to(options.output, lambda path: write_report(path, page))
    _tell_report(options, session, settings)


def _check_stop(text: str) -> float | None:
    """Return a sigma2 that is a stop of the slider; None, from "auto", is to be searched."""
    value = check_new_strength("sigma2", text)
    if value is None or value in SIGMA2_GRID:
        return value
    near = sorted(SIGMA2_GRID, key=lambda stop: abs(math.log(stop / value)))[:2]
    raise InputError(
        f"sigma2 {text}: no stop of the slider; near it are {min(near):g} and {max(near):g}"
    )


def _tell_report(options, session, settings):
    """Say, or print for a program, what was written."""
    point = settings.sigma2, settings.cutoff
    parts = ["dev", "test"] if options.test else ["dev"]
    shown = {part: session.at(*point, part).models for part in parts}
    figure, what = ("quality", "quality") if session.quality_name else ("error_rate", "errors")
    rates = ", ".join(f"{row['name']} {per_cent(row[figure])} %" for row in shown["dev"])
    say(
        f"{options.output}: sigma2 {settings.sigma2:g}; "
        f"{session.quality_name or what} on dev: {rates}"
    )
    if not options.json:
        return
    print_json({
        "path": options.output, "bytes": os.path.getsize(options.output),
        session.task.wording.units: {part: len(session.background_tags(part)) for part in parts},
        "sigma2": settings.sigma2, "cutoff": settings.cutoff,
        what: {part: {row["name"]: row[figure] for row in rows} for part, rows in shown.items()},
    })  # fmt: skip


def tables(options: Namespace) -> None:
    """Make the papers' tables and figures."""
    names = [name.strip() for name in options.only.split(",") if name.strip()]
    find_table_specs(names)
    study = read_study(options)
    with Progress("tables") as progress:
        study.set_callbacks(progress.began, progress.step)
        with open_runner(study, vars(options), progress.began) as runner:
            made = make_tables_by_tasks(study, names, runner)
    print_tables(made, study, options)


def read_study(options: Namespace) -> Study:
    """Return the study of the texts that the options name."""
    amounts = _check_amounts(options.amounts)
    background_options = check_background(options)
    check_output(options.output, [*options.background, *options.adapt], "table")
    background, begins = inputs.read_each(options.background, options)
    if amounts is None and begins:
        amounts = growing_amounts(np.diff(background.starts[[0, *begins, -1]]).tolist())
    domains, in_domain = inputs.read_domains(options), inputs.read_in_domain(options)
    return Study(background, domains, in_domain, amounts, background_options)


def _check_amounts(text: str | None) -> list[int] | None:
    """Return numbers of words of the background to train on; None if the option is not given."""
    try:
        amounts = None if text is None else [int(float(n)) for n in text.split(",")]
    except (ValueError, OverflowError):
        amounts = [0]
    if amounts is not None and min(amounts) < 1:
        raise InputError(f"amounts {text}: whole numbers of words, 1 or more, are allowed")
    return amounts


def print_tables(made: Sequence[Table], study: Any, options: Namespace) -> None:
    """Write tables as Markdown or JSON, and their charts, where the options say."""
    if options.pictures:
        from workbench.charts.paper_charts import draw_paper, save_charts  # Altair loads slowly

        for table in made:
            charts = draw_paper(table.spec.name, table.rows)
            for file in save_charts(table.spec.name, charts, Path(options.pictures)):
                say(f"{file}: {table.spec.label}")
    if options.json:
        result = {"material": study.describe(), "tables": [table.to_json() for table in made]}
        lines = [as_json(result)]
    else:
        lines = to_markdown(made, study)
    print_lines(lines, options.output)
    if options.output != STANDARD_STREAM:
        say(f"{options.output}: {len(made)} tables")
