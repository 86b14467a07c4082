"""The commands that compare, sweep, ablate and make the papers' tables.

What can be refused at once is refused before any text is read or model trained.
"""

from argparse import Namespace
from collections.abc import Sequence

from workbench.cli.console import Progress, as_json, print_json, print_lines, say, write_lines
from workbench.cli.inputs import (
    check_amounts,
    check_background,
    check_new_cutoff,
    check_new_strength,
    check_output,
    read_domains,
    read_in_domain,
    read_split,
    read_texts,
)
from workbench.cli.model_commands import fit, print_report
from workbench.cli.result_text import describe_ablation, describe_sweep
from workbench.experiments.ablation import ablate as ablate_templates
from workbench.experiments.ablation import plan
from workbench.experiments.ablation import summarize as summarize_ablation
from workbench.experiments.compare import compare as compare_methods
from workbench.experiments.compare import find_methods
from workbench.experiments.papers.study import Study, growing_amounts
from workbench.experiments.papers.tables import Table, find_table_specs, make_tables, to_markdown
from workbench.experiments.tuning import sweep as sweep_grid
from workbench.learning.prior import check_positive
from workbench.models.kinds import KINDS


def compare(options: Namespace) -> None:
    """Compare methods on a split."""
    names = [name.strip() for name in options.methods.split(",")]
    find_methods(names, KINDS[options.model])
    split, (test,) = read_split(options, check_background(options), "test")
    with Progress("background") as progress:
        result = compare_methods(split, test, names, progress.began, progress.step)
    print_report(result, options.json)


def sweep(options: Namespace) -> None:
    """Adapt over a grid of sigma2 and cutoff."""
    sigma2s = [check_positive(text) for text in options.sigma2.split(",")]
    cutoffs = [check_new_cutoff(text) for text in options.cutoff.split(",")]
    background_options = check_background(options)
    split, (test,) = read_split(options, background_options, "test")
    texts = {"dev": split.dev, "test": test}
    background = fit(split.background, split.model, **background_options)
    with Progress("sweeping", "points") as progress:
        table = sweep_grid(background, split.adaptation, texts, sigma2s, cutoffs, progress.counted)
    points = table.astype(object).where(table.notna(), None).to_dict("records")
    rates = {
        f"{part}_error_rate": float((background.tag(text) != text.tags).mean())
        for part, text in {"train": split.adaptation, **texts}.items()
    }
    if options.json:
        print_json({"background": rates, "points": points})
    else:
        print_lines(describe_sweep(points, rates))


def ablate(options: Namespace) -> None:
    """Measure what each template is worth."""
    sigma2 = check_new_strength("sigma2", options.sigma2)
    background_options = check_background(options)
    plan(options.templates, options.each)
    split, _ = read_split(options, background_options)
    with Progress("ablation") as progress:
        result = ablate_templates(split, options.each, sigma2, progress.began, progress.step)
    if options.json:
        print_json(result)
    else:
        print_lines([*describe_ablation(result), "", summarize_ablation(result["rows"])])


def tables(options: Namespace) -> None:
    """Make the papers' tables and figures."""
    names = [name.strip() for name in options.only.split(",") if name.strip()]
    find_table_specs(names)
    amounts = check_amounts(options.amounts)
    background_options = check_background(options)
    if options.output:
        check_output(options.output, [*options.background, *options.adapt], "the tables need")
    texts = [read_texts([text], "train", options) for text in options.background]
    if amounts is None and len(texts) > 1:
        amounts = growing_amounts(list(map(len, texts)))
    background = texts[0] if len(texts) == 1 else read_texts(options.background, "train", options)
    domains, in_domain = read_domains(options), read_in_domain(options)
    with Progress("tables") as progress:
        study = Study(
            background, domains, in_domain, amounts, background_options,
            progress.began, progress.step,
        )  # fmt: skip
        made = list(make_tables(study, names))
    _print_tables(made, study, options)


def _print_tables(made: Sequence[Table], study: Study, options: Namespace) -> None:
    if options.json:
        result = {"material": study.describe(), "tables": [table.to_json() for table in made]}
        lines = [as_json(result)]
    else:
        lines = to_markdown(made, study)
    if options.output:
        write_lines(options.output, lines)
        say(f"{options.output}: {len(made)} tables")
    else:
        print_lines(lines)
