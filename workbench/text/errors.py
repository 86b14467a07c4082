"""The exception for mistakes of the user."""

import re
from typing import Any

_PASSWORD = re.compile(r"(?<=://)([^/\s:@]*):[^/\s]*@")


class InputError(ValueError):
    """A mistake in what the user gave; its message is one line with what is allowed.

    What is quoted in it may hold anything: line breaks, codes that move a terminal's cursor.
    These are written as escapes. Passwords of addresses are left out.
    """

    def __init__(self, message: object):
        super().__init__("".join(map(_printable, hide_passwords(str(message)))))


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
