"""The command line: ``python -m workbench``.

Results go to standard output, progress to standard error. Exit status 0 is
fine, 1 a mistake told in one line, 2 wrong usage.
"""

import argparse
import re
import signal
import sys
import warnings

from workbench import commands
from workbench.adaptation.union import MODELS
from workbench.commands import SMOOTHING
from workbench.console import say
from workbench.experiments.ablation import EACH
from workbench.experiments.compare import METHODS
from workbench.experiments.tables import MAKERS
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES
from workbench.learning.prior import PRIORS
from workbench.learning.training import SOLVERS
from workbench.models.kinds import KINDS
from workbench.models.unigram import UNSEEN_RULES
from workbench.text.errors import InputError

_SESSION = """\
a session, on text that is always here:
  python -m workbench train scientific-docs -o science.model
  python -m workbench adapt science.model streamlit-docs --dev streamlit-docs -o streamlit.model
  python -m workbench evaluate science.model streamlit.model --test streamlit-docs
  echo "streamlit draws a pandas dataframe." | python -m workbench recase streamlit.model

COMMAND --help explains each. Results go to standard output, progress to standard
error; exit status 0 is fine, 1 a mistake told in one line, 2 wrong usage."""

_TEXT = """\
TEXT is a file or a folder of UTF-8 text in its natural case, one sentence a line or
running text, .gz too; or the name of a data set that `data` lists. A data set is a
folder with train.txt or part-* files, dev.txt and test.txt: of it each option takes
its own part. Labelled words, one a line and a blank line after a sentence, are files that
end in .iob (word, part of speech, chunk) or .tag (word, part of speech): train.iob, dev.iob,
test.iob; --templates chunk and pos are for them."""


_NEGATIVE = re.compile(r"-(\d|\.\d|inf|nan)")


def main(arguments=None):
    """Run a command; returns the exit status."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends us quietly
    options = _parser().parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: _tell(f"warning: {message}")
            options.run(options)
    except InputError as error:
        _tell(error)
    except KeyboardInterrupt:
        _tell("stopped; nothing was written")
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        _tell(f"{type(error).__name__}: {error} (python -X dev -m workbench ... shows where)")
    else:
        return 0
    return 1


def _tell(message):
    say("workbench: " + " ".join(str(message).splitlines()))


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m workbench",
        description="Train, adapt, evaluate and use capitalizers (Chelba & Acero, 2004).",
        epilog=_SESSION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(run, text, epilog=_TEXT):
        added = subparsers.add_parser(
            run.__name__, help=text, description=text, epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        added.set_defaults(run=run)
        # Else argparse takes --sigma2 -1e-3 for two options, and the reader for wrong usage.
        added._negative_number_matcher = _NEGATIVE
        return added

    _add_json(command(commands.data, "List the data sets known and whether they are here.", None))
    _add_train(command(commands.train, "Train a capitalizer."))
    _add_adapt(command(commands.adapt, "Adapt a background model to text of a new domain."))
    _add_evaluate(command(commands.evaluate, "Measure models on a text that has its case."))
    _add_recase(
        command(commands.recase, "Restore the case of a text; only letters change case.", None)
    )
    _add_compare(
        command(commands.compare, "Tune methods on development data, compare them on test data.")
    )
    _add_sweep(command(commands.sweep, "Adapt at every sigma2 and cutoff of a grid."))
    _add_ablate(
        command(commands.ablate, "Measure what each template is worth on development data.")
    )
    _add_tables(command(commands.tables, "Make the papers' tables and figures on given texts."))
    return parser


def _add_json(parser):
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_output(parser):
    parser.add_argument(
        "-o", "--output", required=True, metavar="MODEL", help="model file to write"
    )


def _add_train(parser):
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


def _add_adapt(parser):
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


def _add_evaluate(parser):
    parser.add_argument(
        "model", nargs="+", metavar="MODEL", help="model files; each is compared with later ones"
    )
    parser.add_argument("--test", required=True, metavar="TEXT", help="test text")
    _add_json(parser)


def _add_recase(parser):
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


def _add_compare(parser):
    _add_split(parser)
    told = "; ".join(f"{method.name}, {method.note}" for method in METHODS.values())
    parser.add_argument(
        "--methods", default="all", metavar="A,B,...", help=f"all (default) or some of: {told}"
    )
    _add_background_options(parser)
    _add_json(parser)


def _add_sweep(parser):
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
    _add_json(parser)


def _add_ablate(parser):
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
    _add_json(parser)


def _add_tables(parser):
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
    told = "; ".join(f"{maker.name}, {maker.title}" for maker in MAKERS.values())
    parser.add_argument("--only", default="", metavar="A,B,...", help=f"some of: {told}")
    _add_background_options(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write there, not to the terminal")
    _add_json(parser)
