"""The commands ``compare``, ``report`` and ``tables`` where texts are candidate sets."""

from argparse import Namespace

from workbench.adaptation.method import Split
from workbench.candidates.comparison import CandidateBench
from workbench.candidates.files import read_all_parts
from workbench.candidates.inputs import (
    check_background,
    learning_of,
    locate,
    read_sets,
    refuse_options_of_words,
)
from workbench.candidates.model import CandidateModel
from workbench.candidates.pn08 import CandidateStudy, make_candidate_tables
from workbench.candidates.result_text import describe_selections
from workbench.candidates.session import CandidateSession, open_candidate_session
from workbench.candidates.sets import TASK
from workbench.cli.commands import report as reports
from workbench.cli.console import Progress, check_output, print_result
from workbench.experiments.compare import find_methods
from workbench.experiments.papers.tables import find_table_specs
from workbench.experiments.split_tasks import SplitStudy, compare_by_tasks
from workbench.experiments.task_runner import open_runner


def compare(options: Namespace) -> None:
    """Compare methods on candidate sets."""
    refuse_options_of_words(options)
    names = [name.strip() for name in options.methods.split(",")]
    find_methods(names, CandidateModel, TASK)
    background_options = check_background(options)
    background, adaptation = (
        read_sets(texts, "train") for texts in (options.background, options.adapt)
    )
    dev, test = _read_judged(options, ("dev", "test"))
    split = Split(background, adaptation, dev, background_options, CandidateModel)
    with Progress("background") as progress:
        study = SplitStudy(split, test, progress.step, CandidateBench)
        with open_runner(study, vars(options), progress.began) as runner:
            result = compare_by_tasks(study, names, runner)
    print_result(result, describe_selections(result), options.json)


def report(options: Namespace) -> None:
    """Write one page with the slider of candidate sets."""
    reports.report(options, _open_session)


def _open_session(options: Namespace) -> CandidateSession:
    """Return the session of a report; without test sets those of dev stand in for them."""
    refuse_options_of_words(options)
    background_options = check_background(options)
    train = learning_of(options).judge(read_sets(options.adapt, "train"))
    dev, *test = _read_judged(options, ("dev", "test") if options.test else ("dev",))
    corpora = {"train": train, "dev": dev, "test": test[0] if test else dev}
    background = read_sets(options.background, "train")
    with Progress("background") as progress:
        return open_candidate_session(
            background, corpora, progress.step, options=background_options
        )


def _read_judged(options, parts):
    """Return parts of a domain, with the quality that is learnt."""
    learning = learning_of(options)
    return [learning.judge(read_sets([getattr(options, part)], part)) for part in parts]


def tables(options: Namespace) -> None:
    """Make the papers' tables on candidate sets."""
    refuse_options_of_words(options)
    names = [name.strip() for name in options.only.split(",") if name.strip()]
    find_table_specs(names, TASK)
    background_options = check_background(options)
    check_output(options.output, [*options.background, *options.adapt], "table")
    background = read_sets(options.background, "train")
    domains = {sets.name: sets for sets in map(read_all_parts, map(locate, options.adapt))}
    with Progress("tables") as progress:
        watch = progress.began, progress.step
        study = CandidateStudy(background, domains, background_options, *watch)
        with open_runner(study, vars(options), progress.began) as runner:
            made = make_candidate_tables(study, names, runner)
    reports.print_tables(made, study, options)
