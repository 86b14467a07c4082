"""The command line: ``python -m workbench``.

Results go to standard output, progress to standard error. Exit status 0 is
fine, 1 a user's mistake told in one line, 2 wrong usage.
"""

import argparse
import signal
import sys

from workbench import commands
from workbench.experiments.compare import METHODS
from workbench.features.templates import TEMPLATE_SETS
from workbench.models.kinds import KINDS
from workbench.models.unigram import UNSEEN_RULES
from workbench.text.errors import InputError

_TEXT = "a file or folder of UTF-8 text, or the name of a known data set"
_SIGMA2 = "variance of the Gaussian prior, greater than 0"


def main(arguments=None):
    """Run a command; returns the exit status."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except InputError as error:
        print(f"workbench: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("workbench: stopped; nothing was written", file=sys.stderr)
        return 1
    return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m workbench",
        description="Train, adapt, evaluate and use capitalizers (Chelba & Acero, 2004).",
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(run, text):
        added = subparsers.add_parser(run.__name__, help=text, description=text)
        added.set_defaults(run=run)
        return added

    data = command(commands.data, "List the data sets known and whether they are here.")
    data.add_argument("--json", action="store_true", help="print JSON")
    _add_train(command(commands.train, "Train a capitalizer on text in its natural case."))
    _add_adapt(command(commands.adapt, "Adapt a background model to text of a new domain."))
    evaluate = command(commands.evaluate, "Measure models on text in its natural case.")
    evaluate.add_argument("model", nargs="+", metavar="MODEL", help="a model file")
    evaluate.add_argument("--test", required=True, metavar="TEXT", help=_TEXT)
    evaluate.add_argument("--json", action="store_true", help="print JSON")
    recase = command(commands.recase, "Restore the case of a text: only letters change case.")
    recase.add_argument("model", metavar="MODEL", help="a model file")
    recase.add_argument("text", nargs="?", metavar="TEXT", help="a file; standard input if none")
    compared = command(commands.compare, "Tune methods on development data, compare them on test data.")
    _add_split(compared)
    compared.add_argument(
        "--methods", default="all", help=f"by commas, of {', '.join(METHODS)}; all by default"
    )
    swept = command(commands.sweep, "Adapt at every sigma2 and cutoff of a grid.")
    _add_split(swept)
    swept.add_argument("--sigma2", default="0.01,0.03,0.1,0.3,1,3,10", help="by commas")
    swept.add_argument("--cutoff", default="0", help="by commas; none adds no new feature")
    return parser


def _add_train(parser):
    parser.add_argument("text", nargs="+", metavar="TEXT", help=_TEXT)
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="model file")
    parser.add_argument("--model", choices=list(KINDS), default="memm", help="kind of model")
    parser.add_argument(
        "--unseen", choices=UNSEEN_RULES, default="loc", help="1gram: case of an unknown word"
    )
    _add_background_options(parser, "")


def _add_background_options(parser, prefix):
    parser.add_argument(
        f"--{prefix}cutoff", type=_number_or_text(int), default=5, metavar="N",
        help="drop features seen less often; 0 keeps all (default 5)",
    )  # fmt: skip
    parser.add_argument(
        f"--{prefix}sigma2", type=_number_or_text(float), default=5.0, metavar="X",
        help=f"{_SIGMA2} (default 5)",
    )  # fmt: skip
    parser.add_argument(
        "--templates", choices=list(TEMPLATE_SETS), default="ca04", help="template set"
    )


def _add_adapt(parser):
    parser.add_argument("model", metavar="BACKGROUND", help="a model file of kind memm")
    parser.add_argument("text", nargs="+", metavar="TEXT", help=_TEXT)
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="model file")
    parser.add_argument(
        "--sigma2", type=_number_or_text(float), default="auto", metavar="X",
        help=f"{_SIGMA2}; auto (default) searches it on --dev, or by 5-fold cross-validation",
    )  # fmt: skip
    parser.add_argument(
        "--cutoff", type=_number_or_text(int), default=0, metavar="N",
        help="add new features seen this often; 0 (default) all, none adds none",
    )  # fmt: skip
    parser.add_argument("--dev", metavar="TEXT", help=f"development text: {_TEXT}")


def _add_split(parser):
    text = {"metavar": "TEXT", "required": True}
    parser.add_argument("--background", nargs="+", help=f"{_TEXT}", **text)
    parser.add_argument("--adapt", nargs="+", help=_TEXT, **text)
    parser.add_argument("--dev", help=_TEXT, **text)
    parser.add_argument("--test", help=_TEXT, **text)
    _add_background_options(parser, "background-")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _number_or_text(number):
    """Take a number where it is one; what else it may be is judged, in one line, later."""

    def convert(text):
        try:
            return number(text)
        except ValueError:
            return text

    return convert
