"""Sentences and numbers of the experiments in the page's typography."""

import re
from typing import Any

import streamlit as st

SCALED = {"rate": "%.2f %%", "change": "%+.0f %%"}  # shown in per cent, kept as fractions
_FORMATS = {"count": "localized", "nats": "%.1f", "number": "%.4g", "chance": "%.1e"}


def typeset(sentence: str) -> str:
    """Return a sentence with true minus signs, σ², and a space before % that does not break."""
    sentence = sentence.replace("sigma2_", "σ²").replace("sigma2", "σ²")
    sentence = re.sub(r"(\d)%", "\\1\u00a0%", sentence)
    return re.sub(r"(?<![\w-])-(?=\d)", "−", sentence)


def number_column(heading: str, kind: str, **options: Any) -> Any:
    """Return the configuration of a table's column of numbers; kinds as of ``Column``."""
    form = SCALED.get(kind) or _FORMATS[kind]
    return st.column_config.NumberColumn(heading, format=form, **options)


def scale(value: float | None, kind: str) -> float | None:
    """Return a value in the unit of its ``number_column``: rates and changes in per cent."""
    return value if value is None or kind not in SCALED else 100 * value
