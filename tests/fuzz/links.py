"""A target that reads the address of the page: any value of any setting."""

from functools import cache

import numpy as np
from hypothesis import strategies as st
from strategies import messy_texts
from tiny_data import ADAPTATION, BACKGROUND

from fuzz.target import Target, refusal
from workbench.experiments.movers import find_subset
from workbench.experiments.session import Session
from workbench.features.templates import TEMPLATE_SETS, TEMPLATES, find_templates
from workbench.models.memm import MEMM
from workbench.models.unigram import Unigram
from workbench.scrub.view import find_word, parse_pins
from workbench.settings import SETTINGS, Settings
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

HERE = {"background": ("scientific-docs", "news"), "domain": ("streamlit-docs", "mail (yours)")}


@cache
def _session():
    """Return a session of the tiny texts, and what it shows at one sigma^2."""
    texts = (
        Corpus.from_sentences([line.split() for line in text.split("\n") if line.strip()])
        for text in (BACKGROUND, ADAPTATION)
    )
    newswire, broadcast = texts
    turns = np.arange(broadcast.n_sentences)
    parts = {part: broadcast.take(turns[i::3]) for i, part in enumerate(("train", "dev", "test"))}
    session = Session(MEMM.fit(newswire, cutoff=0), Unigram.fit(newswire), parts)
    return session, session.at(1.0)


numbers = st.one_of(
    st.integers().map(str), st.floats().map(str), st.integers(0, 6000).map("9".__mul__),
    st.sampled_from(["1", "1.0", "1e0", "nan", "inf", "-0", "١", "²", "0x1", "1_0", "none"]),
)  # fmt: skip
_names = st.sampled_from([*TEMPLATES, *TEMPLATE_SETS, "t-1", "+", "-", "word9"])
_kinds = st.sampled_from(["reference tag", "frequency", "weight", "length", "position", ""])
_signs, _words = st.sampled_from(["", "+", "-"]), st.sampled_from(["the", "The", "IBM"])
_members = st.sampled_from(["CAP", "0", "t-1=CAP > LOC"])
_free = {
    "templates": st.lists(st.tuples(_signs, _names).map("".join)).map(" ".join),
    "pin": st.lists(st.tuples(numbers, numbers).map(", ".join), max_size=3).map("; ".join),
    "word": st.tuples(_words | messy_texts, numbers).map(" · ".join),
    "slice": st.tuples(_kinds, _members | messy_texts).map(": ".join),
    "pair": st.sampled_from(["CAP>LOC", ">", "a>b>c"]),
}  # fmt: skip


def _values(name):
    setting = SETTINGS[name]
    shown = [setting.text(value) for value in setting.allowed or (setting.default,)]
    usual = st.sampled_from([*shown, *HERE.get(name, ())])
    return st.one_of(usual, _free.get(name, usual), messy_texts, numbers)


queries = st.fixed_dictionaries({}, optional={name: _values(name) for name in SETTINGS})


def check_link(query: dict[str, str]) -> None:
    """Bad values are told in a line and replaced; what is read leads back to itself."""
    settings, messages = Settings.from_query(query, HERE)
    assert all(message.isprintable() and len(message) < 400 for message in messages), messages
    assert Settings.from_query(settings.to_query(), HERE) == (settings, [])
    session, snapshot = _session()
    n_words = len(session.corpora[settings.part])
    assert (find_word(session, settings) or 0) < n_words
    for read in (
        lambda: find_templates(settings.templates), lambda: parse_pins(settings.pin),
        lambda: find_subset(session, snapshot, settings.slice),
    ):  # fmt: skip
        try:
            read()
        except InputError as error:
            refusal(error)


TARGETS = {"links": Target(queries, check_link, 250)}
