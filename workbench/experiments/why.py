"""Why a word has its tag: the weights of both models, and the adaptation sentences behind them.

All that is returned is ready for JSON: dictionaries, lists, strings and plain numbers.
"""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.evaluation.explanation import (
    describe_predicate,
    gap_cells,
    gap_rows,
    predicates_after,
    sentence_of,
    tell_gap,
    weigh,
)
from workbench.evaluation.number_words import times
from workbench.evaluation.task import find_task
from workbench.learning.influence import Influence, Parts
from workbench.models.crf import CRF
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

if TYPE_CHECKING:  # a session has what is here
    from workbench.experiments.session import Session, Snapshot

_MOST = 6  # sentences that are listed of each kind
_MOST_FORMS = 3  # of a word, that are told
_NOTHING = 5e-3  # nats: sentences of less influence, which would be shown as 0, are not listed
_AS_STRONG = 0.99  # of the strongest part: of those as strong the first to fire is named


class _Decision(NamedTuple):
    """A word of a sentence, and what both models say of it; tags are indices of ``tag_names``."""

    alone: Corpus
    place: int
    background: Any  # that knows the adapted model's tags, too
    adapted: Any
    tags_before: np.ndarray  # of the sentence, the background's own
    tags_after: np.ndarray
    p_background: np.ndarray  # shape (K,): of each model after its own tags
    p_adapted: np.ndarray

    def between(self) -> tuple[str, str]:
        """Return the two tags that the gap is between: from, to."""
        before, after = self.tags_before[self.place], self.tags_after[self.place]
        if before == after:
            others = self.p_adapted.copy()
            others[after] = -1
            before = others.argmax()
        return self.adapted.tag_names[before], self.adapted.tag_names[after]

    def predicates(self) -> list[str]:
        """Return the predicates that fire with the adapted model's tags."""
        return predicates_after(self.adapted, self.alone, self.place, self.tags_after)

    def rows(self) -> list[dict]:
        """Return what each feature adds to the gap, each model with its own tags: ``gap_rows``."""
        before = predicates_after(self.adapted, self.alone, self.place, self.tags_before)
        between = self.between()
        return gap_rows(self.background, self.adapted, between, before, self.predicates())


def _decide(session, snapshot, position, text=None):
    adapted, text = snapshot.tuned.model, text or session.corpora[snapshot.part]
    alone, place = sentence_of(text, position, adapted.tag_names)
    old = session.background
    tags_before, tags_after = old.tag(alone), adapted.tag(alone)
    wide, n_known = old.add_tags(adapted.tag_names), len(old.tag_names)
    return _Decision(
        alone, place, wide, adapted, tags_before, tags_after,
        _chances(wide, alone, tags_before, n_known)[place],
        _chances(adapted, alone, tags_after)[place],
    )  # fmt: skip


def _chances(model, text, tags, n_known=None):
    """Return P(tag | context) after given tags, or P(tag | sentence) of a chain; shape (T, K).

    Tags after the first ``n_known`` are added ones, which the model has never seen: 0.
    """
    is_chain = isinstance(model, CRF)
    p = model.probabilities(text) if is_chain else model.local_probabilities(text, tags)
    p[:, n_known or p.shape[1] :] = 0
    return p / p.sum(axis=1, keepdims=True)


