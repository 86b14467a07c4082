"""The commands ``compare`` and ``tables`` where texts are candidate sets."""

from argparse import Namespace
from collections.abc import Sequence

from workbench.adaptation.method import Split
from workbench.cli.candidate_inputs import (
    check_background,
    locate,
    read_sets,
    refuse_options_of_words,
)
from workbench.cli.candidate_text import describe_selections
from workbench.cli.console import Progress, check_output, print_result
from workbench.experiments.candidate_comparison import compare_on_candidates
from workbench.experiments.compare import find_methods
from workbench.experiments.exploring.candidates.candidate_session import (
    CandidateSession,
    open_candidate_session,
)
from workbench.experiments.papers.pn08_candidates import (
    CANDIDATE_SPECS,
    CandidateStudy,
    make_candidate_tables,
)
from workbench.experiments.papers.tables import Table
from workbench.features.candidates.candidate_files import read_all_parts
from workbench.models.candidates.candidate_model import CandidateModel
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName


def compare(options: Namespace) -> None:
    """Compare methods on candidate sets."""
    refuse_options_of_words(options)
    names = [name.strip() for name in options.methods.split(",")]
    find_methods(names, CandidateModel, TaskName.CANDIDATES)
    background_options = check_background(options)
    split = Split(
        read_sets(options.background, "train"), read_sets(options.adapt, "train"),
        read_sets([options.dev], "dev"), background_options, CandidateModel,
    )  # fmt: skip
    test = read_sets([options.test], "test")
    with Progress("background") as progress:
        result = compare_on_candidates(split, test, names, progress.began, progress.step)
    print_result(result, describe_selections(result), options.json)


def open_session(options: Namespace) -> CandidateSession:
    """Return the session of a report; without test sets those of dev stand in for them."""
    refuse_options_of_words(options)
    background_options = check_background(options)
    corpora = {"train": read_sets(options.adapt, "train"), "dev": read_sets([options.dev], "dev")}
    corpora["test"] = read_sets([options.test], "test") if options.test else corpora["dev"]
    background = read_sets(options.background, "train")
    with Progress("background") as progress:
        return open_candidate_session(
            background, corpora, progress.step, options=background_options
        )


def make_tables(options: Namespace, names: Sequence[str]) -> tuple[list[Table], CandidateStudy]:
    """Return the papers' tables on candidate sets, and the study that they are made of."""
    refuse_options_of_words(options)
    if others := [name for name in names if name not in CANDIDATE_SPECS]:
        known = ", ".join(CANDIDATE_SPECS)
        raise InputError(f"table {others[0]!r} is not for candidate sets; allowed are {known}")
    background_options = check_background(options)
    if options.output:
        check_output(options.output, [*options.background, *options.adapt], "the tables need")
    background = read_sets(options.background, "train")
    domains = {sets.name: sets for sets in map(read_all_parts, map(locate, options.adapt))}
    with Progress("tables") as progress:
        study = CandidateStudy(background, domains, background_options, progress.began)
        return list(make_candidate_tables(study, names)), study
