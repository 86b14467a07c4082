"""Text as people write it: what of it is read as words of a sentence, and where one starts."""

import pytest
from test_written_forms import Told

from workbench.recasing.recaser import Recaser
from workbench.text.casing import wipe_case
from workbench.text.corpus import Corpus

NAMES = {"CAP": "john york london paris new monday mary", "AUC": "at&t u.s."}


class Beginner(Told):
    """Gives the first word of each sentence a capital, too."""

    kind = "beginner"

    def best_tags(self, text: Corpus, allowed=None):
        tags = super().best_tags(text, allowed)
        first = text.is_initial & (tags == 0)
        tags[first] = 1
        return tags


# A text, and how an editor writes it.
CASES = {
    "marks before a sentence": [
        ('"we will go," she said.', '"We will go," she said.'), ("(we will go.)", "(We will go.)"),
        ("“we will go.”", "“We will go.”"), ("• we will go.", "• We will go."),
        ("- caution.", "- Caution."), ("♪ victory ♪", "♪ Victory ♪"), ("> we go.", "> We go."),
        ("— we will go.", "— We will go."), ("`` we will go . ''", "`` We will go . ''"),
        ("he left. 'we will go,' she said.", "He left. 'We will go,' she said."),
    ],
    "labels": [
        ("john: we will go.", "John: We will go."), ("dr. smith: we go.", "Dr. smith: We go."),
        ("1) we will go.", "1) We will go."), ("(2) we will go.", "(2) We will go."),
        ("00:01:02 we will go.", "00:01:02 We will go."), ("[laughs] we go.", "[laughs] We go."),
        ("- [door slams] john: we go.", "- [door slams] John: We go."),
        ("sw02001-A_000098-001156 we go", "sw02001-A_000098-001156 We go"),
        ("name : str, the name", "Name : str, the name"), ("15 years ago", "15 years ago"),
        ("5th avenue", "5th avenue"), ("100 percent", "100 percent"),
    ],
    "dresses of one character": [
        ("in new york‐based firms", "In New york‐based firms"), ("in mon\xadday", "In Mon\xadday"),
        ("in new\u200b york\u200e", "In New\u200b York\u200e"), ("e\u0301tat", "E\u0301tat"),
        ("in new\xa0york", "In New\xa0York"), ("john’s isn’t", "John’s isn’t"),
    ],
    "entities and markup": [
        ("i&#39;m here and john&#39;s car is at at&amp;t in new&nbsp;york.",
         "I&#39;m here and John&#39;s car is at AT&amp;T in New&nbsp;York."),
        ("in paris&mdash;london", "In Paris&mdash;London"), ("john &apos;s", "John &apos;s"),
        (r"in \textbf{new york}", r"In \textbf{New York}"), ("in <b>n</b>ew", "In <b>N</b>ew"),
        ("a wor<b>ld</b> of paris", "A wor<b>ld</b> of Paris"),
        ("<p>in paris</p><p>in london</p>", "<p>In Paris</p><p>in London</p>"),
        (r"in \emph{paris} \cite{Abc2004}", r"In \emph{Paris} \cite{Abc2004}"),
    ],
    "links": [
        ("join discord.gg/AbCdEf today", "Join discord.gg/AbCdEf today"),
        ("in forms.gle/XyZ12Ab, linktr.ee/AbC", "In forms.gle/XyZ12Ab, linktr.ee/AbC"),
        ("in paris/london and/or", "In paris/london and/or"),
    ],
    "lines": [
        ("the mayor left\rthe council met\r", "The mayor left\rThe council met\r"),
        ("he left\r\nshe met", "He left\r\nShe met"), ("he left\r\rshe met", "He left\r\rShe met"),
    ],
    "spelled letters": [
        ("in n a s a and b b c", "In N A S A and B B C"), ("it is nine a m", "It is nine a m"),
        ("at 9 a m\nn a s a\nb b c\n", "At 9 a m\nN A S A\nB B C\n"),
        ("vitamin b c and d", "Vitamin B C and d"), ("a man i know", "A man i know"),
    ],
    "abbreviations inside a sentence": [
        ("in the u.s. he was a hero.", "In the U.S. he was a hero."),
        ("at 3 p.m. the meeting began.", "At 3 p.m. the meeting began."),
        ("smith inc. it was", "Smith inc. it was"),
    ],
    "code": [
        ("in paris:\n```\nimport Numpy as NP\n```\nin london",
         "In Paris:\n```\nimport Numpy as NP\n```\nIn London"),
        ("in <script>var X = f('a');</script> paris", "In <script>var X = f('a');</script> Paris"),
        ("in paris\n\n    in london\n", "In Paris\n\n    In London\n"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_text_is_written_as_an_editor_writes_it(kind):
    recaser = Recaser(Beginner(NAMES))
    for text, right in CASES[kind]:
        assert recaser.recase(text) == right
        assert recaser.recase(right) == right
        assert wipe_case(right) == wipe_case(text)
