"""Why a word has its tag: the weights of both models, and the adaptation sentences behind them.

All that is returned is ready for JSON: dictionaries, lists, strings and plain numbers.
"""

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from workbench.evaluation.explanation import (
    gap_cells,
    gap_rows,
    predicates_after,
    sentence_of,
    tell_gap,
)
from workbench.evaluation.task import find_task
from workbench.models.crf import CRF
from workbench.models.log_linear import LogLinear
from workbench.models.memm import MEMM
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

if TYPE_CHECKING:  # a session has what is here
    from workbench.experiments.session import Session, Snapshot

_MOST = 3  # sentences that are listed of each kind
_NOTHING = 1e-3  # nats: sentences of less influence are not listed


class _Decision(NamedTuple):
    """A word of a sentence, and what both models say of it; tags are indices of ``tag_names``."""

    alone: Corpus
    place: int
    background: Any  # with the adapted model's tags
    adapted: Any
    tags_before: np.ndarray  # of the sentence, the background's own
    tags_after: np.ndarray
    p_own: np.ndarray  # shape (K,): the background's, after its own tags
    p_background: np.ndarray  # after the adapted model's
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


def _decide(session, snapshot, position):
    adapted, corpus = snapshot.tuned.model, session.corpora[snapshot.part]
    alone, place = sentence_of(corpus, position, adapted.tag_names)
    old = session.background
    tags_before, tags_after = old.tag(alone), adapted.tag(alone)
    wide, n_known = old.add_tags(adapted.tag_names), len(old.tag_names)
    return _Decision(
        alone, place, wide, adapted, tags_before, tags_after,
        _chances(wide, alone, tags_before, n_known)[place],
        _chances(wide, alone, tags_after, n_known)[place],
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


def why(session: "Session", snapshot: "Snapshot", position: int) -> dict:
    """Return why a word of a snapshot's text has its tag: what moved between the two models.

    Parameters
    ----------
    position : int
        Place of the word in the text of ``snapshot.part``.

    Returns
    -------
    answer : dict
        ``position``; ``word``, as the models read it; ``before`` and ``after``, each with
        ``tag``, ``form`` and ``p``, as background and adapted model tag the sentence by
        themselves; ``gold``, with ``tag`` and ``form``; ``probability``, what p is:
        "P(tag | context)", of an MEMM after the two tags that it gave before, or
        "P(tag | sentence)"; ``tags``, K names, and ``p_background`` and ``p_adapted``, lists of
        K, both after the adapted model's tags; ``context_differs``, whether the neighbours'
        tags that count are others in the background, so that ``before`` is of another
        context; ``gap``; and ``sentence``, which says it all in plain text.

        The gap is that of the scores of two tags, ``from`` and ``to``: of the two models, or
        where these agree of the strongest rival and the tag. It has its values ``background``
        and ``adapted``, in nats, and ``rows``, which sum to them: see ``gap_rows``.

    Raises
    ------
    InputError
        If the text has no such position.
    """
    of = _decide(session, snapshot, position)
    corpus, place = session.corpora[snapshot.part], of.place
    before = _answer(of, of.tags_before, session.background.mixed_forms, of.p_own)
    after = _answer(of, of.tags_after, of.adapted.mixed_forms, of.p_adapted)
    start, end = between = of.between()
    rows = gap_rows(of.background, of.adapted, of.predicates(), between)
    sums = {side: sum(row[side] for row in rows) for side in ("background", "adapted")}
    gap = {"from": start, "to": end, **sums, "rows": rows}
    gold = {"tag": corpus.tag_names[corpus.tags[position]], "form": _written(corpus, position)}
    is_chain = isinstance(of.adapted, CRF)
    return {
        "position": int(position), "word": of.alone.words[of.alone.word_ids[place]],
        "before": before, "after": after, "gold": gold,
        "probability": "P(tag | sentence)" if is_chain else "P(tag | context)",
        "tags": list(of.adapted.tag_names), "p_background": of.p_background.tolist(),
        "p_adapted": of.p_adapted.tolist(), "context_differs": _context_differs(of, is_chain),
        "gap": gap, "sentence": tell_gap(before, after, gap),
    }  # fmt: skip


def _answer(of, tags, mixed_forms, p):
    """Return the tag, form and probability that a model gives the word."""
    (form,) = find_task(of.alone).words_at(of.alone, np.array([of.place]), tags, mixed_forms)
    tag = int(tags[of.place])
    return {"tag": of.adapted.tag_names[tag], "form": form, "p": float(p[tag])}


def _written(corpus, position):
    return find_task(corpus).words_at(corpus, np.array([position]))[0]


def _context_differs(of, is_chain):
    """Whether neighbouring tags that the model reads differ from the background's own."""
    place = of.place
    counted = (place - 1, place + 1) if is_chain else (place - 1, place - 2)
    return any(
        of.tags_before[i] != of.tags_after[i] for i in counted if 0 <= i < len(of.tags_after)
    )


def path(session: "Session", cutoff: int | None, part: str, position: int) -> dict:
    """Return the probabilities of a word's tags along sigma^2, at the fits that are known.

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
    alone, place = sentence_of(session.corpora[part], position, names)
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


def because(session: "Session", snapshot: "Snapshot", position: int) -> dict:
    """Return the adaptation sentences that pushed a decision most, and those that resisted.

    Returns
    -------
    sentences : dict
        ``from`` and ``to``, the two tags, and ``gap``, by how much the adapted model prefers
        the one to the other, as in ``why``; ``pushed`` and ``resisted``, at most three each;
        and ``seconds``, how long it took. Each sentence has its number ``sentence``, which
        ``Session.without`` takes; ``words``, as written; ``places`` of the same word in it;
        and ``effect``, in nats: the gap would be so much smaller without the sentence, or
        greater if it is negative. It is an estimate: see ``learning.influence``.

    Raises
    ------
    InputError
        If the text has no such position, or the snapshot is of another session.
    """
    began = time.perf_counter()
    of, problem = _decide(session, snapshot, position), snapshot.tuned.adaptation.problem
    adaptation = session.adaptation(problem.cutoff)
    if adaptation.problem is not problem:
        raise InputError("the snapshot is of another session")
    predicates, (start, end) = of.predicates(), of.between()
    cells = gap_cells(predicates, (start, end))
    rows = gap_rows(of.background, of.adapted, predicates, (start, end))
    effects = np.nan_to_num(-adaptation.influence(snapshot.tuned).on(problem.direction(cells)))
    order = np.argsort(-effects, kind="stable")
    pushed = [i for i in order[:_MOST] if effects[i] >= _NOTHING]
    resisted = [i for i in order[::-1][:_MOST] if effects[i] <= -_NOTHING]
    word = of.alone.words[of.alone.word_ids[of.place]]
    return {
        "from": start, "to": end, "gap": sum(row["adapted"] for row in rows),
        "pushed": _sentences(session.corpora["train"], pushed, effects, word),
        "resisted": _sentences(session.corpora["train"], resisted, effects, word),
        "seconds": time.perf_counter() - began,
    }  # fmt: skip


def _sentences(corpus, numbers, effects, word):
    """Describe some sentences of the adaptation data."""
    found = []
    for i in map(int, numbers):
        ids = corpus.word_ids[corpus.starts[i] : corpus.starts[i + 1]].tolist()
        places = [place for place, own in enumerate(ids) if corpus.words[own] == word]
        found.append(
            {"sentence": i, "words": corpus.sentence(i), "places": places,
             "effect": float(effects[i])}
        )  # fmt: skip
    return found


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
