"""The exception for mistakes of the user."""


class InputError(ValueError):
    """A mistake in what the user gave; its message is one line with what is allowed."""
