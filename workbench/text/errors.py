"""The exception for mistakes of the user, and the words in which a file or upload is refused."""

import re
from typing import Any

_PASSWORD = re.compile(r"(?<=://)([^/\s:@]*):[^/\s]*@")

# Whoever reads a file finds what is wrong with it and says which of these it is, see ``refusal``.
REFUSALS = {
    # that cannot be opened
    "missing": "no such file or folder",
    "unreadable": "cannot be read ({why})",
    "kind of file": "{kind}; a file of text is needed",
    "folder": "a folder without text; it should hold {allowed}",
    # at an address
    "local address": "a file on this computer is named by its path",
    "password": "no name and password are sent; an address without them is needed",
    "web page": "no text but {kind}; the address of a plain text is needed",
    "cut connection": "the connection ended {n:,} bytes too early",
    "server": "the server answers {code} {reason}",
    "unreachable": "cannot be reached ({why})",
    "no web server": "no answer of a web server ({why})",
    "no library": "{why}; pip install 'capitalization-workbench[cloud]', and s3fs for s3:// or "
    "gcsfs for gs://",
    "nothing there": "no such file",
    "unopened": "cannot be opened ({why})",
    # of too many bytes
    "large": "{n:,} bytes; a text has at most {most:,}",
    "large unpacked": "more than {most:,} bytes, unpacked; a text has at most these",
    "bomb": "more than {n:,} bytes in {packed:,} of {packing}: no text",
    # of bytes that are no text
    "binary": "no text but a binary file; UTF-8 plain text is needed",
    "wide": "{encoding} text; save it as UTF-8",
    "no UTF-8": "not UTF-8 (byte 0x{byte:02x} in line {line}, perhaps Latin-1); save it as UTF-8",
    "odd byte": "byte 0x{byte:02x} in line {line:,} is no UTF-8 text{note}; it passes unchanged "
    "where this is not strict",
    "empty": "an empty file; at least one sentence is needed",
    # of text that nothing can be learnt from
    "no words": "no words in it; at least one sentence is needed",
    "long sentence": "a sentence of {n:,} words: {most:,} are allowed; give one sentence a line, "
    "or running text with its punctuation",
    "no capital": "no capital letter in {n:,} words; text in its natural case is needed",
    "no case": "its script has no upper and lower case, so there is nothing to restore",
    "all capitals": "{n_all:,} of {n:,} words are ALL CAPS; text in its natural case is needed",
    "look": "{n:,} {what}: {advice}",
    # of labelled words
    "forms": "files of different forms; one corpus is of one form",
    "labels": "{n} labels; {most} are allowed",
    "no labelled words": "no words in it; a line for each is needed",
    "long labelled sentence": "a sentence of {n:,} words: {most:,} are allowed; a blank line ends "
    "a sentence",
    "empty sentence": "line {line:,}: an empty sentence; one blank line ends a sentence",
    "columns": "line {line:,}: {n} columns; {allowed} is allowed",
    "other columns": "line {line:,}: {n} columns, {before} before; all lines need as many",
    "label": "line {line:,}: label {label}; {allowed} are allowed",
    "stray label": "line {line:,}: {label} {after}; a chunk begins with B-{kind} (--repair reads "
    "it as one)",
}


class InputError(ValueError):
    """A mistake in what the user gave; its message is one line with what is allowed.

    What is quoted in it may hold anything: line breaks, codes that move a terminal's cursor.
    These are written as escapes. Passwords of addresses are left out.
    """

    def __init__(self, message: object):
        super().__init__("".join(map(_printable, hide_passwords(str(message)))))


def refusal(what: str, name: object = None, /, **facts: Any) -> InputError:
    """Return the error that refuses a text, by its name if it is known here; see ``REFUSALS``."""
    message = REFUSALS[what].format(**facts)
    return InputError(message if name is None else f"{name}: {message}")


def require_kind(value: Any, kind: type, making: str = "") -> Any:
    """Return a value; InputError if it is of another kind; ``making`` says what gives this one."""
    if not isinstance(value, kind):
        raise InputError(f"a {kind.__name__}{making} is needed, not {type(value).__name__}")
    return value


def hide_passwords(text: str) -> str:
    """Return a text without the passwords of its addresses, as in ftp://name:password@host."""
    return _PASSWORD.sub(r"\1:***@", text)


def _printable(letter):
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()
