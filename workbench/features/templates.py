"""Feature templates as data, from a context to predicates such as ``prefix2=pr``.

A template reads words, or entries of other columns, at some offsets, and some of the last tags.
To add one, add a line to ``_FURTHER``. Templates that read the same things share a *slot*; the
strings read are its *filler*. The seven templates of CA04 that read the current word alone are one
slot, so their predicates are found once per vocabulary word.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import groupby
from typing import Any

from workbench.features.unpunctuated import is_unpunctuated
from workbench.text.corpus import BOUNDARY
from workbench.text.errors import InputError

Value = Callable[[str], str | None]
_LONGEST = 30  # letters of a word that n-grams are taken of


def same(word: str) -> str:
    """Return the word itself."""
    return word


def joined(*read: str) -> str:
    """Return strings joined by commas."""
    return ",".join(read)


def inside(*read: str) -> str | None:
    """Return strings joined; None where one of them is beyond the sentence."""
    return None if BOUNDARY in read else ",".join(read)


def prefix(length: int) -> Value:
    """Return a function that gives the first letters of a word, or None if it is shorter."""
    return lambda word: word[:length] if len(word) >= length else None


def suffix(length: int) -> Value:
    """Return a function that gives the last letters of a word, or None if it is shorter."""
    return lambda word: word[-length:] if len(word) >= length else None


def letter_ngrams(length: int) -> Callable[[str], list[str]]:
    """Return a function that gives all strings of that length in a word, each once.

    Of a long word in its start.
    """
    return lambda word: list(
        dict.fromkeys(word[i : i + length] for i in range(min(len(word), _LONGEST) - length + 1))
    )


def shape(word: str) -> str:
    """Return a word with letters as a, digits as 0, runs shortened: u.s. is a.a., 1990s 0a."""
    kinds = ("a" if c.isalpha() else "0" if c.isdigit() else c for c in word)
    return "".join(kind for kind, _ in groupby(kinds))


def position_of(before_last: str, last: str, following: str) -> str:
    """Return where in its sentence a word stands, from its neighbours."""
    if last == BOUNDARY:
        return "single" if following == BOUNDARY else "first"
    if following == BOUNDARY:
        return "last"
    return "second" if before_last == BOUNDARY else "middle"


def cased_shape(word: str) -> str:
    """Return the shape of a word, capitals as A."""
    kinds = (
        "A" if c.isupper() else "a" if c.isalpha() else "0" if c.isdigit() else c for c in word
    )
    return "".join(kind for kind, _ in groupby(kinds))


CASING, CASING_RATE = "casing", "casingrate"  # columns that a lexicon makes


@dataclass(frozen=True)
class Template:
    """One kind of predicate.

    Offsets count from the current word: an int is a word, ``("pos", -1)`` the entry of another
    column of the corpus. ``value`` takes the strings read (those at the offsets, then tags, t-1
    first) to the predicate's value, None where the predicate does not fire; or, of a template of
    ``many``, to a list of the values of all predicates that fire, each once.
    """

    name: str
    offsets: tuple[int | tuple[str, int], ...]
    n_tags: int  # number of last tags read: t-1 is one, t-1 and t-2 are two
    value: Callable[..., str | Sequence[str] | None]
    edges_only: bool = False  # only distinguishes BOUNDARY from other words: a tiny slot
    unpunctuated: bool = False  # reads nothing but BOUNDARY unless a sentence is_unpunctuated
    many: bool = False  # several predicates may fire for the same strings

    @property
    def is_verbatim(self) -> bool:
        """Whether its value, if any, is the strings that it reads, joined by commas."""
        return self.value in (same, joined, inside)

    def __reduce__(self) -> tuple:
        # What it computes is known by its name in another process, too; functions do not travel.
        return _find_template, (self.name,)

    def values_of(self, strings: Sequence[str]) -> Sequence[str]:
        """Return its values for the strings of its slot: those at the offsets, then tags."""
        value: Any = self.value(*strings[: len(self.offsets) + self.n_tags])
        if self.many:
            return value
        return () if value is None else (value,)


def _affixes(name, offset, lengths):
    prefixes = [Template(f"{name}prefix{n}", (offset,), 0, prefix(n)) for n in lengths]
    return prefixes + [Template(f"{name}suffix{n}", (offset,), 0, suffix(n)) for n in lengths]


_CA04 = [
    Template("currentword", (0,), 0, same),
    Template("previousword", (-1,), 0, same),
    Template("nextword", (1,), 0, same),
    Template("t-1", (), 1, joined),
    Template("t-1,2", (), 2, joined),
    *_affixes("", 0, (1, 2, 3)),
]
_NEIGHBOURS_AFFIXES = [*_affixes("previous", -1, (1, 2, 3)), *_affixes("next", 1, (1, 2, 3))]
_FURTHER = [
    *_affixes("", 0, (4, 5)),
    Template("shape", (0,), 0, shape),
    Template("word-2", (-2,), 0, same),
    Template("word+2", (2,), 0, same),
    Template("previousword,currentword", (-1, 0), 0, joined),
    Template("currentword,nextword", (0, 1), 0, joined),
    Template("currentword,t-1", (0,), 1, joined),
    Template("previousword,t-1", (-1,), 1, joined),
    Template("position", (-2, -1, 1), 0, position_of, edges_only=True),
]


def _pos_at(*offsets):
    name = ",".join(f"pos{offset:+}" if offset else "pos0" for offset in offsets)
    return Template(name, tuple(("pos", offset) for offset in offsets), 0, joined)


def _casing_at(*offsets, n_tags=0):
    name = ",".join(f"casing{offset:+}" if offset else "casing" for offset in offsets)
    read = tuple((CASING, offset) for offset in offsets)
    return Template(f"{name},t-1" if n_tags else name, read, n_tags, joined)


def _mark(name, has_property):
    """Return a template that fires for words with a character of some property."""
    return Template(name, (0,), 0, lambda word: "yes" if any(map(has_property, word)) else None)


_PARTS_OF_SPEECH = [
    *(_pos_at(offset) for offset in (-2, -1, 0, 1, 2)),
    *(_pos_at(first, first + 1) for first in (-2, -1, 0, 1)),
    *(_pos_at(first, first + 1, first + 2) for first in (-2, -1, 0)),
]
_AS_WRITTEN = [  # of words whose case is there to be read
    Template("lowercase", (0,), 0, str.lower),
    Template("casedshape", (0,), 0, cased_shape),
    _mark("capital", str.isupper),
    _mark("digit", str.isdigit),
    _mark("hyphen", "-".__eq__),
]
_CASING = [  # how the background writes words
    Template("casingrate", ((CASING_RATE, 0),), 0, joined),
    *(_casing_at(*offsets) for offsets in ((-2,), (-1,), (1,), (2,), (-1, 0), (0, 1), (-1, 0, 1))),
    *(_casing_at(offset, n_tags=1) for offset in (0, 1)),
    Template("currentword,casing-1", (0, (CASING, -1)), 0, joined),
    Template("currentword,casing+1", (0, (CASING, 1)), 0, joined),
]
_NGRAMS = [Template(f"ngram{n}", (0,), 0, letter_ngrams(n), many=True) for n in (3, 4)]
_UNPUNCTUATED = [  # which words a sentence begins between, where no mark says so
    Template(f"unpunctuated,{name}", offsets, 0, inside, unpunctuated=True)
    for name, offsets in (
        ("currentword", (0,)), ("previousword", (-1,)), ("nextword", (1,)),
        ("previousword,currentword", (-1, 0)), ("currentword,nextword", (0, 1)),
    )
]  # fmt: skip
TEMPLATES = {
    template.name: template
    for template in (
        *_CA04,
        *_NEIGHBOURS_AFFIXES,
        *_FURTHER,
        *_PARTS_OF_SPEECH,
        *_AS_WRITTEN,
        *_CASING,
        *_NGRAMS,
        *_UNPUNCTUATED,
    )
}


def _find_template(name):
    return TEMPLATES[name]


_PLACE = "all are listed in the help of Templates and of --templates"
_WINDOW = ("word-2", "previousword", "currentword", "nextword", "word+2")
_LABELS = ("t-1", "t-1,2")
TEMPLATE_SETS = {
    # Chelba & Acero (2004), section 3, after Ratnaparkhi (1996)
    "ca04": tuple(template.name for template in _CA04),
    "extended": tuple(
        template.name for template in (*_CA04, *_NEIGHBOURS_AFFIXES, *_FURTHER)
    ),
    # the lowest errors on dev text of many domains, before and after adaptation; the affixes of
    # neighbours made no significant difference beside the others, for two fifths of their time
    "best": tuple(template.name for template in (*_CA04, *_FURTHER, *_CASING, *_NGRAMS)),
    # after CRFsuite's example of CoNLL-2000 chunking
    "chunk": (
        *_WINDOW, "previousword,currentword", "currentword,nextword",
        *(template.name for template in _PARTS_OF_SPEECH), *_LABELS,
    ),
    # after Ratnaparkhi (1996)
    "pos": (
        *_WINDOW, *(template.name for template in _affixes("", 0, (1, 2, 3, 4))),
        *(template.name for template in _AS_WRITTEN), *_LABELS,
    ),
    # for text without sentence ends; with other templates
    "unpunctuated": tuple(template.name for template in _UNPUNCTUATED),
}  # fmt: skip


def find_templates(expression: str | Iterable[str]) -> tuple[Template, ...]:
    """Return the templates that an expression names, each once, in its order.

    It has names of sets and of templates, separated by blanks or in a sequence. A name, with or
    without +, adds its templates; with - it removes them: ``ca04 +shape +word-2 -nextword``.
    InputError if a name is unknown, a template to be removed is absent, or none is left.
    """
    chosen: dict[str, None] = {}
    for part in expression.split() if isinstance(expression, str) else expression:
        names = _named(part[1:] if part[:1] in {"+", "-"} else part)
        if not part.startswith("-"):
            chosen |= dict.fromkeys(names)
        elif absent := [name for name in names if name not in chosen]:
            raise InputError(f"templates {part}: {absent[0]} is not among those before it")
        else:
            chosen = dict.fromkeys(name for name in chosen if name not in names)
    if not chosen:
        raise InputError(f"templates: none is left; at least one is needed, as in ca04; {_PLACE}")
    return tuple(TEMPLATES[name] for name in chosen)


def name_templates(templates: Sequence[Template]) -> str:
    """Return an expression for some templates: the name of their set, or else their names."""
    names = tuple(template.name for template in templates)
    sets = (name for name, own in TEMPLATE_SETS.items() if own == names)
    return next(sets, " ".join(names))


def _named(name):
    """Return the names of the templates of a set, or the name of one."""
    if name not in TEMPLATE_SETS and name not in TEMPLATES:
        raise InputError(f"templates {name[:40]!r}: no such set or template; {_nearest(name)}")
    return TEMPLATE_SETS.get(name, (name,))


def _nearest(name):
    """Return the names that are most like an unknown one, and where all are listed."""
    names = get_close_matches(name, [*TEMPLATE_SETS, *TEMPLATES], n=3, cutoff=0.4)
    nearest = f"the nearest: {', '.join(names)}" if names else "no name is like it"
    return f"{nearest}; {_PLACE}"


def predicates_of(
    templates: Iterable[Template],
    words: Sequence[str],
    i: int,
    last_tags: Iterable[str],
    **columns: Sequence[str],
) -> list[str]:
    """Return the predicates that fire at word i of a sentence, as the paper prints them.

    For one context at a time; ``pack_contexts`` is the fast way for a corpus. Other
    columns that templates read are given by name, each a list of strings.

    >>> predicates_of(find_templates(["prefix2", "t-1"]), ["primetime"], 0, ())
    ['prefix2=pr', 't-1=*bdw*']
    """

    def at(offset):
        name, distance = (None, offset) if isinstance(offset, int) else offset
        strings = words if name is None else columns[name]
        return strings[i + distance] if 0 <= i + distance < len(words) else BOUNDARY

    tags = (*last_tags, BOUNDARY, BOUNDARY)
    unpunctuated = is_unpunctuated(words)
    fit = [t for t in templates if unpunctuated or not t.unpunctuated]
    found = {t.name: t.values_of([*map(at, t.offsets), *tags[: t.n_tags]]) for t in fit}
    return [f"{name}={value}" for name, values in found.items() for value in values]


@dataclass(frozen=True)
class Slot:
    """Templates that read the same words and tags."""

    offsets: tuple[int | tuple[str, int], ...]
    n_tags: int
    templates: tuple[Template, ...]
    edges_only: bool = False
    unpunctuated: bool = False


def group_by_slot(templates: Iterable[Template]) -> tuple[Slot, ...]:
    """Return the slots of some templates, in the order in which they first appear.

    Templates that read the same words share a slot, which reads as many tags as
    the one that reads most; but those that read words alone have one of their own,
    because a slot has a row for every combination of its words with tags.
    """
    groups: dict[tuple, list[Template]] = {}
    for template in templates:
        flags = template.edges_only, template.unpunctuated
        key = template.offsets, bool(template.n_tags), *flags
        groups.setdefault(key, []).append(template)
    return tuple(
        Slot(offsets, max(template.n_tags for template in group), tuple(group), *flags)
        for (offsets, _, *flags), group in groups.items()
    )
