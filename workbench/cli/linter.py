"""Lines of an adaptation text that mislead: counted, left out, or a reason to refuse it."""

from collections.abc import Sequence

from workbench.cli.console import say
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError
from workbench.text.lint import Finding, drop_faults, find_format, find_little, lint_text


class Linter:
    """Looks at the files of an adaptation text for lines that mislead, and does what was chosen.

    Parameters
    ----------
    choice : {"keep", "drop", "refuse"}
        Count such lines; leave them out, too; or refuse the text.

    Attributes
    ----------
    findings : list of (str, Finding)
        What was found, with the name of the file.
    """

    def __init__(self, choice: str):
        self._choice, self.findings = choice, list[tuple[str, Finding]]()

    def sift(self, text: str, name: str) -> str:
        """Return the text of a file as it is to be read; InputError if that is refused."""
        found = lint_text(text)
        if self._choice == "drop":
            looks = find_format(text)
            text, dropped = drop_faults(text)
            found = looks + dropped
        if not text.strip():
            raise InputError(
                f"{name}: nothing is left without {_list(found)}; --lint keep takes it"
            )
        self._note(name, found, "--lint drop leaves such lines out, keep takes them")
        return text

    def check_size(self, corpus: Corpus) -> None:
        """Note that a corpus is far too small; InputError if that is refused."""
        self._note(corpus.name, find_little(corpus), "more text is needed, or --lint keep")

    def _note(self, name, found, remedy):
        if found and self._choice == "refuse":
            raise InputError(f"{name}: {_list(found)}; {remedy}")
        self.findings += [(name, finding) for finding in found]

    def say_all(self) -> None:
        """Print one line for each finding."""
        for name, found in self.findings:
            if not found.lines:
                said = found.advice
            elif self._choice == "drop":
                said = "left out"
            else:
                said = f"kept. {found.advice}"
            say(f"{name}: {_list([found])}: {said}")

    def to_json(self) -> list[dict]:
        """Return the findings as plain dictionaries."""
        return [{"text": name, **found._asdict()} for name, found in self.findings]


def _list(findings: Sequence[Finding]) -> str:
    """Return findings as a list in words."""
    return ", ".join(f"{found.n:,} {found.what}{found.places}" for found in findings)