def why(
    session: "Session", snapshot: "Snapshot", position: int, text: Corpus | None = None
) -> dict:
    """Return why a word of a text has its tag: what moved between the two models.

    Parameters
    ----------
    position : int
        Place of the word in the text.
    text : Corpus, optional
        Any text without a reference; if not given, that of ``snapshot.part``.

    Returns
    -------
    answer : dict
        ``position``; ``word``, as the models read it; ``read``, how the adaptation text writes
        it, in words, "" where words are labelled; ``before`` and ``after``, each with
        ``tag``, ``form``, ``p`` and ``words``, the whole sentence, as background and adapted
        model tag it by themselves; ``gold``, with ``tag`` and ``form``, None without a reference;
        ``probability``, what p is: "P(tag | context)", of an MEMM after the two tags that it
        gave before, or "P(tag | sentence)"; ``tags``, K names, and ``p_background`` and
        ``p_adapted``, lists of K, each after the model's own tags; ``context``, the adapted
        model's tags of the neighbours that count; ``context_differs``, whether these are others
        in the background; ``gap``; and ``sentence``, which says it all in plain text.

        The gap is that of the scores of two tags, ``from`` and ``to``: of the two models, or
        where these agree of the strongest rival and the tag. It has its values ``background``
        and ``adapted``, in nats, each after the model's own tags, and ``rows``, which sum to
        them: see ``gap_rows``.

    Raises
    ------
    InputError
        If the text has no such position.
    """
    of = _decide(session, snapshot, position, text)
    gold = None if text else _reference(session.corpora[snapshot.part], position)
    before = _answer(of, of.tags_before, session.background.mixed_forms, of.p_background)
    after = _answer(of, of.tags_after, of.adapted.mixed_forms, of.p_adapted)
    (start, end), rows = of.between(), of.rows()
    sums = {side: sum(row[side] for row in rows) for side in ("background", "adapted")}
    gap = {"from": start, "to": end, **sums, "rows": rows}
    is_chain = isinstance(of.adapted, CRF)
    word = of.alone.words[of.alone.word_ids[of.place]]
    return {
        "position": int(position), "word": word, "read": _tell_read(session, word),
        "before": before, "after": after, "gold": gold,
        "probability": "P(tag | sentence)" if is_chain else "P(tag | context)",
        "tags": list(of.adapted.tag_names), "p_background": of.p_background.tolist(),
        "p_adapted": of.p_adapted.tolist(), "context": _context(of, of.tags_after),
        "context_differs": _context(of, of.tags_before) != _context(of, of.tags_after),
        "gap": gap, "sentence": tell_gap(before, after, gap, gold and gold["form"]),
    }  # fmt: skip


def shift(
    session: "Session", snapshot: "Snapshot", before: tuple[Corpus, int], after: tuple[Corpus, int]
) -> dict:
    """Return how a change of a text changes the score difference of a word's two tags.

    ``before`` and ``after`` are the texts with the word's place in each. The gap is that of
    ``why`` after the change: ``from``, ``to``, and ``rows`` as in ``gap_rows``, with the values
    before the change as those of the ``background``.
    """
    was, now = (_decide(session, snapshot, place, text) for text, place in (before, after))
    (start, end), predicates = now.between(), (was.predicates(), now.predicates())
    return {
        "from": start, "to": end,
        "rows": gap_rows(now.adapted, now.adapted, (start, end), *predicates),
    }  # fmt: skip


def _tell_read(session, word):
    """Return how the adaptation text writes a word, in words; dropped sentences do not count."""
    if not session.task.recases:
        return ""
    train = session.corpora["train"]
    of_word = train.words.index(word) if word in train.words else -1
    is_left_out = np.isin(train.sentence_ids, list(session.dropped))
    places = np.flatnonzero((train.word_ids == of_word) & ~is_left_out)
    if not len(places):
        return f"The adaptation text does not have “{word}”: other words moved its weights."
    forms = Counter(train.form_at(int(place)) for place in places).most_common(_MOST_FORMS)
    return f"The adaptation text has {', '.join(f'“{form}” {times(n)}' for form, n in forms)}."


def _answer(of, tags, mixed_forms, p):
    """Return what a model gives the word, its tag, form and probability, and its sentence."""
    words = find_task(of.alone).words_at(of.alone, np.arange(len(of.alone)), tags, mixed_forms)
    tag = int(tags[of.place])
    return {
        "tag": of.adapted.tag_names[tag], "form": words[of.place], "p": float(p[tag]),
        "words": words,
    }  # fmt: skip


def _reference(corpus, position):
    (form,) = find_task(corpus).words_at(corpus, np.array([position]))
    return {"tag": corpus.tag_names[corpus.tags[position]], "form": form}


def _context(of, tags):
    """Return the names of the neighbours' tags that count, of a sentence that has some tags."""
    place = of.place
    counted = (place - 1, place + 1) if isinstance(of.adapted, CRF) else (place - 1, place - 2)
    return [of.adapted.tag_names[tags[i]] for i in counted if 0 <= i < len(tags)]


