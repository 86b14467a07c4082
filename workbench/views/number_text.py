"""Sentences and numbers of the experiments, set as the page sets them."""

import re

import streamlit as st

SCALED = {"rate": "%.2f %%", "change": "%+.0f %%"}  # shown in per cent, kept as fractions
_FORMATS = {"count": "localized", "nats": "%.1f", "number": "%.4g", "chance": "%.1e"}


def typeset(sentence):
    """Return a sentence with the signs of good print: minus, σ², a space that keeps a % near."""
    sentence = sentence.replace("sigma2_", "σ²").replace("sigma2", "σ²")
    sentence = re.sub(r"(\d)%", "\\1\u00a0%", sentence)
    return re.sub(r"(?<![\w-])-(?=\d)", "−", sentence)


def number_column(heading, kind, **options):
    """Return the configuration of a column of numbers of a kind; see ``Column``."""
    form = SCALED.get(kind) or _FORMATS[kind]
    return st.column_config.NumberColumn(heading, format=form, **options)


def scale(value, kind):
    """Return a value as ``number_column`` takes it."""
    return value if value is None or kind not in SCALED else 100 * value
