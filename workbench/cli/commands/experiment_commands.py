"""The commands that compare, sweep, ablate, report and make the papers' tables.

What can be refused at once is refused before any text is read or model trained.
"""

import os
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from workbench.adaptation.methods.hierarchy import read_genres
from workbench.cli import inputs, option_checks
from workbench.cli.candidates.candidate_inputs import are_candidates
from workbench.cli.commands import candidate_experiments
from workbench.cli.commands.study_runner import check_cluster, open_runner
from workbench.cli.console import (
    Progress,
    as_json,
    check_output,
    print_json,
    print_lines,
    print_result,
    say,
    write_to,
)
from workbench.cli.result_text import describe_ablation, describe_report, describe_sweep, per_cent
from workbench.experiments import ablation
from workbench.experiments.backgrounds import (
    Background,
    adapt_background,
    background_of_split,
    baseline_of,
    count_words,
    read_levels,
)
from workbench.experiments.compare import find_methods
from workbench.experiments.papers.study import Study, growing_amounts
from workbench.experiments.papers.tables import Table, find_table_specs, to_markdown
from workbench.experiments.session import Session
from workbench.experiments.tasks.split_study import (
    SplitStudy,
    ablate_by_tasks,
    compare_by_tasks,
    sweep_by_tasks,
)
from workbench.experiments.tasks.table_study import make_tables_by_tasks
from workbench.learning.prior import check_positive
from workbench.models.kinds import KINDS
from workbench.scrub.repeat import Source
from workbench.scrub.report import best_on_dev, fill_paths, report_html, write_report
from workbench.settings import Settings
from workbench.text.incoming import STANDARD_STREAM
from workbench.text.sets.overlap import why_no_verdict


def compare(options: Namespace) -> None:
    """Compare methods on a split."""
    check_cluster(options)
    if are_candidates(options.background):
        return candidate_experiments.compare(options)
    names = [name.strip() for name in options.methods.split(",")]
    find_methods(names, KINDS[options.model])
    genres = () if options.tree is None else read_genres(options.tree, options.background)
    split, (test,) = inputs.read_split(options, option_checks.check_background(options), "test")
    split = replace(split, genres=genres)
    with Progress("background") as progress:
        study = SplitStudy(split, test.require_cased(), progress.step)
        with open_runner(study, options, progress) as runner:
            result = compare_by_tasks(study, names, runner)
    print_result(result, describe_report(result), options.json)


def sweep(options: Namespace) -> None:
    """Adapt over a grid of sigma2 and cutoff."""
    check_cluster(options)
    sigma2s = [check_positive(text) for text in options.sigma2.split(",")]
    cutoffs = [option_checks.check_new_cutoff(text) for text in options.cutoff.split(",")]
    background_options = option_checks.check_background(options)
    split, (test,) = inputs.read_split(options, background_options, "test")
    with Progress("sweeping", "points") as progress:
        study = SplitStudy(split, test)
        with open_runner(study, options, progress) as runner:
            rates, table = sweep_by_tasks(study, sigma2s, cutoffs, runner, progress.counted)
    points = table.astype(object).where(table.notna(), None).to_dict("records")
    shared, (*lines, best) = split.find_shared(test), describe_sweep(points, rates)
    said = [each.line for each in shared]
    lines += [*said, *([] if why_no_verdict(shared) else [best])]
    print_result({"background": rates, "points": points, "shared": said}, lines, options.json)


def report(options: Namespace) -> None:
    """Write one page with the slider alive in it."""
    sigma2 = option_checks.check_stop(options.sigma2)
    cutoffs = [option_checks.check_new_cutoff(text.strip()) for text in options.cutoff.split(",")]
    n_explained = option_checks.check_count("explained", options.explained)
    open_session = _open_session
    if are_candidates(options.background):
        open_session = candidate_experiments.open_session
    texts = [*options.background, *options.adapt, options.dev, options.test or options.dev]
    texts += [level.text for level in read_levels(options.levels)]
    check_output(options.output, texts, "page", options.json)
    session = open_session(options)
    with Progress("adapting", "values of sigma2") as progress:
        fill_paths(session, cutoffs, progress.counted, progress.fitting)
    if sigma2 is None:
        sigma2 = best_on_dev(session, cutoffs[0])
    settings = Settings(sigma2=sigma2, cutoff=cutoffs[0], templates=options.templates,
                        levels=options.levels)  # fmt: skip
    source = Source(tuple(options.background), tuple(options.adapt), options.dev, options.test,
                    options.repair)  # fmt: skip
    with Progress("explaining", "words") as progress:
        page = report_html(session, settings, source, cutoffs=cutoffs, n_explained=n_explained,
                           on_answer=progress.counted)  # fmt: skip
    write_to(options.output, lambda path: write_report(path, page))
    _tell_report(options, session, settings)


def _open_session(options):
    """Return the session of a split; without test text dev stands in for it, and is not shown."""
    background_options = option_checks.check_background(options)
    levels = read_levels(options.levels)
    parts = ["test"] if options.test else []
    split, tests = inputs.read_split(options, background_options, *parts)
    steps = [(inputs.read_texts([text], "train", options), sigma2) for text, sigma2 in levels]
    with Progress("background") as progress:
        background = background_of_split(split, progress.step)
    found = Background(background, baseline_of(split.background), count_words(split.background))
    with Progress("levels"):
        found = adapt_background(found, steps)
    test = tests[0] if tests else split.dev
    corpora = {"train": split.adaptation, "dev": split.dev, "test": test}
    return Session(found.model, found.unigram, corpora, found.word_counts)


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


def ablate(options: Namespace) -> None:
    """Measure what each template is worth."""
    check_cluster(options)
    sigma2 = option_checks.check_new_strength("sigma2", options.sigma2)
    background_options = option_checks.check_background(options)
    ablation.plan(options.templates, options.each)
    split, _ = inputs.read_split(options, background_options)
    with Progress("ablation") as progress:
        study = SplitStudy(split, on_step=progress.step)
        with open_runner(study, options, progress) as runner:
            result = ablate_by_tasks(study, options.each, sigma2, runner)
    lines = [*describe_ablation(result), "", *result["shared"]]
    lines.append(ablation.summarize(result["rows"]))
    print_result(result, lines, options.json)


def tables(options: Namespace) -> None:
    """Make the papers' tables and figures."""
    check_cluster(options)
    names = [name.strip() for name in options.only.split(",") if name.strip()]
    if are_candidates(options.background):
        return print_tables(*candidate_experiments.tables(options, names), options)
    find_table_specs(names)
    study = read_study(options)
    with Progress("tables") as progress:
        study.set_callbacks(progress.began, progress.step)
        with open_runner(study, options, progress) as runner:
            made = make_tables_by_tasks(study, names, runner)
    print_tables(made, study, options)


def read_study(options: Namespace) -> Study:
    """Return the study of the texts that the options name."""
    amounts = option_checks.check_amounts(options.amounts)
    background_options = option_checks.check_background(options)
    check_output(options.output, [*options.background, *options.adapt], "table")
    background, begins = inputs.read_each(options.background, options)
    if amounts is None and begins:
        amounts = growing_amounts(np.diff(background.starts[[0, *begins, -1]]).tolist())
    domains, in_domain = inputs.read_domains(options), inputs.read_in_domain(options)
    return Study(background, domains, in_domain, amounts, background_options)


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
