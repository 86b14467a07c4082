"""The exception for mistakes of the user."""


class InputError(ValueError):
    """A mistake in what the user gave; its message is one line with what is allowed.

    What is quoted in it may hold anything: line breaks, codes that move a terminal's cursor.
    These are written as escapes.
    """

    def __init__(self, message: object):
        super().__init__("".join(map(_printable, str(message))))


def _printable(letter):
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()