def path(
    session: "Session", cutoff: int | None, part: str, position: int, text: Corpus | None = None
) -> dict:
    """Return the probabilities of a word's tags along sigma^2, at the fits that are known.

    ``text`` as in ``why``.

    Returns
    -------
    curve : dict
        ``tags``, K names; ``background``, the probabilities of the background, K of them;
        ``sigma2s``, increasing; and for each of these ``p``, K probabilities, and ``chosen``,
        the tag that the model gives. They are P(tag | the two tags given before), or of a
        chain P(tag | sentence), as in ``why``; each model has the tags that it gave itself.
    """
    adaptation = session.adaptation(cutoff)
    names = adaptation.problem.background.tag_names
    alone, place = sentence_of(text or session.corpora[part], position, names)
    old, packed = session.background, adaptation.problem.pack(alone)
    wide = old.add_tags(names)
    chances, chosen, known = [], [], adaptation.known
    for tuned in known:
        model = tuned.model
        tags = model.tag(packed)
        chances.append(_chances(model, packed, tags)[place].tolist())
        chosen.append(names[tags[place]])
    of_background = _chances(wide, alone, old.tag(alone), len(old.tag_names))[place]
    return {
        "tags": list(names), "background": of_background.tolist(),
        "sigma2s": [tuned.sigma2 for tuned in known], "p": chances, "chosen": chosen,
    }  # fmt: skip


def gap_along(
    session: "Session", snapshot: "Snapshot", gap: Mapping[str, Any]
) -> list[list[float]]:  # fmt: skip
    """Return what each feature adds to a gap at every sigma^2 that is fitted, in nats.

    ``gap`` is that of ``why``: one list for each fit, as in ``path``, of one number for each row.
    The context stays that of the snapshot: its own tags of the neighbours.
    """
    names = snapshot.tuned.model.tag_names
    predicates = [row["predicate"] for row in gap["rows"]]
    tags = [names.index(gap[side]) for side in ("from", "to")]
    known = session.adaptation(snapshot.point["cutoff"]).known
    weights = [np.nan_to_num(weigh(tuned.model, predicates)[:, tags]) for tuned in known]
    return [np.diff(own, axis=1).ravel().round(4).tolist() for own in weights]


def gap_direction(
    session: "Session", snapshot: "Snapshot", position: int, text: Corpus | None = None
) -> np.ndarray:
    """Return the gradient of the gap in ``why`` by the active weights, shape (F,)."""
    return _direction(snapshot, _decide(session, snapshot, position, text))


def _direction(snapshot, of):
    cells = gap_cells(of.predicates(), of.between())
    return snapshot.tuned.adaptation.problem.direction(cells)


def because(
    session: "Session", snapshot: "Snapshot", position: int, text: Corpus | None = None
) -> dict:
    """Return the adaptation sentences that pushed a decision most, and those that resisted.

    ``text`` as in ``why``.

    Returns
    -------
    sentences : dict
        ``from`` and ``to``, the two tags, and ``gap``, by how much the adapted model prefers
        the one to the other, as in ``why``; ``pushed`` and ``resisted``, at most six each;
        ``says``, in words, which of them pushed most by a word that shares a feature, "" if none;
        and ``seconds``, how long it took. Each sentence has its number ``sentence``, which
        ``Session.without`` takes; ``words``, as written; ``effect``, in nats: the gap would be
        so much smaller without the sentence, or greater if it is negative, by one step of
        Newton's method (see ``learning.influence``); and ``link``, its largest part, by way of
        one predicate's weights. A link has ``words``, the predicate as in the rows of ``why``;
        ``effect``, that part, in nats, which may be more than all parts together; ``is_shared``,
        whether it fires at the word asked about as well, else its weights matter because others
        move with them; and ``places`` of the words of the sentence at which it fires and acts
        that way, the strongest first, of one that reads tags alone only that; none if it is not
        shared.

    Raises
    ------
    InputError
        If the text has no such position, or the snapshot is of another session.
    """
    of = _decide(session, snapshot, position, text)
    began, influence = time.perf_counter(), influence_of(session, snapshot)
    start, end = of.between()
    pushed, resisted = (
        describe_sentences(session, found, _tell_links(of, snapshot, found))
        for found in strongest(influence, _direction(snapshot, of), _MOST)
    )
    return {
        "from": start, "to": end, "gap": sum(row["adapted"] for row in of.rows()),
        "says": _tell_push(of, pushed), "pushed": pushed, "resisted": resisted,
        "seconds": time.perf_counter() - began,
    }  # fmt: skip


