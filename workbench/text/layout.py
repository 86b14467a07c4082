"""The words and sentences of a text of any layout: one sentence a line or running text.

Reading for training and recasing for a user share these functions, so that both see the same
words in the same sentences: those of the canonical view of the text.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np

from workbench.text.canonical import View, lay_back, view
from workbench.text.characters import (
    COMMA,
    FEED,
    RETURN,
    SPACE,
    SPELLED,
    STOP,
    WORD,
    codes_of,
    find_flagged,
    flag_characters,
)
from workbench.text.errors import refusal
from workbench.text.tokens import (
    count_head,
    find_doubtful,
    part_opening_marks,
    split_chunks,
    split_line,
    split_sentences,
)

_SPELLED = re.compile(r"[a-zA-Z](?: [a-zA-Z])+(?!\S)")
LONG_LINE = 500  # words; a tokenized line beyond it holds more than one sentence
MAX_SENTENCE = 20_000  # words
SAMPLE = 100_000  # characters that decide on the layout
BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_END_WITHIN = re.compile(r"[.?!]['\")]* +(?=\S)")
_HEAD = 20_000  # characters that tell whether lines are wrapped
_IS_SPACE = np.array([chr(code).isspace() for code in range(0x3002)])  # the last is U+3000
_ENDS_SENTENCE = re.compile(r"[.?!]['\")]*$")
_ENDS_WITHIN = re.compile(r"[.?!]['\")]*\s+(?=\S)")
_ALONE = re.compile(r"(?<!\S)[,.?!](?!\S)")
_ATTACHED = re.compile(r"\w[,?!](?!\S)|\w\w\.(?=\r?\n|$)")


class Layout(StrEnum):
    """How the words and sentences of a text are laid out."""

    AUTO = "auto"  # each line by itself, tokenized or not as its marks say
    TOKENIZED = "tokenized"  # each line by itself; spaces part the words
    RUNNING = "running"  # each line by itself, as it is printed
    WRAPPED = "wrapped"  # broken to fit a width: a sentence goes on until a blank line


def looks_tokenized(text: str) -> bool:
    """Return whether punctuation is already separated by spaces, as in the Penn Treebank.

    Decided by commas and final marks: alone between spaces, or attached to a word.
    """
    head = text[:SAMPLE]
    return len(_ALONE.findall(head)) > 4 * len(_ATTACHED.findall(head))


def looks_wrapped(text: str) -> bool:
    """Return whether lines were broken to fit a width, and sentences go on in the next.

    A wrapped line is one that the first word of the next would have made too long. Its sentences
    end within lines; lines of one sentence each are not wrapped, however alike their lengths.
    """
    lines = [line.strip() for line in text[:SAMPLE].split("\n")]
    pairs = [(a, b) for a, b in pairwise(lines) if a and b]
    lengths = sorted(len(line) for line in lines if line)
    width = lengths[-1 - len(lengths) // 20] if lengths else 0  # but for a few long ones
    if len(pairs) < 2 or not 40 <= width <= 120:
        return False
    full = sum(len(a) + 1 + len(b.split(None, 1)[0]) > width - 8 for a, b in pairs)
    if full <= 0.6 * len(pairs):
        return False
    at_end = sum(bool(_ENDS_SENTENCE.search(a)) for a, _ in pairs)
    return at_end <= sum(len(_ENDS_WITHIN.findall(a)) for a, _ in pairs)


def seems_wrapped(text: str) -> bool:
    """Return whether sentences of a text go on in the next line, from its first characters.

    Lines without a sentence's end, such as captions, are taken one by one.
    """
    head = text[:_HEAD]
    return looks_wrapped(head) and bool(_END_WITHIN.search(head))


class Located(NamedTuple):
    """The words of a text as its view has them, their places, and the lengths of its sentences."""

    words: list[str]
    places: np.ndarray  # start and end of each word in the text; int64, shape (N, 2)
    lengths: list[int]
    doubtful: list[int]  # the sentences that may go on with the one before them
    view: View
    in_view: np.ndarray  # start and end of each word in the view; int64, shape (N, 2)

    def lay_back(self, text: str, words: np.ndarray, forms: Sequence[str]) -> list[str]:
        """Return some words, by place, as the text writes them, in the case of new forms."""
        starts, laid = self.view.starts, list(forms)
        own, seen = codes_of(text), codes_of(self.view.text)
        edited = np.concatenate(([0], np.cumsum(seen != (own if starts is None else own[starts]))))
        (begins, ends), (firsts, lasts) = self.places[words].T, self.in_view[words].T
        is_alike = (edited[firsts] == edited[lasts]) & (ends - begins == lasts - firsts)
        for i in np.flatnonzero(~is_alike).tolist():
            begin, first, last = int(begins[i]), int(firsts[i]), int(lasts[i])
            origins = range(last - first) if starts is None else starts[first:last] - begin
            before = self.view.text[first:last]
            laid[i] = lay_back(text[begin : int(ends[i])], origins, before, forms[i])
        return laid


def choose_layout(text: str) -> "Layout":
    """Return the layout of a whole text, as its first characters show it."""
    if looks_tokenized(text):
        return Layout.TOKENIZED
    return Layout.WRAPPED if looks_wrapped(text) else Layout.RUNNING


def locate(text: str, layout: Layout) -> Located:
    """Return the words of a text, where they are, and its sentences.

    A label before a sentence, such as a bullet or a speaker, and marks that open one are taken
    for sentences of their own, so that the sentence begins with its first word.
    """
    seen = view(text)
    are_tokenized = _which_are_tokenized(seen.text, layout)
    seen = seen.edit(_join_spelled(seen.text, are_tokenized))
    units = BLANK_LINE.split(seen.text) if layout is Layout.WRAPPED else seen.text.split("\n")
    words, lengths, doubtful = list[str](), list[int](), list[int]()
    parted, n_chunks = list[tuple[int, tuple]](), 0
    for unit, tokenized in zip(units, are_tokenized, strict=layout is not Layout.WRAPPED):
        if not (chunks := unit.split()):
            continue
        if tokenized:
            own = chunks
            found = split_sentences(own) if len(own) > LONG_LINE else split_line(own)
        else:
            own, sizes = _split(chunks)
            n_head = len(unit[: count_head(unit)].split())
            n_head += sum(len(of) - 1 for i, of in sizes if i < n_head)
            found = [n_head] * (n_head > 0) + split_sentences(own[n_head:] if n_head else own)
            parted += [(n_chunks + i, of) for i, of in sizes]
        found = part_opening_marks(own, found)
        if not tokenized and len(found) > 1:
            doubtful += [len(lengths) + i for i in find_doubtful(own, found)]
        lengths += found
        words += own
        n_chunks += len(chunks)
    in_view = _place(find_stretches(seen.text), parted)
    return Located(words, seen.locate(in_view), lengths, doubtful, seen, in_view)


def read_words(text: str, layout: Layout) -> Located:
    """Return the words of a text as ``locate`` does; InputError if a sentence is too long."""
    located = locate(text, layout)
    if (longest := max(located.lengths, default=0)) > MAX_SENTENCE:
        raise refusal("long sentence", n=longest, most=MAX_SENTENCE)
    return located


def _join_spelled(text, are_tokenized):
    """Yield edits that join letters spelled one by one, ``n a s a``, to one word, ``n·a·s·a``.

    Of two letters none may be a word, but for ``a m``; of more they may not all be the same.
    """
    flags = np.pad(flag_characters(text), 1, constant_values=SPACE)
    alone = (flags[:-2] & SPACE).astype(bool) & (flags[2:] & SPACE).astype(bool)
    places = np.flatnonzero(alone & (flags[1:-1] & WORD).astype(bool))
    goes_on = (np.diff(places, prepend=-9) == 2) & ~(flags[places] & FEED).astype(bool)
    for place in places[~goes_on & np.append(goes_on[1:], False)].tolist():
        run = _SPELLED.match(text, place)
        if not run or are_tokenized[text.count("\n", 0, place)]:
            continue
        letters = run.group().lower()[::2]
        is_word = {"a", "i"} & set(letters) if len(letters) == 2 else len(set(letters)) == 1
        if letters == "am" or not is_word:
            for place in range(run.start() + 1, run.end(), 2):
                yield place, place + 1, SPELLED


def _split(chunks):
    """Return the words of the chunks of a line; which chunks are several words, their lengths."""
    sizes = split_chunks(chunks)
    several = [(i, found) for i, found in enumerate(sizes) if len(found) > 1]
    words, done = list[str](), 0
    for i, found in several:
        words += chunks[done:i]
        edges = [0, *accumulate(found)]
        words += [chunks[i][a:b] for a, b in pairwise(edges)]
        done = i + 1
    return words + chunks[done:], several


def _place(stretches, parted):
    """Return where words are: in the stretches between spaces, some parted into several words."""
    if not parted:
        return stretches
    parted_places, sizes = zip(*parted, strict=True)
    counts = np.ones(len(stretches), np.int64)
    counts[list(parted_places)] = list(map(len, sizes))
    places = np.repeat(stretches, counts, axis=0)
    widths = np.fromiter(chain.from_iterable(sizes), np.int64)
    inside = np.repeat(counts > 1, counts)
    # Widths add up to an end; what is before the chunk is taken off.
    ends = np.cumsum(widths)
    n_words = counts[counts > 1]
    first = np.cumsum(n_words) - n_words
    before = np.repeat(ends[first] - widths[first], n_words)
    starts = places[inside, 0] - before
    places[inside] = np.stack([starts + ends - widths, starts + ends], axis=1)
    return places


def _which_are_tokenized(text: str, layout: Layout) -> list[bool]:
    """Return which lines are tokenized: all, none, or as ``looks_tokenized`` says of each."""
    if layout is not Layout.AUTO:
        return [layout is Layout.TOKENIZED] * (text.count("\n") + 1)
    flags = flag_characters(text)
    feeds = find_flagged(flags, FEED)
    marks = find_flagged(flags, COMMA | STOP)
    padded = np.concatenate(([SPACE] * 2, flags, [SPACE | FEED])).astype(np.uint8)
    two_before, before, own, after = (padded[marks + shift] for shift in range(4))
    is_last = (after & SPACE).astype(bool)
    alone = is_last & (before & SPACE).astype(bool)
    ends_line = ((two_before & WORD) * (after & (FEED | RETURN))).astype(bool)
    attached = is_last & (before & WORD).astype(bool) & ((own & COMMA).astype(bool) | ends_line)
    line, n = np.searchsorted(feeds, marks), len(feeds) + 1
    n_alone, n_attached = (np.bincount(line[each], minlength=n) for each in (alone, attached))
    return (n_alone > 4 * n_attached).tolist()


def find_stretches(text: str) -> np.ndarray:
    """Return the spans of text between white space, int64, shape (n, 2).

    Ten times as fast as a regular expression.
    """
    inside = ~_IS_SPACE[np.minimum(codes_of(text), len(_IS_SPACE) - 1)]
    return np.flatnonzero(np.diff(inside, prepend=False, append=False)).reshape(-1, 2)
