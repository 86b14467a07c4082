"""What each command of the command line does with its options.

What can be refused at once is refused before any text is read or model trained.
"""

import sys
from pathlib import Path

from workbench.adaptation.map import adapt as adapt_model
from workbench.adaptation.union import MODELS
from workbench.console import (
    Progress,
    as_json,
    emit,
    print_json,
    print_lines,
    say,
    write_lines,
)
from workbench.evaluation.report import report
from workbench.experiments.ablation import ablate as ablate_templates
from workbench.experiments.ablation import plan
from workbench.experiments.ablation import summarize as summarize_ablation
from workbench.experiments.compare import compare as compare_methods
from workbench.experiments.compare import find_methods
from workbench.experiments.line_search import choose_alpha, choose_sigma2, choose_variances
from workbench.experiments.material import Material, growing_amounts
from workbench.experiments.sweep import sweep as sweep_grid
from workbench.experiments.tables import find_makers, make_tables, to_markdown
from workbench.features.selection import check_cutoff
from workbench.inputs import (
    check_amounts,
    check_background,
    check_new_cutoff,
    check_new_strength,
    check_new_strengths,
    check_output,
    check_templates,
    read_bytes,
    read_domains,
    read_in_domain,
    read_split,
    read_texts,
    strength_of,
)
from workbench.learning.prior import check_positive, check_strength
from workbench.learning.training import SOLVERS, find_solver
from workbench.listings import (
    describe_ablation,
    describe_data_sets,
    describe_report,
    describe_sweep,
)
from workbench.models.adapter import save_adapter
from workbench.models.kinds import KINDS, load_model
from workbench.models.unigram import Unigram
from workbench.text.casing import TAGS
from workbench.text.errors import InputError
from workbench.text.readers import decode
from workbench.text.registry import known_data_sets

SMOOTHING = {"sigma2": 5.0, "alpha": 0.3}  # strengths of the priors of a background


def data(options):
    """List the data sets."""
    rows = [
        {
            "name": data_set.name, "kind": data_set.kind, "here": data_set.is_here,
            "parts": data_set.parts, "bytes": data_set.n_bytes, "note": data_set.note,
        }
        for data_set in known_data_sets()
    ]  # fmt: skip
    if options.json:
        print_json({"data_sets": rows})
    else:
        print_lines(describe_data_sets(rows))


def train(options):
    """Train and save a model."""
    check_output(options.output, options.text)
    name, given = strength_of(options)
    strength = check_strength(**{name: SMOOTHING[name] if given is None else given})
    kind = KINDS[options.model]
    find_solver(options.solver, strength.pop("prior"), getattr(kind, "solvers", SOLVERS))
    fitting = {
        "templates": check_templates(options), "cutoff": check_cutoff(options.cutoff),
        "solver": options.solver, **strength,
    }  # fmt: skip
    corpus = read_texts(options.text, "train")
    if options.model == "1gram":
        model, size = Unigram.fit(corpus, unseen=options.unseen), ""
    else:
        model = _fit(corpus, kind, **fitting)
        size = f", {model.info['features']:,} features"
    model.save(options.output)
    say(f"{options.output}: {options.model} of {len(corpus):,} words{size}")


def _fit(corpus, kind, *, cutoff, **fitting):
    with Progress("training") as progress:
        model = kind.fit(corpus, cutoff=cutoff, **fitting, on_step=progress.step)
    if not model.info["features"]:
        raise InputError(
            f"{corpus.name}: nothing is seen {cutoff} times in {len(corpus):,} words; "
            "a smaller cutoff or more text is needed"
        )
    return model


def adapt(options):
    """Adapt a model and save it."""
    own = [options.model] if options.adapter else []  # what an adapter builds on must stay
    check_output(options.output, [*options.text, *own])
    cutoff, strengths = check_new_cutoff(options.cutoff), check_new_strengths(options)
    if options.solver:
        find_solver(options.solver, options.prior)
    background = load_model(options.model)
    if type(background) not in MODELS:
        known = " or ".join(model.kind for model in MODELS)
        raise InputError(f"{options.model}: a {background.kind} model; adapt needs a {known} model")
    corpus, found = read_texts(options.text, "train"), ""
    if None in strengths.values():
        dev = None if options.dev is None else read_texts([options.dev], "dev")
        strengths, found = _search_strengths(strengths, background, corpus, dev, cutoff)
    fitting = {**strengths, "cutoff": cutoff, "solver": options.solver}
    with Progress("adapting") as progress:
        model = adapt_model(background, corpus, **fitting, on_step=progress.step)
    if options.adapter:
        save_adapter(model, background, options.model, options.output)
    else:
        model.save(options.output)
    told = ", ".join(f"{name} {value:g}" for name, value in strengths.items())
    size = f"{model.info['new_features']:,} new features"
    say(f"{options.output}: adapted to {len(corpus):,} words, {told}{found}, {size}")