def _tell_push(of, pushed):
    links = ((each["words"], each["link"]) for each in pushed if each["link"]["places"])
    words, link = next(links, ((), None))
    if link is None:
        return ""
    is_new = of.tags_before[of.place] != of.tags_after[of.place]
    begins = "Learnt above all from" if is_new else "Supported most by"
    word, feature = words[link["places"][0]].strip(), link["words"]
    has_it = f"shares {feature}"
    if feature.startswith("the "):
        has_it = f"has the same {feature[4:]}"
    if feature == "the word itself":
        has_it = "is the same word"
    return f"{begins} a sentence with “{word}”, which {has_it}."


def influence_of(session: "Session", snapshot: "Snapshot") -> Influence:
    """Return the influence of the sentences behind a snapshot; InputError if it is another's."""
    problem = snapshot.tuned.adaptation.problem
    adaptation = session.adaptation(problem.cutoff)
    if adaptation.problem is not problem:
        raise InputError("the snapshot is of another session")
    return adaptation.influence(snapshot.tuned)


def strongest(influence: Influence, direction: np.ndarray, n: int) -> list[dict[int, Parts]]:
    """Return the parts of the n largest effects above 0, and of those below it, by sentence.

    ``direction`` as in ``Influence.on``, whose estimates choose the sentences.
    """
    solved = influence.solve(direction)
    estimates = np.nan_to_num(influence.effects(solved))
    found = []
    for sign in (1, -1):
        first = np.argsort(-sign * estimates, kind="stable")[:n].tolist()
        parts = {
            i: influence.without(direction, solved, [i])[0]
            for i in first if sign * estimates[i] >= _NOTHING
        }  # fmt: skip
        ranked = sorted(parts.items(), key=lambda each: -sign * each[1].effect)
        found.append({i: own for i, own in ranked if sign * own.effect >= _NOTHING})
    return found


class Link(NamedTuple):
    """The predicate whose weights carry the largest part of a sentence's effect."""

    name: str
    effect: float  # its part, in nats
    places: list[int]  # of the words where it fires and acts that way, the strongest first


def find_link(problem: Any, parts: Parts, own: Sequence[str]) -> Link:
    """Return the ``Link`` of a sentence whose effect has these parts.

    Of predicates as strong as one another it is the first of ``own``, those of the decision.
    """
    sign = np.sign(parts.effect)
    predicates, which = np.unique(parts.predicates, return_inverse=True)
    sums = np.bincount(which, parts.values)
    as_strong = np.flatnonzero(sign * sums >= _AS_STRONG * (sign * sums).max())
    names = problem.name_parts(predicates[as_strong])
    ranks = [own.index(name) if name in own else len(own) for name in names]
    chosen = int(np.argmin(ranks))
    here = np.flatnonzero((which == as_strong[chosen]) & (sign * parts.values > 0))
    places = parts.places[here[np.argsort(-sign * parts.values[here], kind="stable")]]
    return Link(names[chosen], float(sums[as_strong[chosen]]), places.tolist())


def _tell_links(of, snapshot, effects):
    """Return the ``link`` of each of some sentences, given by number with their parts."""
    problem, own = snapshot.tuned.adaptation.problem, of.predicates()
    templates = {template.name: template for template in of.adapted.templates}
    told = []
    for parts in effects.values():
        link = find_link(problem, parts, own)
        template, is_shared = templates.get(link.name.split("=", 1)[0]), link.name in own
        is_seen = is_shared and template and not template.edges_only
        # Tags alone are shared by many words of a sentence: the strongest is enough.
        places = link.places[: None if template and template.offsets else 1] if is_seen else []
        told.append(
            {"words": describe_predicate(link.name), "effect": link.effect,
             "is_shared": is_shared, "places": places}
        )  # fmt: skip
    return told


