"""``train``: a model of one text or of several, each with a weight, its variance given or searched.

What can be refused at once is refused before any text is read.
"""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from functools import partial
from typing import Any

from workbench.adaptation.method import N_FOLDS
from workbench.adaptation.unknown_words import average_bags, learn_unknown_words
from workbench.adaptation.weighted_texts import WeightedTexts, read_weights
from workbench.cli import inputs
from workbench.cli.commands.train_adapt import train_hierarchy
from workbench.cli.console import Progress, check_output, say, write_to
from workbench.cli.options import (
    WithoutEffect,
    add_json,
    add_output,
    add_repair,
    add_solver,
    add_threads,
    add_training,
    add_tree,
    check_templates,
    strength_of,
)
from workbench.experiments.backgrounds import require_features
from workbench.experiments.search import (
    choose_text_weights,
    choose_training_by_folds,
    choose_training_sigma2,
)
from workbench.features.lexicon import reads_lexicon
from workbench.features.selection import check_cutoff
from workbench.features.templates import find_templates
from workbench.features.unpunctuated import check_share
from workbench.learning.prior import GaussianPrior, check_strength, zero_mean_prior
from workbench.learning.problem import Problem
from workbench.learning.solvers import SOLVERS, find_solver
from workbench.learning.solvers.fit import TOLERANCE
from workbench.models.capitalizer import Capitalizer
from workbench.models.ensemble import Ensemble
from workbench.models.kinds import KINDS
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.models.unigram import UNSEEN_RULES, Unigram
from workbench.settings import LEARNED, MODEL_KINDS, SETTINGS, TRAINING, UNKNOWN_WORDS
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.lint import doubt_size
from workbench.text.scratch import Memory
from workbench.text.sets.overlap import find_shared, why_no_verdict

# fmt: off
_WITHOUT_EFFECT: WithoutEffect = (
    (("unseen",), lambda o: o.model != Unigram.kind, "is of a 1gram"),
    (("templates", "cutoff", "sigma2", "alpha", "prior", "solver", "unknown_words",
      "drop_boundaries"),
     lambda o: o.model == Unigram.kind, "a 1gram has no variance, features or solver"),
    (("tree",), lambda o: o.adapt is None, "is of the genres of texts with --adapt"),
    (("force", "json"), lambda o: not (o.adapt and o.dev), "is of --adapt TEXT with --dev TEXT"),
    (("unknown_words",), lambda o: o.model == "crf", "a crf has no weights of them"),
)


def add_train(parser: ArgumentParser) -> None:
    """Add the options of ``train``."""
    parser.add_argument("text", nargs="+", metavar="TEXT", help="training text")
    add_output(parser)
    parser.add_argument("--model", choices=list(KINDS), default=SETTINGS["model"].default,
        help="memm, a maximum entropy Markov model (default); crf, a linear-chain conditional "
        "random field; bidirectional, two MEMMs that read sentences forward and backward: fewer "
        "errors, in twice the time; ensemble, four MEMMs, two forward and two backward, "
        "three of which lack some of the templates best (with ca04 the same as bidirectional): "
        "mostly fewer errors still, in four times the time; or 1gram, the paper's baseline")
    parser.add_argument("--unseen", choices=UNSEEN_RULES, default="loc",
        help="1gram: a word never seen is lower case (loc, default) or capitalized (cap)")
    parser.add_argument("--unknown-words", choices=UNKNOWN_WORDS, default=UNKNOWN_WORDS[0],
        help="memm, bidirectional, ensemble: words too rare for features of their own get weights "
        "after training (learned, default), and the weights of templates beyond ca04 are averaged "
        "with those of models of fewer templates: better on text unlike TEXT, slightly worse on "
        "text like it; or both are left out, as in the paper (none)")
    add_training(parser)
    parser.add_argument("--dev", metavar="TEXT",
        help="development text on which auto searches the best sigma2 and weights, and --adapt "
        "the best variances and weights; without it "
        "--sigma2 auto searches by 5-fold cross-validation on TEXT")
    parser.add_argument("--weights", metavar="X,Y",
        help="of several texts, how often every event of each counts, such as 1,0.5,2; auto "
        "searches the best on --dev, that of the largest text being 1 (default: 1 each); with "
        "--adapt one number, how often every event of the domain's text counts, and those of the "
        "others count once (default: 1 if all variances are given, otherwise auto)")
    parser.add_argument("--adapt", metavar="TEXT",
        help="text of a domain: write a model for it, fitted together with all TEXTs around "
        "general weights that they share (hierarchy). --sigma2 auto (default) chooses a variance "
        "for each class of features on --dev; general=10,new=1,text=0.3,domain=1 gives one to "
        "each level named, new being that of features which only this text has. map, weighted "
        "and hierarchy are compared, each half of --dev judging what the other chose: the first "
        "not significantly worse than the best is written, or the background if no gain is "
        "significant")
    parser.add_argument("--force", action="store_true",
        help="with --adapt, write the hierarchy whatever --dev shows")
    add_json(parser)
    add_tree(parser, "with --adapt, ", "TEXT")
    alpha = TRAINING["alpha"]
    parser.add_argument("--alpha", metavar="X",
        help=f"rate of the exponential prior, {alpha.bounds} (default {alpha.default:g})")
    add_solver(parser, "Goodman's exponential one, no weight below 0", "lbfgs")
    parser.add_argument("--drop-boundaries", default="0", metavar="P",
        help="for text without sentence ends: learn a share P of TEXT, 0 to 1, a second time "
        "without punctuation and sentence ends, with the templates unpunctuated added; models "
        "adapted from this one do the same (default 0)")
    parser.add_argument("--memory", metavar="SIZE",
        help="memory that training may take, such as 2GB: text and events that do not fit are kept "
        "in files, in the folder that TMPDIR names, and the model is the same (a crf's "
        "but for rounding); without it all is held in memory, some 60 bytes a word; for ca04, "
        "extended and others without templates of casing, which best has")
    add_repair(parser)
    add_threads(parser)
    parser.set_defaults(without_effect=_WITHOUT_EFFECT)
