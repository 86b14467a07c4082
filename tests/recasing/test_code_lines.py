"""Lines of code pass untouched: fenced, indented, scripts; the same however a text is cut."""

from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import steady

from workbench.recasing import streams
from workbench.recasing.answers import Answerer, Piece
from workbench.recasing.code_lines import LONGEST
from workbench.recasing.recaser import Recaser
from workbench.recasing.spans import find_spans

# Texts; what is code in them stands in capitals and other text in small letters.
TEXTS = [
    "see this:\n```\nIMPORT NUMPY AS NP\nFOR I IN RANGE(3): PRINT(I)\n```\nso it is\n",
    "``` PYTHON\nX\n\nX Y\n```\nso it is\n",
    "  ~~~\r\nX Y\r\n~~~~\r\nso it is",
    "````\rX\r```\rX\r````\rso it is\r",
    "```\n" + "X Y " * 60 + "\nX\n```\nso it is\n\n    X = Y(\n    " + "X Y " * 60 + "\nso it is\n",
    "<SCRIPT>\n" + "X Y " * 60 + "</SCRIPT> so it is\n",
    "``` she said ''\nso it is",
    "the title\n~~~~~~~~~\nso it is",
    "he left\n\n~~~\n\nso it is",
    "the code:\n\n    IMPORT NUMPY AS NP\n\tX Y\n\n    IF X == 1:\n        X Y\nso it is",
    "so it is\n\n    INT MAIN(VOID) {\n        X\n    }\n\n    so it is\n",
    "so it is\n\n    $ PIP INSTALL X\n\n- so\n    x(y) = z;\n",
    "    so it is (and she knew); word(s):\n    it was a(n) odd day; yes,\n    and no:\n",
    "so <SCRIPT>VAR X = F('A');</SCRIPT> it <b>is</b>\n",
    "so <STYLE TYPE='X'>\n.A { B: C }\n\n X Y\n.B </STYLE> it\nis",
    "SW02001-A_000098-001156 we will go\rSPK-UTT-0001 so it is",
    "utt-0001 it is\ncovid-19 cases\nb-52 bombers\nf-16s\n100-year-old men\n1914-1918-era\n",
    "use the <script> tag\nso it is\n",
    "so <SCRIPT>IF (X) Y();\nX Y\n</SCRIPT>\nso it is\n",
]
ENDLESS = [
    "```" + "\nX Y" * LONGEST + "\nso it is",
    "so <SCRIPT>" + "\nX Y" * LONGEST + "\nso it is",
]


def code_in(text):
    """The text with its code in capitals, and all else in small letters."""
    letters = list(text.lower())
    for start, end, kind in find_spans(text):
        assert kind in ("code", "markup")
        assert not set("\r\n") & set(text[start:end])
        letters[start:end] = text[start:end].upper()
    return "".join(letters)


@pytest.mark.parametrize("text", TEXTS + ENDLESS)
def test_code_is_known_whatever_its_case(text):
    assert code_in(text) == code_in(text.lower()) == code_in(text.upper()) == text


@pytest.mark.parametrize("text", ENDLESS)
def test_code_that_nothing_ends_ends_at_the_same_line_in_a_stream(background, text):
    recaser = Recaser(background)
    answers = list(recaser.stream(text.splitlines(keepends=True), unbuffered=True))
    assert "".join(answers) == recaser.recase(text)
    assert answers[LONGEST:] == ["X Y\n", "So it is"]


@pytest.mark.slow
@settings(steady, max_examples=30)
@given(st.data(), st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3).map("\n".join))
def test_code_passes_untouched_however_a_text_is_cut(background, data, text):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    chunks = [text[a:b] for a, b in pairwise([0, *cuts, len(text)])]
    code, answerer = code_in(text), Answerer(Recaser(background))
    whole = answerer.answer(Piece(text.encode()))[0].data.decode()
    letters = zip(text, whole, code, strict=True)
    assert all(before == after for before, after, inside in letters if inside.isupper())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "BLOCK", data.draw(st.sampled_from([30, 100])))
        patch.setattr(streams, "LONGEST_LINE", 100)
        for parts, unbuffered in product([chunks, list(text)], [False, True]):
            assert "".join(Recaser(background).stream(parts, unbuffered)) == whole
            pieces = answerer.pieces(map(str.encode, parts), unbuffered)
            assert b"".join(a.data for p in pieces for a in answerer.answer(p)).decode() == whole
