"""Features of the case of a whole sentence, which no tagger reads from a word's neighbours."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from workbench.text.casing import TAGS, Tag

_CAPITALS = {Tag.CAP, Tag.MXC, Tag.AUC}
_TITLES = frozenset("mr mr. mrs mrs. ms ms. dr dr. sir lord lady president minister senator "
                    "general judge professor king queen prince captain".split())  # fmt: skip
_QUOTES = frozenset('" “ ‘ `` « (')  # after which a title or a sentence may begin
_LONGEST_RUN = 6


def describe_casing(words: Sequence[str], tags: Sequence[int]) -> Counter[str]:
    """Return the features of the tags of a sentence's words, in lower case; counts by name.

    ``same``: pairs of one word, not the first of the sentence, cased alike or unlike. ``run``:
    capitals in a row, by length. ``inside``: a word in lower case between two capitals.
    ``after``: the tag after a quote or a title. ``first``, ``last``: those of the ends.

    >>> describe_casing("the bank of england".split(), [1, 1, 0, 1])["inside=of"]
    1
    """
    found: Counter[str] = Counter()
    _add_repeats(words, tags, found)
    _add_runs(words, tags, found)
    for (before, _), (_, tag) in pairwise(zip(words, tags, strict=True)):
        if before in _TITLES:
            found[f"after=title {TAGS[tag]}"] += 1
        elif before in _QUOTES:
            found[f"after={before} {TAGS[tag]}"] += 1
    found[f"first={TAGS[tags[0]]}"] += 1
    found[f"last={TAGS[next((t for t in reversed(tags) if t != Tag.PNC), tags[-1])]}"] += 1
    return found


def describe_casing_and_words(words: Sequence[str], tags: Sequence[int]) -> Counter[str]:
    """Return the features of ``describe_casing``, and of each word with its tag; counts by name.

    The latter are what a ranker can learn of a domain whose tagger is not adapted.

    >>> describe_casing_and_words("visit rome".split(), [1, 1])["word=rome CAP"]
    1
    """
    found = describe_casing(words, tags)
    for word, tag in zip(words, tags, strict=True):
        if tag != Tag.PNC:
            found[f"word={word} {TAGS[tag]}"] += 1
    return found


def _add_repeats(words, tags, found):
    seen: dict[str, list[int]] = {}
    for word, tag in zip(words[1:], tags[1:], strict=True):
        if tag != Tag.PNC:
            for other in seen.setdefault(word, []):
                found["same=alike" if other == tag else "same=unlike"] += 1
            seen[word].append(tag)


def _add_runs(words, tags, found):
    length = 0
    for place, tag in enumerate(tags):
        if tag in _CAPITALS:
            length += 1
            continue
        if length:
            found[f"run={min(length, _LONGEST_RUN)}"] += 1
            if tag == Tag.LOC and place + 1 < len(tags) and tags[place + 1] in _CAPITALS:
                found[f"inside={words[place]}"] += 1
        length = 0
    if length:
        found[f"run={min(length, _LONGEST_RUN)}"] += 1
