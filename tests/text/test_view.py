"""The canonical view of a text: characters that mean the same, and the way back to the text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import messy_texts, steady

from workbench.text.canonical import lay_back, view
from workbench.text.casing import raise_case, wipe_case

SEEN = [
    # quotes
    ('"We go," he said. ("No.")', "``We go,'' he said. (``No.'')"),
    ('He said " so " .', "He said `` so '' ."),
    ("“so” «so» „so“ &quot;so&quot;", "``so'' ``so'' ``so`` ``so''"),
    ("‘so’ 'so' it's 'em isn 't '90s don’t l’été", "`so' `so' it's 'em isn 't '90s don't l'été"),
    # dashes, hyphens, ellipses, bullets
    ("new york‐based non‑us", "new york-based non-us"),
    ("paris—london 1990–95 a – b wait…", "paris--london 1990-95 a -- b wait..."),
    ("— we go\n· we go", "• we go\n• we go"),
    # entities
    ("i&#39;m at&amp;t x&#x27;s new&nbsp;york &NBSP;", "i'm at&t x's new\xa0york \xa0"),
    ("paris&mdash;london &lt;b&gt; &foo; &#0; Q&A;", "paris--london <b> &foo; &#0; Q&A;"),
    # letters
    ("cafe\u0301 E\u0301tat a\u030angstro\u0308m ﬁfa", "café État ångström fifa"),
    # what is not seen
    ("mon\xadday new\u200b york \u200emr. x\ufeff", "monday new york mr. x"),
    ("<b>n</b>ew wor<i>ld</i> <p>a</p><p>b</p> a<br>b", "new world  a  b  a b"),
    ("<a href='X'>so</a> a < b <!-- X -->", "so a < b "),
    (r"\textbf{new \emph{york}} \cite{Ab} \item", r"new york \cite{Ab} \item"),
    ("the mayor\rleft\r\n", "the mayor\nleft\r\n"),
]


@pytest.mark.parametrize(("text", "seen"), SEEN, ids=[seen for _, seen in SEEN])
def test_a_view_shows_what_models_read(text, seen):
    assert view(text).text == seen
    assert view(wipe_case(text)).text == wipe_case(view(text).text)


def place_by_place(seen, original):
    """The obvious road: what each character of a view stands for."""
    places = np.arange(len(seen.text))
    stretches = seen.locate(np.stack((places, places + 1), axis=1)).tolist()
    return [original[start:end] for start, end in stretches]


def test_each_character_knows_what_it_stands_for():
    text = "“I&#39;m <b>n</b>ot E\u0301t\xad…”"
    shown = "“ “ I &#39; m _ n o t _ E\u0301 t … … … ” ”".replace("_", "\0").split(" ")
    shown = [each.replace("\0", " ") for each in shown]
    assert place_by_place(view(text), text) == shown


@steady
@given(messy_texts)
def test_a_view_keeps_the_order_of_a_text_and_is_its_own_view(text):
    seen = view(text)
    places = np.arange(len(seen.text))
    starts, ends = seen.locate(np.stack((places, places + 1), axis=1)).T
    assert (np.diff(starts) >= 0).all()
    assert (np.diff(ends) >= 0).all()
    assert (starts < ends).all()


@steady
@given(st.text("aeé\u0301ßﬁǆ’“<>b&;amp\xad K"), st.sampled_from([raise_case, wipe_case]))
def test_letters_are_laid_back_alone(text, change):
    seen = view(text)
    places = np.arange(len(seen.text))
    starts = seen.locate(np.stack((places, places + 1), axis=1))[:, 0]
    written = lay_back(text, starts, seen.text, change(seen.text))
    assert wipe_case(written) == wipe_case(text)
    assert len(written) == len(text)


@pytest.mark.parametrize("text", ["ﬁfa", "&eacute;ric"])
def test_what_has_no_capital_stays_as_it_is(text):
    seen = view(text)
    starts = range(len(seen.text)) if seen.starts is None else seen.starts.tolist()
    assert lay_back(text, starts, seen.text, seen.text[0].upper()[:1] + seen.text[1:]) == text
