"""What sub-words are worth: errors on words that the background's text has, and on others."""

import numpy as np

from workbench.experiments.backgrounds import background_of, count_words
from workbench.experiments.papers.study import Study, compare_errors
from workbench.experiments.papers.tables import make_spec
from workbench.text.casing import wipe_case

_AFFIXES = tuple(f"{end}{n}" for end in ("prefix", "suffix") for n in (1, 2, 3))
WITHOUT = " ".join(("ca04", *(f"-{name}" for name in _AFFIXES)))
GROUPS = ("known", "unknown")


def make_unknown(study: Study) -> list[dict]:
    """Return errors on each domain's test text with and without prefixes and suffixes.

    A word is unknown if the background's text does not have it in any case.
    """
    options = study.options | {"templates": WITHOUT}
    study.report("background without prefixes and suffixes")
    models = {"1-gram": study.unigram(), "words alone": background_of(study.text, options),
              "words and sub-words": study.memm()}  # fmt: skip
    known = set(count_words(study.text))
    texts = {name: parts["test"] for name, parts in study.domains.items()}
    if study.in_domain is not None:
        texts = {study.text.name: study.in_domain} | texts
    return [row for name, text in texts.items() for row in _rows_of(name, text, models, known)]


def _rows_of(name, text, models, known):
    is_known = np.array([wipe_case(word) in known for word in text.words])[text.word_ids]
    wrong = {system: model.tag(text) != text.tags for system, model in models.items()}
    for group, chosen in zip(GROUPS, (is_known, ~is_known), strict=True):
        for system, own in wrong.items():
            row = {"tested_on": name, "group": group, "system": system,
                   "words": int(chosen.sum())}  # fmt: skip
            row["error"] = float(own[chosen].mean()) if chosen.any() else None
            if system == "words and sub-words":  # all other words are right, so they do not count
                row |= compare_errors(text, wrong["words alone"] & chosen, own & chosen)
            yield row


SPEC = make_spec(
    "unknown", "CA04", "beside section 2.2", "errors on known and unknown words, by sub-words",
    make_unknown,
    ("tested_on", "tested on"), ("group", "words"), ("words", "how many", "count"),
    ("system", "model"), ("error", "error", "rate"),
    ("change", "against words alone", "change"), ("p", "p (McNemar)", "chance"),
)  # fmt: skip
