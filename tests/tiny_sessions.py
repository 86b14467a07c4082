"""Sessions of the tiny texts, of which several files of tests make use."""

import numpy as np
import pytest

from workbench.models.crf import CRF
from workbench.models.unigram import Unigram

KINDS = "memm", "crf"


def _open(background, unigram, parts):
    from workbench.experiments.session import Session  # here, as few tests need it

    return Session(background, unigram, parts)


@pytest.fixture(scope="session")
def adaptation_parts(adaptation_corpus):
    """The adaptation corpus dealt to train, dev and test."""
    parts = enumerate(("train", "dev", "test"))
    return {part: adaptation_corpus.take(np.arange(first, 26, 3)) for first, part in parts}


@pytest.fixture(scope="session")
def unigram(background_corpus):
    """The 1-gram of the background text."""
    return Unigram.fit(background_corpus)


@pytest.fixture(scope="session")
def crf(background_corpus):
    """The background CRF with every feature."""
    return CRF.fit(background_corpus, cutoff=0, sigma2=5.0)


@pytest.fixture
def fresh_session(background, unigram, adaptation_parts):
    """A session of the two tiny texts with nothing fitted."""
    return _open(background, unigram, adaptation_parts)


@pytest.fixture(scope="session")
def tiny_session(background, unigram, adaptation_parts):
    """A session of the two tiny texts, its path known at cut-off 0 and at none other."""
    from workbench.experiments.surface import fill_paths

    session = _open(background, unigram, adaptation_parts)
    fill_paths(session, [0])
    return session


@pytest.fixture(scope="session")
def sessions(background, crf, adaptation_parts):
    """A session of the two tiny texts for each kind of model, without a 1-gram."""
    models = zip(KINDS, (background, crf), strict=True)
    return {kind: _open(model, None, adaptation_parts) for kind, model in models}


@pytest.fixture(params=KINDS)
def session(request, sessions):
    """A session of each kind of model."""
    return sessions[request.param]


@pytest.fixture
def snapshot(session):
    """The session at sigma^2 = 1."""
    return session.at(1.0)


def changed(snapshot):
    """Positions of words that the two models tag differently."""
    diff = snapshot.diff
    return diff["position"][diff["tag_before"] != diff["tag_after"]].tolist()