def _search_strengths(strengths, background, corpus, dev, cutoff):
    """Return the best strengths of the prior by name and, in words, how good they were."""
    with Progress(f"searching {' and '.join(strengths)}", "tried") as progress:
        problem = background, corpus, dev, cutoff, progress.tried
        if len(strengths) > 1:
            best, tried = choose_variances(*problem, **strengths)
            wrong = tried[tuple(best.values())]
        else:
            (name,) = strengths
            value, tried = {"sigma2": choose_sigma2, "alpha": choose_alpha}[name](*problem)
            best, wrong = {name: value}, tried[value]
    measured, text = (dev, "dev") if dev is not None else (corpus, "5-fold cross-validation")
    return best, f" ({wrong:,} errors in {len(measured):,} words of {text})"


def evaluate(options):
    """Measure models on a text."""
    names = [Path(path).name for path in options.model]
    if len(set(names)) < len(names):
        names = options.model
    models = list(zip(names, map(load_model, options.model), strict=True))
    corpus = read_texts([options.test], "test").require_cased()
    for name, model in models:
        if corpus.tells_case != (model.tag_names == TAGS):
            told = "case" if corpus.tells_case else "labels"
            raise InputError(f"{name}: not a model of {told}, which {corpus.name} tells")
    with Progress("tagging", "models") as progress:
        result = report(corpus, progress.over(models))
    _print_report(result, options.json)


def recase(options):
    """Recase a text."""
    model = load_model(options.model)
    if options.text is None and sys.stdin.isatty():
        say("reading text from the terminal; Ctrl-D ends it")
    name = "standard input" if options.text is None else options.text
    data = read_bytes(options.text, name)
    if data.decode(errors="replace").removeprefix("\ufeff").strip():
        decode(data, name)  # refuses what is not UTF-8 text
    emit(model.recase(data.decode()).encode())


def compare(options):
    """Compare methods on a split."""
    names = [name.strip() for name in options.methods.split(",")]
    find_methods(names, KINDS[options.model])
    split, test = read_split(options, check_background(options), "test")
    with Progress("background") as progress:
        result = compare_methods(split, test, names, progress.told, progress.step)
    _print_report(result, options.json)


def sweep(options):
    """Adapt over a grid of sigma2 and cutoff."""
    sigma2s = [check_positive(text) for text in options.sigma2.split(",")]
    cutoffs = [check_new_cutoff(text) for text in options.cutoff.split(",")]
    background_options = check_background(options)
    split, test = read_split(options, background_options, "test")
    texts = {"dev": split.dev, "test": test}
    background = _fit(split.background, split.model, **background_options)
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


def ablate(options):
    """Measure what each template is worth."""
    sigma2 = check_new_strength("sigma2", options.sigma2)
    background_options = check_background(options)
    plan(options.templates, options.each)
    (split,) = read_split(options, background_options)
    with Progress("ablation") as progress:
        result = ablate_templates(split, options.each, sigma2, progress.told, progress.step)
    if options.json:
        print_json(result)
    else:
        print_lines([*describe_ablation(result), "", summarize_ablation(result["rows"])])


def tables(options):
    """Make the papers' tables and figures."""
    names = [name.strip() for name in options.only.split(",") if name.strip()]
    find_makers(names)
    amounts = check_amounts(options.amounts)
    background_options = check_background(options)
    if options.output:
        check_output(options.output, [*options.background, *options.adapt], "the tables need")
    texts = [read_texts([text], "train") for text in options.background]
    if amounts is None and len(texts) > 1:
        amounts = growing_amounts(list(map(len, texts)))
    background = texts[0] if len(texts) == 1 else read_texts(options.background, "train")
    domains, in_domain = read_domains(options.adapt), read_in_domain(options)
    with Progress("tables") as progress:
        material = Material(
            background, domains, in_domain, amounts, background_options,
            progress.told, progress.step,
        )  # fmt: skip
        made = list(make_tables(material, names))
    _print_tables(made, material, options)


def _print_tables(made, material, options):
    if options.json:
        told = {"material": material.describe(), "tables": [table.to_json() for table in made]}
        lines = [as_json(told)]
    else:
        lines = to_markdown(made, material)
    if options.output:
        write_lines(options.output, lines)
        say(f"{options.output}: {len(made)} tables")
    else:
        print_lines(lines)


def _print_report(result, as_json):
    if as_json:
        print_json(result)
    else:
        print_lines(describe_report(result))
