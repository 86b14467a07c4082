"""Why a candidate is chosen: weights of both models, sentences behind them, what moved most.

All but the table of weights is ready for JSON, in the form of ``experiments.why``: where that has
tags, here are candidates of a sentence.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from workbench.candidates.report import Reason, explain_choice
from workbench.candidates.sets import CandidateSets
from workbench.evaluation.number_words import probability_in_words, signed
from workbench.experiments.why import describe_sentences, find_link, influence_of, strongest
from workbench.text.errors import InputError

if TYPE_CHECKING:  # a session has what is here
    from workbench.experiments.session import Session, Snapshot

_MOST_ROWS = 12  # features with a bar of their own
_MOST_NAMED = 3  # features in a sentence


class _Choice(NamedTuple):
    """A sentence, and what both models say of its candidates, numbered from 0."""

    alone: CandidateSets
    background: Any
    adapted: Any
    before: int
    after: int
    p_background: np.ndarray  # shape (candidates,)
    p_adapted: np.ndarray

    def between(self) -> tuple[int, int]:
        """Return the two candidates that the gap is between: from, to."""
        if self.before != self.after or len(self.alone) == 1:
            return self.before, self.after
        others = self.p_adapted.copy()
        others[self.after] = -1
        return int(others.argmax()), self.after

    def reasons(self, model: Any) -> dict[str, Reason]:
        """Return what tells the two candidates apart in a model, by feature."""
        start, end = self.between()
        found = explain_choice(model, self.alone, 0, end, start)
        return {reason.feature: reason for reason in found}


def _decide(session, snapshot, position):
    sets, adapted = session.corpora[snapshot.part], snapshot.tuned.model
    if not 0 <= position < sets.n_sentences:
        raise InputError(f"sentence {position}: 0 to {sets.n_sentences - 1:,} are allowed")
    alone, background = sets.take(np.array([position])), session.background
    chosen = session.background_tags(snapshot.part), snapshot.tuned.tags[snapshot.part]
    before, after = (int(sets.number_within(own)[position]) for own in chosen)
    p = background.probabilities(alone), adapted.probabilities(alone)
    return _Choice(alone, background, adapted, before, after, *p)


def name_candidate(number: int) -> str:
    """Return what the page calls a candidate, by its number from 0."""
    return f"candidate {number + 1}"


def why_chosen(session: "Session", snapshot: "Snapshot", position: int) -> dict[str, Any]:
    """Return why a candidate of a sentence is chosen: what moved between the two models.

    Parameters
    ----------
    position : int
        Number of the sentence in the sets of ``snapshot.part``.

    Returns
    -------
    answer : dict
        As in ``why``: ``before``, ``after`` and ``gold`` (a best candidate) with the candidate's
        name as ``tag``, its quality as ``form`` and ``p``; ``gap`` between the scores of two
        candidates, the background's choice and the adapted model's, or where these agree the
        strongest rival and the choice. Its ``rows`` sum to it, the strongest apart and all
        others in one.

    Raises
    ------
    InputError
        If there is no such sentence.
    """
    of = _decide(session, snapshot, position)
    best = int(of.alone.is_best.argmax())
    start, end = of.between()
    rows = _rows(of)
    answer = {
        "position": position, "word": "sentence", "probability": "P(candidate | sentence)",
        "before": _describe(of, of.before, of.p_background),
        "after": _describe(of, of.after, of.p_adapted), "gold": _describe(of, best, of.p_adapted),
        "gap": {
            "from": name_candidate(start), "to": name_candidate(end),
            "background": sum(row["background"] for row in rows),
            "adapted": sum(row["adapted"] for row in rows), "rows": _shorten(rows),
        },
    }  # fmt: skip
    return answer | {"sentence": _tell(of, answer, rows)}


def _describe(of, number, p):
    return {
        "tag": name_candidate(number), "form": f"{100 * of.alone.quality[number]:.1f} %",
        "p": float(p[number]),
    }  # fmt: skip


def _rows(of):
    """Return the value of each feature in both models, the largest change first."""
    before, after = of.reasons(of.background), of.reasons(of.adapted)
    rows = [
        _row(name, before.get(name), after.get(name)) for name in dict.fromkeys((*after, *before))
    ]
    return sorted(rows, key=lambda row: -abs(row["change"]))


def _row(name, before, after):
    """Return a row as in ``gap_rows``."""
    reason = after or before
    values = [each.contribution if each else 0.0 for each in (before, after)]
    more = reason.value - reason.rival_value
    return {
        "predicate": name, "words": f"{name} ({signed(more)})", "background": values[0],
        "adapted": values[1], "change": values[1] - values[0], "in_background": before is not None,
        "in_adapted": after is not None, "new": before is None,
    }  # fmt: skip


def _shorten(rows):
    """Return the strongest rows as they are, and the sum of all others as one."""
    strength = [max(abs(row["background"]), abs(row["adapted"])) for row in rows]
    kept = {int(i) for i in np.argsort(strength)[::-1][:_MOST_ROWS]}
    others = [row for i, row in enumerate(rows) if i not in kept]
    shown = [row for i, row in enumerate(rows) if i in kept]
    if not others:
        return shown
    sums = {key: sum(row[key] for row in others) for key in ("background", "adapted", "change")}
    name = f"{len(others):,} further features" if len(others) > 1 else "1 further feature"
    return [*shown, {"predicate": "", "words": name, "new": False, **sums}]


def _tell(of, answer, rows):
    """Return one sentence on a choice: what each model says, and what moved it."""
    measure = of.alone.quality_name
    before, after = (
        f"{each['tag']} ({measure} {each['form']}) with probability "
        f"{probability_in_words(each['p'])}"
        for each in (answer["before"], answer["after"])
    )
    if of.before != of.after:
        text = f"Background chose {before}; adapted chooses {after}"
    else:
        change = signed(answer["gap"]["adapted"] - answer["gap"]["background"])
        to = probability_in_words(answer["after"]["p"])
        lead = f"its lead over {answer['gap']['from']} changed by {change}"
        text = f"Both choose {before}, adapted {to}; {lead}"
    fell = of.before == of.after and answer["gap"]["adapted"] < answer["gap"]["background"]
    way = -1 if fell else 1
    ordered = sorted(rows, key=lambda row: -way * row["change"])
    moved = [row for row in ordered if way * row["change"] > 0.005][:_MOST_NAMED]
    named = ", ".join(f"{row['predicate']} {signed(row['change'])}" for row in moved)
    return f"{text}: {named}." if named else f"{text}."


def choice_path(session: "Session", cutoff: int | None, part: str, position: int) -> dict[str, Any]:
    """Return P(candidate | sentence) of a sentence at all values of sigma^2 fitted so far.

    A dict as in ``path``: ``tags``, names of candidates; ``background``, ``p`` and ``chosen``.
    """
    adaptation = session.adaptation(cutoff)
    alone = session.corpora[part].take(np.array([position]))
    packed, known = adaptation.problem.pack(alone), adaptation.known
    p = [tuned.model.probabilities(packed) for tuned in known]
    return {
        "tags": [name_candidate(i) for i in range(len(alone))],
        "background": session.background.probabilities(alone).tolist(),
        "sigma2s": [tuned.sigma2 for tuned in known], "p": [own.tolist() for own in p],
        "chosen": [name_candidate(int(own.argmax())) for own in p],
    }  # fmt: skip


def choice_direction(session: "Session", snapshot: "Snapshot", position: int) -> np.ndarray:
    """Return the gradient by the active weights, shape (F,), of the gap of two candidates."""
    of = _decide(session, snapshot, position)
    cells = [(r.feature, r.value - r.rival_value) for r in of.reasons(of.adapted).values()]
    return snapshot.tuned.adaptation.problem.direction(cells)


def chosen_because(
    session: "Session", snapshot: "Snapshot", position: int, n: int = 3
) -> dict[str, Any]:
    """Return the adaptation sentences that pushed a choice most, and those that resisted.

    A dict as in ``because``: ``from`` and ``to``; ``pushed`` and ``resisted``, at most n
    sentences each, with ``sentence``, its number; ``words``; ``effect``, in nats: the gap
    would be so much smaller without it; and ``link``, the feature by whose weight most of that
    comes. InputError if the snapshot is of another session.
    """
    of, influence = _decide(session, snapshot, position), influence_of(session, snapshot)
    problem, own = snapshot.tuned.adaptation.problem, list(of.reasons(of.adapted))

    def tell(effects):
        links = [find_link(problem, parts, own) for parts in effects.values()]
        told = [
            {"words": link.name, "effect": link.effect, "is_shared": link.name in own, "places": []}
            for link in links
        ]
        return describe_sentences(session, effects, told)

    direction = choice_direction(session, snapshot, position)
    pushed, resisted = map(tell, strongest(influence, direction, n))
    start, end = of.between()
    return {
        "from": name_candidate(start), "to": name_candidate(end),
        "pushed": pushed, "resisted": resisted,
    }  # fmt: skip


def name_sentence(sets: CandidateSets, number: int) -> str:
    """Return the words of a sentence, or where they are not known its document and number."""
    if sets.sentences:
        return sets.sentences[number]
    document = f"{sets.documents[number]}, " if sets.documents else ""
    return f"{document}sentence {number + 1:,}"


def moved_weights(
    session: "Session", snapshot: "Snapshot", n: int = 20, name: str = ""
) -> pd.DataFrame:
    """Return the features whose weights moved most, a DataFrame, the largest change first.

    With a ``name`` only the feature of that name; no row if the model has none.

    ``feature``; its weights ``background`` (nan where it is new) and ``adapted``, and ``change``,
    in nats; ``sentences``: in how many of the adaptation data it tells candidates apart; and
    ``positions``, a list: the sentences of the snapshot's text whose choice it helped to change.
    """
    problem, weights = snapshot.tuned.adaptation.problem, snapshot.tuned.fit.weights
    change = weights - problem.mean
    names = [problem.features[place] for place in problem.places.tolist()]
    far = np.argsort(-np.abs(change), kind="stable")[:n].tolist()
    top = [k for k, own in enumerate(names) if own == name] if name else far
    names = [names[k] for k in top]
    return pd.DataFrame(
        {
            "feature": names,
            "background": np.where(problem.is_inherited[top], problem.mean[top], np.nan),
            "adapted": weights[top], "change": change[top],
            "sentences": problem.log_likelihood.observed[top].astype(int),
            "positions": _helped(session, snapshot, names, change[top]),
        }
    )  # fmt: skip


def _helped(session, snapshot, names, change):
    """Return the sentences of which each feature helped to change the choice; lists.

    Its change speaks for the adapted model's candidate, against that of the background.
    """
    sets, part = session.corpora[snapshot.part], snapshot.part
    before, after = session.background_tags(part), snapshot.tuned.tags[part]
    values = (sets.value_of(name) for name in names)
    gains = [(own[after] - own[before]) * moved for own, moved in zip(values, change, strict=True)]
    return [np.flatnonzero(gain > 0).tolist() for gain in gains]
