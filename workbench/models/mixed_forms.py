"""Forms of words in mixed case, such as iPhone, with how often background and domain write each."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from workbench.models.files import check_form, require
from workbench.text.casing import Tag, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.scratch import pieces_of
from workbench.text.tasks import TaskName

# Text of the domain is worth 7 to 29 times as much of the background
# (docs/lab/chelba-acero-2004.md).
DOMAIN_WEIGHT = 10  # occurrences in the background that one in the domain counts as
_MOST_DIGITS = 40  # of both counts of a form in a model file


class FormCounts(NamedTuple):
    """How often a form was seen in a model's background and in the text it was adapted to."""

    background: int
    domain: int = 0

    @property
    def total(self) -> int:
        """How often it was seen in both."""
        return self.background + self.domain

    @property
    def rank(self) -> tuple[int, int]:
        """By what forms of a word are compared: the larger is written."""
        return DOMAIN_WEIGHT * self.domain + self.background, self.domain


class MixedForms(dict[str, str]):
    """The form in which each word tagged MXC is written, by word in uniform case.

    Of several forms it is the one with the most occurrences, where one in the domain counts as
    ``DOMAIN_WEIGHT`` in the background; of equal ones that with more in the domain, then the
    first seen. ``counts`` has the ``FormCounts`` of all forms that were seen, in that order.
    """

    def __init__(self, counts: Mapping[str, FormCounts]) -> None:
        self.counts = dict(counts)
        best: dict[str, str] = {}
        for form, found in self.counts.items():
            word = wipe_case(form)
            if word not in best or found.rank > self.counts[best[word]].rank:
                best[word] = form
        super().__init__(best)

    @classmethod
    def of(cls, forms: Mapping[str, str]) -> "MixedForms":
        """Return forms as they are, or those without counts as seen once in the background."""
        if isinstance(forms, cls):
            return forms
        return cls(dict.fromkeys(forms.values(), FormCounts(1)))

    def forms_of(self, word: str) -> dict[str, FormCounts]:
        """Return the counts of the forms of a word, that which is written first."""
        wiped = wipe_case(word)
        found = [form for form in self.counts if wipe_case(form) == wiped]
        ranked = sorted(found, key=lambda form: self.counts[form].rank, reverse=True)
        return {form: self.counts[form] for form in ranked}


def join_mixed_forms(background: Mapping[str, str], domain: Mapping[str, str]) -> MixedForms:
    """Return the mixed-case forms of a background and of a domain together.

    All that ``background`` counted, adapted or not, is background; all that ``domain`` counted is
    domain. Forms without counts were seen once.
    """
    before, after = MixedForms.of(background).counts, MixedForms.of(domain).counts
    none = FormCounts(0)
    return MixedForms({
        form: FormCounts(before.get(form, none).total, after.get(form, none).total)
        for form in before | after
    })  # fmt: skip


def count_mixed_forms(corpus: Corpus) -> MixedForms:
    """Return the forms of the words of a corpus tagged MXC; none where tags are not of case."""
    if corpus.task is not TaskName.CASE:
        return MixedForms({})
    pieces = zip(pieces_of(corpus.form_ids), pieces_of(corpus.tags), strict=True)
    forms = np.concatenate([ids[tags == Tag.MXC] for ids, tags in pieces])
    distinct, first, counts = np.unique(forms, return_index=True, return_counts=True)
    seen = np.argsort(first)
    pairs = zip(distinct[seen].tolist(), counts[seen].tolist(), strict=True)
    return MixedForms({corpus.forms[i]: FormCounts(n) for i, n in pairs})


def mixed_forms_to_lists(mixed_forms: Mapping[str, str]) -> dict[str, list[str]]:
    """Return forms and their counts as the lists that a model file holds."""
    counts = MixedForms.of(mixed_forms).counts
    return {
        "mixed_words": list(map(wipe_case, counts)),
        "mixed_forms": list(counts),
        "mixed_counts": [f"{found.background} {found.domain}" for found in counts.values()],
    }


def read_mixed_forms(lists: Mapping[str, list[str]]) -> MixedForms:
    """Return the forms that the lists of a model file hold; older files have no counts.

    InputError if one differs from its word in more than case: ``recase`` would write it.
    """
    words, forms = lists["mixed_words"], lists["mixed_forms"]
    require(len(words) == len(forms), "other words than mixed-case forms")
    counts = lists.get("mixed_counts", ["1 0"] * len(forms))
    require(len(counts) == len(forms), "other counts than mixed-case forms")
    pairs = zip(words, forms, strict=True)
    checked = [check_form(word, form) for word, form in pairs]
    require(len(set(checked)) == len(checked), "a mixed-case form twice")
    return MixedForms(dict(zip(checked, map(_read_counts, counts), strict=True)))


def _read_counts(text):
    background, _, domain = text.partition(" ")
    is_pair = all(n.isascii() and n.isdigit() for n in (background, domain))
    require(is_pair and len(text) <= _MOST_DIGITS, f"counts of a form {text[:40]!r}")
    return FormCounts(int(background), int(domain))