def describe_sentences(
    session: "Session", effects: Mapping[int, Parts], links: Sequence[dict]
) -> list[dict]:
    """Return sentences of the adaptation data, by number with their parts, as in ``because``."""
    return [
        {"sentence": i, "words": session.words_of(i), "effect": parts.effect, "link": link}
        for (i, parts), link in zip(effects.items(), links, strict=True)
    ]


def left_out(
    session: "Session", snapshot: "Snapshot", position: int, text: Corpus | None = None
) -> dict | None:
    """Return what a decision became without the sentences that a session leaves out.

    ``text`` as in ``why``.

    Returns
    -------
    change : dict or None
        None where all sentences are there. ``sentences``, each with its number ``sentence``
        and ``words``; ``before`` and ``after``, as ``why`` has ``after``, with all sentences
        and without these; the change of the gap with all of them, in nats: ``forecast``, by one
        step of Newton's method as in ``because``, and ``true``, after the fit without them, of
        the same sum of weights; ``context_differs``, whether the
        neighbours' tags that count are others without them, which is in ``after`` alone; and
        ``flipped``, how many other decisions
        of ``snapshot.part`` are now others.
    """
    whole, numbers = session.whole, sorted(session.dropped)
    if not (whole and numbers):
        return None
    tuned, own = snapshot.tuned, (text,) if text else ()
    entire = whole.at(tuned.sigma2, tuned.adaptation.problem.cutoff, snapshot.part)
    direction = whole.gap_direction(entire, position, *own)
    influence = influence_of(whole, entire)
    solved = influence.solve(direction)
    forecast = -sum(parts.effect for parts in influence.without(direction, solved, numbers))
    tags = entire.tuned.tags[snapshot.part], tuned.tags[snapshot.part]
    is_other = tags[0] != tags[1]
    before, after = whole.why(entire, position, *own), session.why(snapshot, position, *own)
    return {
        "sentences": [{"sentence": i, "words": session.words_of(i)} for i in numbers],
        "before": before["after"], "after": after["after"],
        "context_differs": before.get("context") != after.get("context"),
        "forecast": forecast,
        "true": float(direction @ (tuned.fit.weights - entire.tuned.fit.weights)),
        "flipped": int(is_other.sum() - (not text and is_other[position])),
    }  # fmt: skip


def side_by_side(memm: MEMM, crf: CRF, corpus: Corpus, position: int) -> list[dict]:
    """Return the probabilities of an MEMM beside those of a CRF, for each word of a sentence.

    Parameters
    ----------
    position : int
        Place in the corpus of any word of the sentence.

    Returns
    -------
    rows : list of dict
        ``position`` and ``word``, as written, with the tags that the models give, ``memm`` and
        ``crf``, and probabilities by name of a tag: ``memm_local``, P(tag | the two tags given
        before), normalized in each context; ``memm_marginal`` and ``crf_marginal``,
        P(tag | sentence), all other tags summed over.

    Source
    ------
    Lafferty, McCallum & Pereira (2001), section 2, the label bias problem: the two last
    differ where a later word should have a say.
    """
    alone, place = sentence_of(corpus, position, memm.tag_names)
    other, _ = sentence_of(corpus, position, crf.tag_names)
    tags, crf_tags, first = memm.tag(alone), crf.tag(other), position - place
    sides = {
        "memm_local": (memm, memm.local_probabilities(alone, tags)),
        "memm_marginal": (memm, memm.probabilities(alone)),
        "crf_marginal": (crf, crf.probabilities(other)),
    }
    return [
        {
            "position": first + i, "word": _written_form(corpus, first + i),
            "memm": memm.tag_names[tags[i]], "crf": crf.tag_names[crf_tags[i]],
            **{name: _by_name(model, p[i]) for name, (model, p) in sides.items()},
        }
        for i in range(len(alone))
    ]  # fmt: skip


def _written_form(corpus, position):
    return corpus.form_at(position)


def _by_name(model: LogLinear, p: np.ndarray) -> dict[str, float]:
    return dict(zip(model.tag_names, p.tolist(), strict=True))
