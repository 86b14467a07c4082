"""The command line: ``python -m workbench``.

Results go to standard output, progress to standard error. Exit status 0 is
fine, 1 a mistake told in one line, 2 wrong usage.
"""

import argparse
import re
import signal
import sys
import warnings

from workbench.cli import commands, studies
from workbench.cli.console import say
from workbench.cli.options import (
    add_ablate,
    add_adapt,
    add_compare,
    add_evaluate,
    add_json,
    add_recase,
    add_sweep,
    add_tables,
    add_train,
)
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

    add_json(command(commands.data, "List the data sets known and whether they are here.", None))
    add_train(command(commands.train, "Train a capitalizer."))
    add_adapt(command(commands.adapt, "Adapt a background model to text of a new domain."))
    add_evaluate(command(commands.evaluate, "Measure models on a text that has its case."))
    add_recase(
        command(commands.recase, "Restore the case of a text; only letters change case.", None)
    )
    add_compare(
        command(studies.compare, "Tune methods on development data, compare them on test data.")
    )
    add_sweep(command(studies.sweep, "Adapt at every sigma2 and cutoff of a grid."))
    add_ablate(command(studies.ablate, "Measure what each template is worth on development data."))
    add_tables(command(studies.tables, "Make the papers' tables and figures on given texts."))
    return parser