# fmt: on


def train(options: Namespace) -> None:
    """Train and save a model."""
    options.solver = options.solver or "lbfgs"
    check_output(options.output, filter(None, [*options.text, options.adapt]), prints=options.json)
    if options.adapt is not None:
        return train_hierarchy(options)
    kind, fitting, is_searched = check_training(options)
    if kind is Unigram:
        corpus = inputs.read_texts(options.text, "train", options)
        return _save(Unigram.fit(corpus, unseen=options.unseen), corpus, "", options)
    trained: Any
    if options.weights is not None:
        corpus, begins = inputs.read_each(options.text, options)
        trained = _fit_weighted(corpus, begins, kind, fitting, options)
    else:
        corpus = inputs.read_texts(options.text, "train", options, memory=_check_memory(options))
        if is_searched:
            fitting["sigma2"] = _search_for(corpus, kind, fitting, options)
        trained = _fit(corpus, kind, **fitting)
    if options.unknown_words == LEARNED:
        trained = _complete(trained, corpus, fitting, options)
    trained.info |= inputs.describe_held_out(options)
    _save(trained, corpus, f", {trained.info['features']:,} features", options)


def check_training(options: Namespace) -> tuple[Any, dict[str, Any], bool]:
    """Return the kind of model, how it is fitted, and whether its variance is searched first."""
    name, given = strength_of(options)
    kind, searched = KINDS[options.model], is_searched(options, name, given)
    given = TRAINING[name].default if searched or given is None else given
    strength = check_strength(**{name: given})
    find_solver(options.solver, strength.pop("prior"), getattr(kind, "solvers", tuple(SOLVERS)))
    fitting = {
        "templates": check_templates(options), "cutoff": check_cutoff(options.cutoff),
        "solver": options.solver, "drop_boundaries": check_share(options.drop_boundaries),
        **strength,
    }  # fmt: skip
    _check_memory(options)
    _check_weights(options)
    return kind, fitting, searched


def is_searched(options: Namespace, name: str, strength: str | None) -> bool:
    """Return whether training searches its variance, on dev or by folds.

    InputError if weights are to be searched and there is no text to do so on.
    """
    if options.weights == "auto" and options.dev is None:
        raise InputError("weights auto: --dev TEXT is needed to search them on")
    if strength == "auto" and name == "sigma2":
        return True
    if options.dev is not None and options.weights != "auto":
        raise InputError(f"dev {options.dev}: is for --sigma2 auto and --weights auto alone")
    return False


def _check_memory(options: Namespace) -> Memory | None:
    """Return how much memory training may take, None for all there is; InputError if not so."""
    text = options.memory
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([kmgt]?)b?", text.lower())
    if not found or not (n_bytes := float(found[1]) * 1000 ** " kmgt".index(found[2] or " ")):
        raise InputError(f"memory {text}: a size is needed, such as 2GB or 500MB")
    given = options.model, options.solver, options.drop_boundaries, options.weights
    is_plain = given[0] in ("memm", "crf") and given[1:] == ("lbfgs", "0", None)
    if not is_plain or reads_lexicon(find_templates(options.templates)):
        raise InputError(
            f"memory {text}: is for a memm or crf trained by lbfgs, without --drop-boundaries, "
            "--cluster, --weights and best's templates of casing: take ca04 or leave --memory out"
        )
    return Memory(int(n_bytes))


