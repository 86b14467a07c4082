"""The commands that list data sets, and that make and measure models.

What can be refused at once is refused before any text is read or model trained. ``fit`` is also
for ``experiment_commands``.
"""

from argparse import Namespace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from workbench.adaptation.method import N_FOLDS
from workbench.adaptation.unknown_words import average_bags, learn_unknown_words
from workbench.cli import inputs, option_checks
from workbench.cli.candidates.candidate_inputs import are_candidates
from workbench.cli.commands import candidate_commands
from workbench.cli.commands.hierarchy_training import train_hierarchy
from workbench.cli.commands.weighted_training import fit_weighted, search_sigma2
from workbench.cli.console import Progress, check_output, print_result, say, write_to
from workbench.cli.result_text import describe_data_sets, describe_file, describe_report
from workbench.evaluation.report import report
from workbench.experiments.backgrounds import require_features
from workbench.experiments.search import choose_training_by_folds
from workbench.features.selection import check_cutoff
from workbench.features.unpunctuated import check_share, split_unpunctuated
from workbench.learning.prior import check_strength
from workbench.learning.solvers import SOLVERS, find_solver
from workbench.models.capitalizer import Capitalizer
from workbench.models.description import describe_model, find_models
from workbench.models.ensemble import Ensemble
from workbench.models.kinds import KINDS, load_model
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.settings import LEARNED, TRAINING
from workbench.text.corpus import Corpus
from workbench.text.lint import doubt_size
from workbench.text.sets.registry import known_data_sets


def data(options: Namespace) -> None:
    """List the data sets, and why some cannot be chosen."""
    known = known_data_sets()
    rows = [
        {
            "name": data_set.name, "kind": data_set.kind, "here": data_set.is_here,
            "parts": data_set.parts, "bytes": data_set.n_bytes, "note": data_set.note,
        }
        for data_set in known
    ]  # fmt: skip
    obstacles = {data_set.name: data_set.obstacle for data_set in known}
    print_result({"data_sets": rows}, describe_data_sets(rows, obstacles), options.json)


def train(options: Namespace) -> None:
    """Train and save a model."""
    if are_candidates(options.text):
        return _train_candidates(options)
    options.solver = options.solver or "lbfgs"
    check_output(
        options.output, [*options.text, *filter(None, [options.adapt])], prints=options.json
    )
    option_checks.refuse_candidate_options(options)
    if options.adapt is not None:
        return train_hierarchy(options)
    name, given = option_checks.strength_of(options)
    kind, searched = KINDS[options.model], option_checks.is_searched(options, name, given)
    given = TRAINING[name].default if searched or given is None else given
    strength = check_strength(**{name: given})
    find_solver(options.solver, strength.pop("prior"), getattr(kind, "solvers", tuple(SOLVERS)))
    fitting: dict[str, Any] = {
        "templates": option_checks.check_templates(options), "cutoff": check_cutoff(options.cutoff),
        "solver": options.solver, "drop_boundaries": check_share(options.drop_boundaries),
        **strength,
    }  # fmt: skip
    option_checks.check_memory(options)
    option_checks.check_text_weights(options)
    if options.cluster is not None:
        from workbench.cli.commands import cluster_commands  # imports these commands, too

        return cluster_commands.train(options, strength, searched)
    if kind is Unigram:
        corpus = inputs.read_texts(options.text, "train", options)
        return _save(Unigram.fit(corpus, unseen=options.unseen), corpus, "", options)
    _train_features(kind, fitting, searched, options)


def _train_candidates(options):
    option_checks.refuse(options, ["cluster"], "candidate sets are learnt in one process")
    option_checks.refuse(options, ["adapt"], "candidate sets have no hierarchy of texts")
    candidate_commands.train(options)


