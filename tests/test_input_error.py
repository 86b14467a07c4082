"""A refusal is one line, whatever it quotes."""

import pytest

from workbench.text.errors import InputError


@pytest.mark.parametrize(
    ("quoted", "shown"),
    [
        ("a\nb", r"a\nb"), ("\x1b[2J", r"\x1b[2J"), ("\u2028", r"\u2028"), ("\ud800", r"\ud800"),
        ("a\u202eb", r"a\u202eb"), ("σ² “und” – ß", "σ² “und” – ß"),
    ],
)  # fmt: skip
def test_what_would_break_or_move_the_line_is_written_as_an_escape(quoted, shown):
    assert str(InputError(f"file {quoted}: no")) == f"file {shown}: no"
