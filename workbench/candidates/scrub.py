"""What the browser needs to show which candidate is chosen, sentence by sentence: plain JSON."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from workbench.adaptation.adaptation import AdaptedFit
from workbench.candidates.session import CandidateSession

_MOST_NAMED = 4  # features that tell a candidate from the background's choice
_FIRST = 48  # character code of candidate 0 in a path, as for a payload's tags
_UNKNOWN = "."


def describe_choices(
    session: CandidateSession, part: str, fits: Sequence[AdaptedFit | None], most: int
) -> dict[str, Any]:
    """Return the part of a payload that is of sentences and their candidates.

    Parameters
    ----------
    fits : sequence of AdaptedFit or None
        Of each value of the grid, None where nothing is to be told.
    most : int
        The most sentences that a page draws.

    Returns
    -------
    part : dict
        ``n_units``, sentences; ``words``, those of them in which the background's choice or
        that of a fit is not best: ``background`` and ``gold`` (a best one), numbers of
        candidates from 0; ``path``, the choice at each value of the grid, a character each;
        ``qualities`` of all candidates; and ``candidates``, what each that is chosen by one of
        the models looks like. ``sentences``: what stands above each.
    """
    sets = session.corpora[part]
    known = [fit for fit in fits if fit]
    chosen = [session.background_tags(part), *(fit.tags[part] for fit in known)]
    differs = np.any([~sets.is_best[own] for own in chosen], axis=0)
    places = np.flatnonzero(differs)[:most].tolist()
    local = {fit.sigma2: sets.number_within(fit.tags[part]) for fit in known}
    paths = [local[fit.sigma2] if fit else None for fit in fits]
    first = sets.number_within(chosen[0])
    return {
        "n_units": sets.n_sentences, "recases": False, "tags": [], "support": [],
        "words": [_unit(session, part, place, int(first[place]), paths) for place in places],
        "sentences": [_sentence(sets, place) for place in places],
    }  # fmt: skip


def _unit(session, part, place, before, paths):
    """Return one sentence as a payload's word."""
    sets = session.corpora[part]
    start, end = sets.sentence_starts[place : place + 2]
    path = [_UNKNOWN if own is None else chr(_FIRST + int(own[place])) for own in paths]
    shown = {0, before, *(int(own[place]) for own in paths if own is not None)}
    return {
        "position": place, "sentence": place, "place": 0, "word": "sentence", "forms": {},
        "before": "", "background": before, "gold": int(sets.is_best[start:end].argmax()),
        "path": "".join(path), "qualities": sets.quality[start:end].tolist(),
        "candidates": {n: _candidate(session, part, place, n, before) for n in sorted(shown)},
    }  # fmt: skip


def _candidate(session, part, place, number, before):
    """Return the features that tell a candidate from the background's choice."""
    reasons = session.reasons[part, place, number, before][:_MOST_NAMED]
    gained = [reason.feature for reason in reasons if reason.value > reason.rival_value]
    lost = [reason.feature for reason in reasons if reason.value < reason.rival_value]
    return {"gained": gained, "lost": lost}


def _sentence(sets, place):
    """Return what stands above the choices of a sentence: its words and its document."""
    return {
        "number": place, "start": place, "words": ["sentence"],
        "text": sets.sentences[place] if sets.sentences else "",
        "document": sets.documents[place] if sets.documents else "",
    }  # fmt: skip