def _train_features(kind, fitting, searched, options):
    """Train and save a model of a kind that has features."""
    trained: Any
    if options.weights is not None:
        corpus, begins = inputs.read_each(options.text, options)
        trained = fit_weighted(corpus, begins, kind, fitting, options)
    else:
        memory = option_checks.check_memory(options)
        corpus = inputs.read_texts(options.text, "train", options, memory=memory)
        if searched:
            fitting["sigma2"] = _search_for(corpus, kind, fitting, options)
        trained = fit(corpus, kind, **fitting)
    if options.unknown_words == LEARNED:
        trained = _complete(trained, corpus, fitting, options)
    trained.info |= inputs.describe_held_out(options)
    _save(trained, corpus, f", {trained.info['features']:,} features", options)


def _save(model: Capitalizer, corpus: Corpus, size: str, options: Namespace) -> None:
    """Save a model, and print its size and a warning if its text was too little."""
    for doubt in doubt_size(corpus):
        say(f"workbench: warning: {doubt}")
    write_to(options.output, model.save)
    say(f"{options.output}: {options.model} of {len(corpus):,} words{size}")


def _complete(model, corpus, fitting, options):
    """Return a model with weights of unknown words, averaged with its bags, if it is of MEMMs."""
    bags: dict[Any, Any] = {}  # members of an ensemble have the same

    def fit_bag(kind, templates):
        if (key := (kind, *templates)) not in bags:
            bag: Any = fit(corpus, kind, **fitting | {"templates": templates})
            bags[key] = learn_unknown_words(bag, corpus)
        return bags[key]

    def complete(own):
        if not isinstance(own, MEMM):
            return own
        learned = learn_unknown_words(own, corpus)
        if options.weights is not None:  # bags would have to learn from texts so weighted, too
            return learned
        return average_bags(learned, partial(fit_bag, type(own)))

    if isinstance(model, Ensemble):
        return model.of(*map(complete, model.members))
    return complete(model)


def _search_for(corpus, kind, fitting, options):
    """Return the best variance, on dev or by folds of the text where there is none."""
    how = {key: fitting[key] for key in ("templates", "cutoff", "drop_boundaries")}
    if options.dev is not None:
        dev = inputs.read_texts([options.dev], "dev", options).require_cased()
        return search_sigma2(kind.training_problem(corpus, **how), corpus, dev)
    make = partial(kind.training_problem, **how)
    with Progress("searching sigma2", "tried") as progress:
        best, tried = choose_training_by_folds(make, corpus, on_try=progress.tried)
    say(f"sigma2 {best:g} ({tried[best]:,} errors in {len(corpus):,} words of {N_FOLDS} folds)")
    return best


def fit(corpus: Corpus, kind: type[LogLinear], *, cutoff: int, **fitting: Any) -> LogLinear:
    """Return a trained model; InputError if it has no feature."""
    with Progress("training") as progress:
        model = kind.fit(corpus, cutoff=cutoff, **fitting, on_step=progress.step)
    for own in model.members if isinstance(model, Ensemble) else [model]:
        require_features(own, corpus, cutoff)
    return model


def evaluate(options: Namespace) -> None:
    """Measure models on a text."""
    names = [Path(path).name for path in options.model]
    if len(set(names)) < len(names):
        names = options.model
    loaded = [load_model(path, options.background) for path in options.model]
    models = list(zip(names, loaded, strict=True))
    if are_candidates([options.test]):
        return candidate_commands.evaluate(options, models)
    is_kept = options.spans == "keep"
    corpus = inputs.read_texts([options.test], "test", options, as_recased=is_kept).require_cased()
    if options.unpunctuated is not None:
        corpus = split_unpunctuated(corpus, options.unpunctuated)
    with Progress("tagging", "models") as progress:
        result = report(corpus, progress.over(models), options.spans)
    print_result(result, describe_report(result), options.json)


def inspect(options: Namespace) -> None:
    """Say what model files are and where they come from."""
    files = chain.from_iterable(find_models(Path(place)) for place in options.model)
    found = [describe_model(file, options.background, options.word) for file in files]
    print_result({"models": found}, chain.from_iterable(map(describe_file, found)), options.json)
