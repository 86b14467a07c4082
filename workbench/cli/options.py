"""The options of each command of the command line, with their defaults and help."""

from workbench.adaptation.method import MODELS
from workbench.cli.commands import SMOOTHING
from workbench.experiments.ablation import EACH
from workbench.experiments.compare import METHODS
from workbench.experiments.papers.tables import TABLE_SPECS
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES
from workbench.learning.prior import PRIORS
from workbench.learning.solvers import SOLVERS
from workbench.models.kinds import KINDS
from workbench.models.unigram import UNSEEN_RULES


def add_json(parser):
    """Whether the result is for a program."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_output(parser):
    parser.add_argument(
        "-o", "--output", required=True, metavar="MODEL", help="model file to write"
    )


def add_train(parser):
    """What ``train`` takes."""
    parser.add_argument("text", nargs="+", metavar="TEXT", help="training text")
    _add_output(parser)
    parser.add_argument(
        "--model", choices=list(KINDS), default="memm",
        help="memm, a maximum entropy Markov model (default); crf, a linear-chain conditional "
        "random field; or 1gram, the paper's baseline",
    )  # fmt: skip
    parser.add_argument(
        "--unseen", choices=UNSEEN_RULES, default="loc",
        help="1gram: a word never seen is lower case (loc, default) or capitalized (cap)",
    )  # fmt: skip
    _add_cutoff(parser, "--cutoff")
    parser.add_argument(
        "--sigma2", metavar="X",
        help=f"variance of the Gaussian prior, greater than 0 (default {SMOOTHING['sigma2']:g})",
    )  # fmt: skip
    parser.add_argument(
        "--alpha", metavar="X",
        help=f"rate of the exponential prior, greater than 0 (default {SMOOTHING['alpha']:g})",
    )  # fmt: skip
    _add_learning(parser, "Goodman's exponential one, no weight below 0", "lbfgs")
    _add_templates(parser, "")


def _add_learning(parser, exponential, solver):
    """Which prior, and how its optimum is found."""
    parser.add_argument(
        "--prior", choices=list(PRIORS), default="gaussian",
        help=f"gaussian (default) or {exponential}",
    )  # fmt: skip
    default = solver or "newton, lbfgs for the exponential prior"
    parser.add_argument(
        "--solver", choices=list(SOLVERS), default=solver,
        help="lbfgs, L-BFGS, stops near the optimum; newton goes on to it; iis, the paper's "
        "improved iterative scaling, is much slower; the last two take a gaussian prior "
        f"(default {default})",
    )  # fmt: skip


def _add_background_options(parser, templates="ca04"):
    of = "of the background; "
    _add_cutoff(parser, "--background-cutoff", of)
    parser.add_argument(
        "--background-sigma2", default=SMOOTHING["sigma2"], metavar="X",
        help=f"{of}variance of the Gaussian prior, greater than 0 (default %(default)g)",
    )  # fmt: skip
    _add_templates(parser, of, templates)


def _add_cutoff(parser, name, of=""):
    parser.add_argument(
        name, default=5, metavar="N",
        help=f"{of}drop features seen fewer than N times; 0 keeps all (default 5)",
    )  # fmt: skip


def _add_templates(parser, of, default="ca04"):
    parser.add_argument(
        "--templates", default=default, metavar="'SET +A -B'",
        help=f"{of}feature templates: a set ({', '.join(TEMPLATE_SETS)}), to which +NAME adds "
        "one template and from which -NAME takes one, in quotes and parted by blanks, as in "
        f"'ca04 +shape -nextword' (default %(default)s); known are {' '.join(TEMPLATES)}",
    )  # fmt: skip


def add_adapt(parser):
    """What ``adapt`` takes."""
    parser.add_argument(
        "model", metavar="BACKGROUND", help="model file that `train` wrote, memm or crf"
    )
    parser.add_argument("text", nargs="+", metavar="TEXT", help="adaptation text")
    _add_output(parser)
    parser.add_argument(
        "--sigma2", metavar="X",
        help="variance of the Gaussian prior around the background, greater than 0: small stays "
        "near it, large follows the new text; auto (default) searches the best",
    )  # fmt: skip
    for name, of in (("--sigma2-m", "inherited from the background"), ("--sigma2-a", "new")):
        parser.add_argument(
            name, metavar="X",
            help=f"in the place of --sigma2: variance of the features that are {of}; auto "
            "(default beside the other) searches the best",
        )  # fmt: skip
    parser.add_argument(
        "--alpha", metavar="X",
        help="rate of the exponential prior around the background, greater than 0: large stays "
        "near it; auto (default) searches the best",
    )  # fmt: skip
    _add_learning(parser, "an exponential one, which leaves many weights as they are", None)
    parser.add_argument(
        "--cutoff", default=0, metavar="N",
        help="add features seen N times or more in TEXT; 0 adds all (default), none adds none",
    )  # fmt: skip
    parser.add_argument(
        "--dev", metavar="TEXT",
        help="development text that auto counts errors on; "
        "5-fold cross-validation on the adaptation text without it",
    )  # fmt: skip
    parser.add_argument(
        "--adapter", action="store_true",
        help="write only what changed, a small file that needs BACKGROUND to stay where it is",
    )  # fmt: skip


def add_evaluate(parser):
    """What ``evaluate`` takes."""
    parser.add_argument(
        "model", nargs="+", metavar="MODEL", help="model files; each is compared with later ones"
    )
    parser.add_argument("--test", required=True, metavar="TEXT", help="test text")
    add_json(parser)


def add_recase(parser):
    """What ``recase`` takes."""
    parser.add_argument("model", metavar="MODEL", help="model file")
    parser.add_argument(
        "text", nargs="?", metavar="TEXT",
        help="file of UTF-8 text in any case, .gz too; standard input if none",
    )  # fmt: skip


def _add_split(parser, with_test=True):
    text = {"metavar": "TEXT", "required": True}
    parser.add_argument("--background", nargs="+", help="background text", **text)
    parser.add_argument("--adapt", nargs="+", help="adaptation text", **text)
    parser.add_argument("--dev", help="development text, to choose on", **text)
    if with_test:
        parser.add_argument("--test", help="test text, to report on", **text)
    parser.add_argument(
        "--model", choices=[model.kind for model in MODELS], default="memm",
        help="what is trained and adapted (default memm); a crf is not for all methods",
    )  # fmt: skip


def add_compare(parser):
    """What ``compare`` takes."""
    _add_split(parser)
    told = "; ".join(f"{method.name}, {method.note}" for method in METHODS.values())
    parser.add_argument(
        "--methods", default="all", metavar="A,B,...", help=f"all (default) or some of: {told}"
    )
    _add_background_options(parser)
    add_json(parser)


def add_sweep(parser):
    """What ``sweep`` takes."""
    _add_split(parser)
    parser.add_argument(
        "--sigma2", default="0.01,0.03,0.1,0.3,1,3,10", metavar="X,Y,...",
        help="variances of the prior around the background (default %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--cutoff", default="0", metavar="N,M,...",
        help="cutoffs of new features (default 0, adds all; none adds none)",
    )  # fmt: skip
    _add_background_options(parser)
    add_json(parser)


def add_ablate(parser):
    """What ``ablate`` takes."""
    _add_split(parser, with_test=False)
    parser.add_argument(
        "--each", choices=EACH, default="without",
        help="without (default): take each of the templates from all of them; added: add each to "
        "those of ca04",
    )  # fmt: skip
    parser.add_argument(
        "--sigma2", default="auto", metavar="X",
        help="variance of the prior around the background, the same for all, greater than 0; "
        "auto (default) searches the best for all templates, or ca04",
    )  # fmt: skip
    _add_background_options(parser, "extended")
    add_json(parser)


def add_tables(parser):
    """What ``tables`` takes."""
    text = {"metavar": "TEXT", "required": True, "nargs": "+"}
    parser.add_argument(
        "--background", **text,
        help="background text; of several, models are trained on the first, the first two, ...",
    )  # fmt: skip
    parser.add_argument(
        "--adapt", **text, help="data sets with train, dev and test, each a domain of its own"
    )
    parser.add_argument(
        "--in-domain", metavar="TEXT",
        help="test text of the background's kind (default: that of the background's data set)",
    )  # fmt: skip
    parser.add_argument(
        "--amounts", metavar="N,M,...",
        help="words of the background to train on beside all of it (default: as its texts add up, "
        "of one text 10 and 17.5 %%, the paper's shares)",
    )  # fmt: skip
    told = "; ".join(f"{spec.name}, {spec.title}" for spec in TABLE_SPECS.values())
    parser.add_argument("--only", default="", metavar="A,B,...", help=f"some of: {told}")
    _add_background_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to the terminal")
    add_json(parser)
