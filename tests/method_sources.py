"""What adaptation methods learn from in tests: a background and a domain, tiny and tinier."""

import numpy as np
import pytest

from workbench.adaptation.method import Sources, Split

_OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}


@pytest.fixture(scope="module")
def sources(background_corpus, adaptation_corpus):
    return Sources(Split(background_corpus, adaptation_corpus, adaptation_corpus, _OPTIONS))


@pytest.fixture(scope="module")
def few_sources(background_corpus, adaptation_corpus, few_sentences):
    """Small enough for dense oracles: three templates, nine and eight sentences."""
    options = {"templates": ["currentword", "suffix1", "t-1"], "cutoff": 0, "sigma2": 2.0}
    small = adaptation_corpus.take(np.arange(8))
    return Sources(Split(few_sentences, small, small, options))
