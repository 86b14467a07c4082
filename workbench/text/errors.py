"""What a user can do wrong: one line that names it and what is allowed."""


class InputError(ValueError):
    """A mistake in what the user gave; its message is one line, ready to show."""
