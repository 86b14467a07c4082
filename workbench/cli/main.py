"""The command line: ``workbench``, or ``python -m workbench``.

Results go to standard output, progress to standard error. The exit status is 0 for success,
1 for a mistake, which one line explains, and 2 for wrong usage.
"""

import argparse
import re
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench import __version__
from workbench.cli import arguments, experiment_commands, launchers, model_commands
from workbench.cli.console import say
from workbench.text.errors import InputError

_SESSION = """\
a session, on text that is always here:
  {prog} train scientific-docs -o science.model
  {prog} adapt science.model nltk-docs --dev nltk-docs -o nltk.model
  {prog} evaluate science.model nltk.model --test nltk-docs
  echo "the penn treebank is one of the corpora of nltk." | {prog} recase nltk.model

{prog} COMMAND --help explains each. Results go to standard output, progress to
standard error; exit status 0 is success, 1 a mistake explained in one line, 2 wrong usage."""

_TEXT = """\
TEXT is a file or a folder of UTF-8 text in its natural case, one sentence a line or
running text, .gz too; or the name of a data set that `data` lists. A data set is a
folder with train.txt or part-* files, dev.txt and test.txt: each option takes its own
part of it. Labelled words, one a line and a blank line after a sentence, are files that
end in .iob (word, part of speech, chunk) or .tag (word, part of speech): train.iob, dev.iob,
test.iob; --templates chunk and pos are for them."""

_NEGATIVE_NUMBER = re.compile(r"-(\d|\.\d|inf|nan)")


class _Command(NamedTuple):
    """A command: what runs it, what declares its options, and its help."""

    run: Callable[[argparse.Namespace], None]
    add_options: Callable[[argparse.ArgumentParser], None]
    help: str
    epilog: str | None = _TEXT
    passes_words_on: bool = False


_COMMANDS = (
    _Command(model_commands.data, arguments.add_json,
             "List the known data sets and whether they are here.", None),
    _Command(model_commands.train, arguments.add_train, "Train a capitalizer."),
    _Command(model_commands.adapt, arguments.add_adapt,
             "Adapt a background model to text of a new domain."),
    _Command(model_commands.evaluate, arguments.add_evaluate,
             "Measure models on a text that has its case."),
    _Command(model_commands.recase, arguments.add_recase,
             "Restore the case of a text; only letters change case.", None),
    _Command(experiment_commands.compare, arguments.add_compare,
             "Tune methods on development data, compare them on test data."),
    _Command(experiment_commands.sweep, arguments.add_sweep,
             "Adapt at every sigma2 and cutoff of a grid."),
    _Command(experiment_commands.report, arguments.add_report,
             "Write a single page with a working slider, which opens offline."),
    _Command(experiment_commands.ablate, arguments.add_ablate,
             "Measure what each template is worth on development data."),
    _Command(experiment_commands.tables, arguments.add_tables,
             "Make the papers' tables and figures on given texts."),
    _Command(launchers.app, lambda parser: None,
             "Start the page in a browser.", arguments.APP_NOTE, True),
    _Command(launchers.notebooks, arguments.add_notebooks,
             "Open the notebooks in JupyterLab.", arguments.NOTEBOOKS_NOTE, True),
)  # fmt: skip


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends us quietly
    options = _parse(words)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: _report(f"warning: {message}")
            options.run(options)
    except InputError as error:
        _report(error)
    except KeyboardInterrupt:
        _report("stopped; nothing was written")
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        _report(f"{type(error).__name__}: {error} (python -X dev -m workbench ... shows where)")
    else:
        return 0
    return 1


def _report(message):
    say("workbench: " + " ".join(str(message).splitlines()))


def _parse(words):
    """Return the options of a command line; exits with status 2 on wrong usage."""
    parser = make_parser()
    options, further = parser.parse_known_args(words)
    if further and not options.passes_words_on:
        parser.error(f"unrecognized arguments: {' '.join(further)}")
    options.words = further
    return options


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    prog = "python -m workbench" if sys.argv[0].endswith("__main__.py") else "workbench"
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog=prog,
        description="Train, adapt, evaluate and use capitalizers (Chelba & Acero, 2004).",
        epilog=_SESSION.format(prog=prog),
        formatter_class=form,
    )
    version = f"capitalization-workbench {__version__}"
    parser.add_argument("--version", action="version", version=version, help="print the version")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        added = subparsers.add_parser(
            command.run.__name__, help=command.help, description=command.help,
            epilog=command.epilog, formatter_class=form, allow_abbrev=not command.passes_words_on,
        )  # fmt: skip
        command.add_options(added)
        added.set_defaults(run=command.run, passes_words_on=command.passes_words_on)
        # Without it argparse reads --sigma2 -1e-3 as two options, not as a bad value.
        added._negative_number_matcher = _NEGATIVE_NUMBER
    return parser
