"""Tables 1 to 6 and figure 1 of Chelba & Acero (2004): their columns, rows and judgements."""

from workbench.experiments.papers import ca04_paper as paper
from workbench.experiments.papers import ca04_rows as rows
from workbench.experiments.papers.study import Column, TableSpec

_WORDS = Column("words", "words of background", "count")
_PAPER_RATE = Column("paper", "paper", "rate")


def _spec(name, title, columns, make, judge):
    what = "figure 1" if name == "figure1" else f"table {name}"
    columns = tuple(c if isinstance(c, Column) else Column(*c) for c in columns)
    return TableSpec(name, "CA04", what, title, columns, make, judge)


TABLE_SPECS = (
    _spec(
        "1", "sizes of the data, in words",
        (
            ("text", "text"), ("role", "role"), ("train", "train", "count"),
            ("paper_train", "paper, train", "count"), ("dev", "dev", "count"),
            ("test", "test", "count"), ("paper_test", "paper, test", "count"),
            ("paper", "stands for"),
        ),
        rows.make_sizes, paper.judge_sizes,
    ),
    _spec(
        "2", "model sizes by amount of background data",
        (
            ("model", "model"), _WORDS, ("parameters", "parameters", "count"),
            ("a_thousand", "a thousand words", "nats"), ("paper_words", "paper, words", "count"),
            ("paper_parameters", "paper, parameters", "count"),
        ),
        rows.make_model_sizes, paper.judge_model_sizes,
    ),
    _spec(
        "3", "errors by amount of background data",
        (
            ("model", "model"), _WORDS, ("in_domain", "in-domain test", "rate"), _PAPER_RATE,
            ("out_of_domain", "dev of the domains", "rate"),
        ),
        rows.make_amounts, paper.judge_amounts,
    ),
    _spec(
        "4", "size by cut-off of the adaptation features",
        (
            ("domain", "adapted to"), ("cutoff", "cut-off"), ("features", "features", "count"),
            ("paper", "paper", "count"), ("new", "new", "count"),
            ("paper_new", "paper, new", "count"),
        ),
        rows.make_cutoffs, paper.judge_cutoffs,
    ),
    _spec(
        "5", "log-likelihood and accuracy by cut-off and sigma2",
        (
            ("cutoff", "cut-off"), ("sigma2", "sigma2", "number"), ("best", "on dev"),
            ("log_likelihood", "log-likelihood, nats", "nats"),
            ("accuracy", "dev accuracy", "rate"), _PAPER_RATE,
        ),
        rows.make_likelihoods, paper.judge_likelihoods,
    ),
    _spec(
        "6", "trained on, tested on",
        (
            ("tested_on", "tested on"), ("trained_on", "trained on"), ("error", "error", "rate"),
            _PAPER_RATE, ("change", "change", "change"),
            ("paper_change", "paper, change", "change"), ("p", "p (McNemar)", "chance"),
            ("says", "what it says"),
        ),
        rows.make_matrix, paper.judge_matrix,
    ),
    _spec(
        "figure1", "log-likelihood and errors against sigma2",
        (
            ("sigma2", "sigma2", "number"), ("log_likelihood", "log-likelihood, nats", "nats"),
            ("train_error_rate", "adaptation text", "rate"), ("dev_error_rate", "dev", "rate"),
        ),
        rows.make_curve, paper.judge_curve,
    ),
)  # fmt: skip
