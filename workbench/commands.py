"""What each command of the command line does with its options."""

import sys
from pathlib import Path

from workbench.adaptation.map import MapAdaptation
from workbench.console import Progress, print_json, print_report, say
from workbench.evaluation.report import report
from workbench.experiments.compare import Split
from workbench.experiments.compare import compare as compare_methods
from workbench.experiments.line_search import choose_sigma2
from workbench.experiments.sweep import sweep as sweep_grid
from workbench.features.selection import check_cutoff
from workbench.learning.prior import check_sigma2
from workbench.models.kinds import load_model
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.text.errors import InputError
from workbench.text.readers import decode, read_corpus
from workbench.text.registry import find_data_set, folder_of, known_data_sets


def _read(texts, part):
    """One corpus of files, folders and names of data sets."""
    places = []
    for text in texts:
        is_path = Path(text).exists()
        with Progress("building") as progress:
            places.append(text if is_path else folder_of(find_data_set(text), progress.built))
    with Progress("reading") as progress:
        return read_corpus(places, part, on_file=progress.read)


def _require_place(path):
    """Refuse, before any work, an output whose folder is not there."""
    path = Path(path)
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise InputError(f"{path}: not a place for a model file; its folder must exist")


def _cutoff(value, none_allowed=False):
    if none_allowed and value == "none":
        return None
    return check_cutoff(value)


def _background_options(options):
    return {
        "templates": options.templates,
        "cutoff": _cutoff(options.background_cutoff),
        "sigma2": check_sigma2(options.background_sigma2),
    }


def data(options):
    """List the data sets."""
    sets = known_data_sets()
    rows = [{"name": d.name, "kind": d.kind, "here": d.is_here, "note": d.note} for d in sets]
    if options.json:
        print_json({"data_sets": rows})
        return
    for row in rows:
        here = "here" if row["here"] else "not here"
        print(f"{row['name']:<18} {row['kind']:<9} {here:<9} {row['note']}")


def train(options):
    """Train and save a model."""
    _require_place(options.output)
    corpus = _read(options.text, "train")
    if options.model == "1gram":
        model = Unigram.fit(corpus, unseen=options.unseen)
    else:
        with Progress("training") as progress:
            model = MEMM.fit(
                corpus, options.templates, _cutoff(options.cutoff), options.sigma2,
                on_step=progress.step,
            )  # fmt: skip
    model.save(options.output)
    size = f", {model.info['features']:,} features" if options.model == "memm" else ""
    say(f"{options.output}: {options.model} of {len(corpus):,} words{size}")


def adapt(options):
    """Adapt a model and save it."""
    _require_place(options.output)
    cutoff = _cutoff(options.cutoff, none_allowed=True)
    sigma2 = options.sigma2 if options.sigma2 == "auto" else check_sigma2(options.sigma2)
    background = load_model(options.model)
    if not isinstance(background, MEMM):
        raise InputError(f"{options.model}: a {background.kind} model; adapt needs a memm model")
    corpus = _read(options.text, "train")
    if sigma2 == "auto":
        dev = _read([options.dev], "dev") if options.dev else None
        with Progress("searching sigma2") as progress:
            sigma2, _ = choose_sigma2(background, corpus, dev, cutoff, progress.tried)
    problem = MapAdaptation(background, corpus, cutoff)
    with Progress("adapting") as progress:
        model = problem.model(problem.fit(sigma2, on_step=progress.step), sigma2)
    model.save(options.output)
    say(
        f"{options.output}: adapted to {len(corpus):,} words, sigma2 {sigma2:g}, "
        f"{problem.n_new:,} new features"
    )


def evaluate(options):
    """Measure models on a text."""
    models = [(Path(path).name, load_model(path)) for path in options.model]
    result = report(_read([options.test], "test").require_cased(), models)
    print_report(result, options.json)


def recase(options):
    """Recase a text."""
    model = load_model(options.model)
    if options.text:
        path = Path(options.text)
        if not path.is_file():
            raise InputError(f"{path}: no such file")
        source, name = path.open("rb"), str(path)
    else:
        source, name = sys.stdin.buffer, "standard input"
    with source:
        data = source.read()
    if data.strip():
        decode(data, name)  # refuses what is not UTF-8 text
    sys.stdout.buffer.write(model.recase(data.decode()).encode())
    sys.stdout.buffer.flush()


def compare(options):
    """Compare methods on a split."""
    split = Split(
        _read(options.background, "train"), _read(options.adapt, "train"),
        _read([options.dev], "dev"), _background_options(options),
    )  # fmt: skip
    test = _read([options.test], "test")
    with Progress("comparing") as progress:
        names = options.methods.split(",")
        result = compare_methods(split, test, names, progress.told, progress.step)
    print_report(result, options.json)


def sweep(options):
    """Adapt over a grid of sigma2 and cutoff."""
    sigma2s = [check_sigma2(text) for text in options.sigma2.split(",")]
    cutoffs = [_cutoff(text, none_allowed=True) for text in options.cutoff.split(",")]
    corpus = _read(options.background, "train")
    texts = {"dev": _read([options.dev], "dev"), "test": _read([options.test], "test")}
    adaptation = _read(options.adapt, "train")
    with Progress("training") as progress:
        background = MEMM.fit(corpus, **_background_options(options), on_step=progress.step)
    with Progress("sweeping") as progress:
        points = sweep_grid(background, adaptation, texts, sigma2s, cutoffs, progress.counted)
    if options.json:
        rows = points.astype(object).where(points.notna(), None).to_dict("records")
        print_json({"points": rows})
    else:
        print(points.to_string(index=False, na_rep="none"))
