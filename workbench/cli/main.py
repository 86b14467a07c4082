"""The command line: ``workbench``, or ``python -m workbench``.

Results go to standard output, progress to standard error. The exit status is 0 for success,
1 for a mistake, which one line explains, 2 for wrong usage, and 130 if Ctrl-C ended it.
"""

import argparse
import re
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

from workbench import __version__
from workbench.annexes import added, added_to, load
from workbench.cli.console import print_lines, say
from workbench.cli.options import MOST_AT_ONCE, check_count, refuse_without_effect
from workbench.numerics.threads import set_threads
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
running text, .gz and .zst too (of a folder all .txt files, also in its folders); the address
of a file, such as https://…; or the name of a data set that `data` lists. A data set is a
folder with train.txt or part-* files, dev.txt and test.txt: each option takes its own part
of it. Labelled words, one a line and a blank
line after a sentence, are files that end in .iob (word, part of speech, chunk) or .tag
(word, part of speech): train.iob, dev.iob, test.iob; --templates chunk and pos are for them."""

_APP_NOTE = """\
Further words go to Streamlit, such as --server.port 8600. The page answers this computer
alone, at localhost, unless --server.address names another address."""
_NOTEBOOKS_NOTE = """\
Further words go to JupyterLab, such as --no-browser. Of an installed package a copy of the
notebooks is opened; a notebook that is in the folder already is left as it is."""

_NEGATIVE_NUMBER = re.compile(r"-(\d|\.\d|inf|nan)")


class _Command(NamedTuple):
    """A command: its help, and which module has it and its options.

    That module is imported when the command is asked for: ``recase`` needs neither pandas nor the
    studies. Annexes add options to a command, and may take it over, by their table ``OPTIONS``.
    """

    name: str
    module: str
    help: str
    epilog: str | None = None
    passes_words_on: bool = False

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declare its options."""
        self._find(f"add_{self.name}")(parser)
        for add_options, _ in added_to("OPTIONS", self.name):
            add_options(parser)

    def find_run(self, options: argparse.Namespace) -> Callable[[argparse.Namespace], None]:
        """Return what runs it: the first annex that takes it, given its options, or itself."""
        taken = [take(options) for _, take in added_to("OPTIONS", self.name)]
        return next(filter(None, taken), self._find(self.name))

    def _find(self, name):
        return load(f"{self.module}:{name}")


_HERE = "workbench.cli.commands"
_COMMANDS = (
    _Command("data", f"{_HERE}.evaluate", "List the known data sets and whether they are here."),
    _Command("train", f"{_HERE}.train", "Train a capitalizer.", _TEXT),
    _Command("adapt", f"{_HERE}.adapt", "Adapt a background model to text of a new domain.", _TEXT),
    _Command("evaluate", f"{_HERE}.evaluate", "Measure models on a text that has its case.", _TEXT),
    _Command("recase", f"{_HERE}.recase", "Restore the case of a text; only letters change case."),
    _Command("inspect", f"{_HERE}.evaluate", "Say what model files are and where they come from."),
    _Command("compare", f"{_HERE}.compare",
             "Tune methods on development data, compare them on test data.", _TEXT),
    _Command("sweep", f"{_HERE}.compare", "Adapt at every sigma2 and cutoff of a grid.", _TEXT),
    _Command("report", f"{_HERE}.report",
             "Write a single page with a working slider, which opens offline.", _TEXT),
    _Command("ablate", f"{_HERE}.compare",
             "Measure what each template is worth on development data.", _TEXT),
    _Command("tables", f"{_HERE}.report", "Make the papers' tables and figures on given texts.",
             _TEXT),
    _Command("app", f"{_HERE}.launch", "Start the page in a browser.", _APP_NOTE, True),
    _Command("notebooks", f"{_HERE}.launch", "Open the notebooks in JupyterLab.",
             _NOTEBOOKS_NOTE, True),
)  # fmt: skip


def _commands():
    """Return all commands, those of annexes last."""
    return [*_COMMANDS, *(_Command(name, *entry) for name, entry in added("COMMANDS").items())]


class _Parser(argparse.ArgumentParser):
    """A parser whose help is written as any result is."""

    def _print_message(self, message, file=None):
        text = message.removesuffix("\n")
        print_lines([text]) if file is sys.stdout else say(text)


def main(words: Sequence[str] | None = None, on_loaded: Callable[[], object] = int) -> int:
    """Run a command; returns the exit status. ``on_loaded`` is called before it begins to work."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends us quietly
    try:
        options = _parse(words)
        on_loaded()
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: _report(f"warning: {message}")
            _check(options)
            options.find_run(options)(options)
    except InputError as error:
        _report(error)
    except KeyboardInterrupt:
        _report("stopped; nothing was written")
        return 130
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        _report(f"{type(error).__name__}: {error} (python -X dev -m workbench ... shows where)")
    else:
        return 0
    return 1


def _check(options):
    """Refuse what no command can do; set how many threads share a loop, if the option is given."""
    given = [value for name, value in vars(options).items() if name != "output"]
    if sum((value if isinstance(value, list) else [value]).count("-") for value in given) > 1:
        raise InputError("-: standard input is read once, as one text")
    refuse_without_effect(options)
    if (n := getattr(options, "threads", None)) is not None:
        set_threads(check_count("threads", n, 1, MOST_AT_ONCE))


def _report(message):
    say("workbench: " + " ".join(str(message).splitlines()))


def _parse(words):
    """Return the options of a command line; exits with status 2 on wrong usage."""
    words = sys.argv[1:] if words is None else list(words)
    parser = make_parser(next((word for word in words if not word.startswith("-")), ""))
    options, further = parser.parse_known_args(words)
    if "text" in options and not options.passes_words_on:  # argparse takes none after an option
        options.text += [word for word in further if _is_text(word)]
        options.text = options.text or ["-"]
        further = [word for word in further if not _is_text(word)]
    if further and not options.passes_words_on:
        parser.error(f"unrecognized arguments: {' '.join(further)}")
    options.words = further
    return options


def _is_text(word):
    return word == "-" or not word.startswith("-")


def make_parser(only: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the command line, with the options of all commands or of one alone."""
    prog = "python -m workbench" if sys.argv[0].endswith("__main__.py") else "workbench"
    form = argparse.RawDescriptionHelpFormatter
    parser = _Parser(
        prog=prog,
        description="Train, adapt, evaluate and use capitalizers (Chelba & Acero, 2004).",
        epilog=_SESSION.format(prog=prog),
        formatter_class=form,
    )
    version = f"capitalization-workbench {__version__}"
    parser.add_argument("--version", action="version", version=version, help="print the version")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _commands():
        added = subparsers.add_parser(
            command.name, help=command.help, description=command.help,
            epilog=command.epilog, formatter_class=form, allow_abbrev=not command.passes_words_on,
        )  # fmt: skip
        if only in (None, command.name):
            command.add_options(added)
        added.set_defaults(find_run=command.find_run, default_of=added.get_default)
        added.set_defaults(passes_words_on=command.passes_words_on)
        # Without it argparse reads --sigma2 -1e-3 as two options, not as a bad value.
        added._negative_number_matcher = _NEGATIVE_NUMBER
    return parser
