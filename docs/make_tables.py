"""Prints a table of docs/lab that needs several models, by its name.

``make_results.py`` calls it: ``./run python docs/make_tables.py NAME``. Texts are found as the
workbench finds them, through WORKBENCH_DATA.
"""

import sys
from collections.abc import Callable
from functools import partial

from tables.adapted import (
    print_adapted,
    print_training_sigma2,
    print_unknown_words,
    print_unpunctuated,
)
from tables.candidates import FEW_METHODS, NEWS, print_parses
from tables.ensembles import print_ensembles
from tables.labels import print_chunks, print_parts_of_speech
from tables.methods import (
    print_both_texts,
    print_methods,
    print_models,
    print_sources,
    print_sources_of_few_words,
)
from tables.template_variances import print_by_template
from tables.templates import print_ablation
from tables.verdicts import print_verdicts
from tables.written_text import print_abbreviations, print_compounds, print_running

TABLES: dict[str, Callable[[], None]] = {
    "adapted": print_adapted,
    "training-sigma2": print_training_sigma2, "unpunctuated": print_unpunctuated,
    "unknown-words": print_unknown_words, "methods": print_methods,
    "both-texts": print_both_texts, "sources": print_sources,
    "sources-few-words": print_sources_of_few_words, "models": print_models,
    "by-template": print_by_template, "verdicts": print_verdicts,
    "ensembles": print_ensembles,
    "parses": print_parses,
    "parses-news": partial(print_parses, NEWS, FEW_METHODS),
    "chunks": print_chunks,
    "parts-of-speech": print_parts_of_speech, "ablation": print_ablation,
    "running": print_running, "compounds": print_compounds,
    "abbreviations": print_abbreviations,
}  # fmt: skip

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in TABLES:
        sys.exit(f"one of: {', '.join(TABLES)}")
    TABLES[sys.argv[1]]()
