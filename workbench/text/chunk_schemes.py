"""Chunk labels in four schemes, IOB2, IOB1, IOBES and BILOU, brought into IOB2.

Three words of a chunk, and one that is the next chunk of the same type:

    IOB2   B-X I-X I-X B-X   every chunk begins with B-
    IOB1   I-X I-X I-X B-X   B- only where two chunks of a type touch
    IOBES  B-X I-X E-X S-X   E- ends a chunk, S- is a whole one; in BILOU L- and U-

A file is of one scheme, found from its labels alone: IOBES if a label begins with E- or S-,
else BILOU with L- or U-. Of the others, a file is IOB1 if some chunk begins with I- and no B-
stands elsewhere than directly after a chunk of its type; else it is IOB2.

Source
------
Ramshaw & Marcus (1995) for IOB1; Ratnaparkhi (1998) for IOB2; Tjong Kim Sang & Buchholz
(2000), whose conlleval reads an I-X that continues no chunk as the beginning of one.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

_LETTERS = {"IOB2": "BI", "IOB1": "BI", "IOBES": "BIES", "BILOU": "BILU"}


def find_scheme(pairs: Collection[tuple[str, str]]) -> str:
    """Return the scheme of a file, "IOB2", "IOB1", "IOBES" or "BILOU".

    Its labels are given as pairs (label before, "O" at the start of a sentence; label).
    """
    letters = {label[0] for _, label in pairs if label[1:2] == "-"}
    for scheme, own in (("IOBES", "ES"), ("BILOU", "LU")):
        if not letters.isdisjoint(own):
            return scheme
    is_iob1 = any(_is_stray(*pair) for pair in pairs) and all(
        _is_of_type(before, label) for before, label in pairs if label.startswith("B-")
    )
    return "IOB1" if is_iob1 else "IOB2"


def _is_of_type(before, label):
    return before != "O" and before[2:] == label[2:]


def _is_stray(before, label):
    """Whether a label continues a chunk (I-, E-, L-) where none of its type is open."""
    return label[0] in "IEL" and not (before[0] in "BI" and _is_of_type(before, label))


def to_iob2(
    labels: Sequence[str],
    is_first: Sequence[bool],
    refuse: Callable[[int, str], None],
    repair: bool = False,
) -> tuple[list[str], int]:
    """Return the labels of all words of a file in IOB2, and how many of them were repaired.

    Parameters
    ----------
    is_first : sequence of bool
        Whether a word begins a sentence.
    refuse : callable
        Called with the place of the first wrong label and with what is wrong; it raises.
    repair : bool
        Read an I-X (E-X, L-X) that continues no chunk as the beginning of one, as conlleval
        does; otherwise it is refused, in any scheme but IOB1, where it is right.
    """
    before = ["O" if first else b for b, first in zip(["O", *labels], is_first, strict=False)]
    pairs = list(zip(before, labels, strict=True))
    counts = Counter(pairs)
    scheme = find_scheme(counts)
    strays = {pair for pair in counts if _is_stray(*pair)} if scheme != "IOB1" else set()
    wrong = {pair for pair in counts if not _is_label(pair[1], scheme)}
    refused = wrong if repair else wrong | strays
    if refused:
        place = next(i for i, pair in enumerate(pairs) if pair in refused)
        refuse(place, _complaint(pairs[place], pairs[place] in wrong, is_first[place], scheme))
    converted = {pair: _convert(*pair) for pair in counts}
    return list(map(converted.__getitem__, pairs)), sum(counts[pair] for pair in strays)


def _is_label(label, scheme):
    return label == "O" or (label[:1] in [*_LETTERS[scheme]] and label[1:2] == "-" and label[2:])


def _complaint(pair, is_wrong, is_first, scheme):
    before, label = pair
    if is_wrong:
        *others, last = (f"{letter}-X" for letter in _LETTERS[scheme])
        return f"label {label[:40]}; O, {', '.join(others)} and {last} are allowed"
    after = "at the start" if is_first else f"after {before}"
    return f"{label} {after}; a chunk begins with B-{label[2:]} (--repair reads it as one)"


def _convert(before, label):
    if label == "O":
        return label
    begins = label[0] in "BSU" or _is_stray(before, label)
    return f"{'B' if begins else 'I'}-{label[2:]}"