def _check_weights(options: Namespace) -> list[float] | None:
    """Return the weights of several training texts; None if they are to be searched, or none are.

    InputError if the model that is trained can have none.
    """
    if options.weights is None:
        return None
    if len(options.text) == 1:
        raise InputError(f"weights {options.weights}: are of two or more texts")
    is_table = options.model in MODEL_KINDS
    if not is_table or options.prior != "gaussian" or options.solver != "lbfgs":
        raise InputError(
            f"weights {options.weights}: a memm or crf, trained by lbfgs with the gaussian prior, "
            "takes them"
        )
    if options.sigma2 == "auto" and options.dev is None:
        raise InputError("sigma2 auto: with --weights, --dev TEXT is needed to search it on")
    return None if options.weights == "auto" else read_weights(options.weights, len(options.text))


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


def _fit(corpus: Corpus, kind: type[LogLinear], *, cutoff: int, **fitting: Any) -> LogLinear:
    """Return a trained model; InputError if it has no feature."""
    with Progress("training") as progress:
        model = kind.fit(corpus, cutoff=cutoff, **fitting, on_step=progress.step)
    for own in model.members if isinstance(model, Ensemble) else [model]:
        require_features(own, corpus, cutoff)
    return model


def _fit_weighted(
    corpus: Corpus, begins: Sequence[int], kind: type[LogLinear], fitting: dict[str, Any],
    options: Namespace,
) -> LogLinear:  # fmt: skip
    """Return the model of several texts; ``fitting`` as ``train`` reads it from the options."""
    dev: Any = None
    if options.dev is not None:
        dev = inputs.read_texts([options.dev], "dev", options).require_cased()
    how = {key: fitting[key] for key in ("templates", "cutoff", "drop_boundaries")}
    training, sigma2 = kind.training_problem(corpus, **how), fitting["sigma2"]
    if not len(training.mean):
        raise InputError(f"{corpus.name}: nothing is seen {fitting['cutoff']} times; lower it")
    texts = WeightedTexts(training, begins)
    weights = _check_weights(options)
    if weights is None:
        ends = [*begins, corpus.n_sentences]
        is_new = _tell_shared(dev, corpus)
        weights = _search_weights(texts, ends, dev, sigma2) if is_new else [1.0] * len(ends)
    problem = texts.at(weights)
    if options.sigma2 == "auto":
        sigma2 = search_sigma2(problem, corpus, dev)
    prior = zero_mean_prior(len(problem.mean), GaussianPrior.name, sigma2=sigma2)
    with Progress("training") as progress:
        found = problem.maximise(prior, None, "lbfgs", tolerance=TOLERANCE, on_step=progress.step)
    share = fitting["drop_boundaries"]
    twice = {"drop_boundaries": share} if share else {}
    record = {"prior": GaussianPrior.name, "sigma2": sigma2, "solver": "lbfgs"}
    return problem.model(found.weights, found, **record, **twice)


def _search_weights(texts, ends, dev, sigma2):
    sizes = [end - begin for begin, end in zip([0, *ends], ends, strict=False)]
    with Progress("searching weights") as progress:

        def on_try(weights):
            progress.began(f"trying weights {_list(weights.values())}")

        weights, wrong = choose_text_weights(texts, sizes, dev, sigma2, on_try)
    say(f"weights {_list(weights)} ({wrong:,} errors in {len(dev):,} words of dev)")
    return weights


def _list(weights):
    return ",".join(f"{weight:g}" for weight in weights)


def search_sigma2(problem: Problem, learnt: Any, dev: Corpus) -> float:
    """Return the best variance on dev, and say so; the default where dev is text learnt from."""
    if not _tell_shared(dev, learnt):
        return TRAINING["sigma2"].default
    with Progress("searching sigma2", "tried") as progress:
        best, tried = choose_training_sigma2(problem, dev, on_try=progress.tried)
    say(f"sigma2 {best:g} ({tried[best]:,} errors in {len(dev):,} words of dev)")
    return best


def _tell_shared(dev, learnt):
    """Say what dev shares with text learnt from; return whether it is new enough to search on."""
    by_hash = find_shared([dev], {"text": learnt.fingerprint})
    shared = by_hash or find_shared([dev], {}, [learnt])
    for each in shared:
        say(each.line + "; nothing is searched" * each.forbids)
    return not why_no_verdict(shared)


def _complete(model, corpus, fitting, options):
    """Return a model with weights of unknown words, averaged with its bags, if it is of MEMMs."""
    bags: dict[Any, Any] = {}  # members of an ensemble have the same

    def fit_bag(kind, templates):
        if (key := (kind, *templates)) not in bags:
            bag: Any = _fit(corpus, kind, **fitting | {"templates": templates})
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


def _save(model: Capitalizer, corpus: Corpus, size: str, options: Namespace) -> None:
    """Save a model, and print its size and a warning if its text was too little."""
    for doubt in doubt_size(corpus):
        say(f"workbench: warning: {doubt}")
    write_to(options.output, model.save)
    say(f"{options.output}: {options.model} of {len(corpus):,} words{size}")
