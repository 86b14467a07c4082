"""Tokenization of running text into words and sentences, with their offsets.

The words are those of the Penn Treebank, so that running text and the
tokenized corpora read alike: ``don't`` is ``do n't``, marks stand alone,
abbreviations keep their full stop. Nothing here looks at the case of a
letter: uniform-case text splits as the same text with capitals does.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise, product

from workbench.text.casing import is_verbalized

# Before a name or a number, so never the end of a sentence.
_TITLES = frozenset(
    "mr mrs ms dr prof rev hon gen brig col lt maj capt cmdr sgt cpl pvt adm gov sen rep sens reps "
    "st ste mt ft vol vols fig figs eq eqs sec secs ch pp ed eds messrs mme mlle pres supt "
    "vs cf viz e.g i.e approx ca al ref refs jan feb mar apr jun jul aug sept oct nov dec".split()
)
# May end a sentence, but rarely does: their full stop is taken for a part of the word.
_ABBREVIATIONS = frozenset(
    "inc corp co cos ltd bros jr sr ph.d etc esq dept univ assn est ave blvd rd plc min max bhd "
    "ala ariz calif colo conn fla ga kan ky md mich minn mont neb nev okla tenn va vt wis wisc "
    "wyo".split()
)
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # u.s p.m a
_FUSED = {"cannot": (3, 3)}

_OPENERS = re.compile(
    r"`+|''|\.{2,}|--+|\*+|~+|#+|[\"“”‘«„(\[{<¿¡$€£…]"
    r"|_(?!_|\w*[^\W_]_[^\W_])"  # _so_ but not __init__ or _as_name
    r"|'(?!(?:s|t|re|ve|ll|d|m|em|n|tis|twas|til|cause|bout|\d\ds?)(?!\w))",  # not 'em
    re.IGNORECASE,
)
_CLOSERS = re.compile(r"(?:''|`+|\.{2,}|--+|\*+|~+|(?<!_)_|[\"“”’»,;:?!)\]}>%'…])$")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_WHOLE = re.compile(r"[:;]-?[()]|['’]n['’]", re.IGNORECASE)  # :-) 'n'
_ADDRESS = re.compile(r"\w+://\S+|[\w.+-]+@[\w.-]+")
_INNER = re.compile(r"(--+|(?<=\w)\.{3,}(?=\w)|…|—|–(?=\D))")
_LONGEST = 300  # characters; what is longer is data, not words, and left whole

_SPELLED = (".PERIOD", "?QUESTION-MARK", "!EXCLAMATION-POINT")
_ENDS_IN_LINE = frozenset([*". ? !".split(), *_SPELLED, *map(str.lower, _SPELLED)])
FINAL_MARKS = _ENDS_IN_LINE | set(".. ... .... …".split())
_CLOSING_QUOTES = frozenset("'' \" ” ’ '".split())
_AFTER_END = FINAL_MARKS | _CLOSING_QUOTES | {")", "]", "}", "»"}


def _is_abbreviation(stem):
    low = stem.lower()
    last = low.rpartition("-")[2]  # D-Calif. non-U.S.
    if last in _TITLES or last in _ABBREVIATIONS or _DOTTED.fullmatch(last):
        return True
    return len(low) == 1 and low.isalpha() and low != "i"


def _front(chunk):
    """Return the lengths of the opening marks of a chunk."""
    lengths, start = [], 0
    while mark := _OPENERS.match(chunk, start):
        lengths.append(len(mark.group()))
        start = mark.end()
    return lengths


def _closing_length(chunk, end):
    """Return the length of the mark, full stop or clitic that ends ``chunk[:end]``, or 0."""
    last = chunk[end - 1]
    opener = _PAIRS.get(last)
    if opener and chunk.count(opener, 0, end) >= chunk.count(last, 0, end):
        return 0  # print() colo(u)r
    if mark := _CLOSERS.search(chunk, 0, end) or _CLITIC.search(chunk, 0, end):
        return end - mark.start()
    return int(last == "." and not _is_abbreviation(chunk[: end - 1]))


def _back(chunk):
    """Return the lengths, last first, of the marks, full stop and clitics that end a chunk."""
    lengths, end = [], len(chunk)
    while end and not _WHOLE.fullmatch(chunk, 0, end) and (n := _closing_length(chunk, end)):
        lengths.append(n)
        end -= n
    return lengths


def _middle(core):
    """Return the lengths of words joined by dashes and ellipses, and of these marks."""
    if _ADDRESS.fullmatch(core):
        return (len(core),)
    parts = [part for part in _INNER.split(core) if part]
    if len(parts) > 1:
        return [length for part in parts for length in _lengths(part)]
    return _FUSED.get(core.lower()) or map(len, parts)


@lru_cache(maxsize=1 << 18)
def _lengths(chunk):
    """Return the lengths of the words of a chunk (text between two spaces), in order."""
    if len(chunk) > _LONGEST or is_verbalized(chunk):
        return (len(chunk),)
    if chunk.isalnum():
        return _FUSED.get(chunk.lower()) or (len(chunk),)
    front = _front(chunk)
    rest = chunk[sum(front) :]
    back = _back(rest)
    core = rest[: len(rest) - sum(back)]
    return (*front, *_middle(core), *back[::-1])


# Before a number the full stop belongs to the word: no. 5 (but: he said no.)
_CHUNK = re.compile(r"([(\[]?)(nos?\.)(?=\s+\d)|\S+", re.IGNORECASE)
_NUMBERED = frozenset(
    opener + "".join(letters) + "."
    for word in ("no", "nos")
    for opener in ("", "(", "[")
    for letters in product(*zip(word, word.upper(), strict=True))
)


def _split_chunks(text):
    """Yield start and word lengths of every chunk (text between two spaces)."""
    for chunk in _CHUNK.finditer(text):
        numbered = chunk.lastindex and tuple(len(part) for part in chunk.groups() if part)
        yield chunk.start(), numbered or _lengths(chunk.group())


def split_chunks(chunks: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the lengths of the words of each chunk of a line, as ``find_words`` finds them."""
    lengths = list(map(_lengths, chunks))
    if not _NUMBERED.isdisjoint(chunks):
        for i, (chunk, after) in enumerate(pairwise(chunks)):
            if chunk in _NUMBERED and after[0].isdecimal():
                lengths[i] = (len(chunk),) if chunk[0] in "nN" else (1, len(chunk) - 1)
    return lengths


def find_words(text: str) -> list[tuple[int, int]]:
    """Return the spans, (start, end), of the words of running text, in order.

    >>> text = "Don't say (i.e. hint), U.S. firms."
    >>> [text[start:end] for start, end in find_words(text)]
    ['Do', "n't", 'say', '(', 'i.e.', 'hint', ')', ',', 'U.S.', 'firms', '.']
    """
    spans = []
    for place, lengths in _split_chunks(text):
        if len(lengths) == 1:  # most chunks are words
            spans.append((place, place + lengths[0]))
            continue
        for length in lengths:
            spans.append((place, place + length))
            place += length
    return spans


def split_sentences(words: Sequence[str]) -> list[int]:
    """Return the lengths, in words, of the sentences in a list of words.

    None ends with an abbreviation. Of straight double quotes, which a view has none of, each
    second one closes.

    >>> split_sentences("he left . `` why ? '' nobody knows".split())
    [3, 4, 2]
    """
    ends = [i for i, word in enumerate(words[:-1]) if word in FINAL_MARKS]
    opening = set([i for i, word in enumerate(words) if word == '"'][::2]) if ends else ()
    lengths, start = list[int](), 0
    for i in ends:
        if i < start:
            continue
        end = i + 1
        while end < len(words) and end not in opening and words[end] in _AFTER_END:
            end += 1
        lengths.append(end - start)
        start = end
    return [*lengths, len(words) - start] if start < len(words) else lengths


def split_line(words: Sequence[str]) -> list[int]:
    """Return the lengths, in words, of the sentences in a line of tokenized text.

    Most lines are one sentence. Another begins where a final mark is followed by a word, as in
    tweets; not after an ellipsis, an initial or a quotation, which often go on.

    >>> split_line("nice one ! see you at 5 . `` why ? '' he said . . . well".split())
    [3, 5, 10]
    """
    if _ENDS_IN_LINE.isdisjoint(words[:-1]):  # most lines: their only mark is their last word
        return [len(words)]
    marks = (i for i, word in enumerate(words) if word in _ENDS_IN_LINE)
    ends = [i + 1 for i in marks if 0 < i < len(words) - 1 and _ends_in_line(words, i)]
    return [b - a for a, b in pairwise([0, *ends, len(words)])]


def _ends_in_line(words, i):
    """Return whether a final mark, word i, not the first or the last, ends a sentence."""
    if words[i + 1] in _AFTER_END:
        return False
    before = words[i - 1]
    is_initial = len(before) == 1 and before.isalpha()
    return words[i] != "." or not (before == "." or is_initial)


def find_doubtful(words: Sequence[str], lengths: Sequence[int]) -> list[int]:
    """Return the sentences, by index, that may continue the one before them.

    These follow a question or an exclamation in quotes.

    >>> find_doubtful("`` stop ! '' he ran . so".split(), [4, 3, 1])
    [1]
    """
    ends = accumulate(lengths[:-1])
    return [
        i
        for i, end in enumerate(ends, 1)
        if end > 1
        and words[end - 1] in _CLOSING_QUOTES
        and words[end - 2] in ("!", "?")
        and words[end][0].isalpha()
    ]


# --- what stands before a sentence --------------------------------------------------------

_OPENING = frozenset("`` ` ' \" '' ( [ { < > >> « „ “ ‘ ¿ ¡ * ** # | • ♪ ♫".split())
# The name of an utterance: sw02001-A_000098-001156, 84-121123-0000; not 100-year-old.
UTTERANCE = (
    r"(?=[^\W_]++[-_])(?=\S{,40}(?:\d{3}\S{,40}_|_\S{,40}\d{3}|-0\d\d))"
    r"[^\W_]++(?:[-_][^\W_]++){2,}+(?!\S)"
)
_HEAD = re.compile(
    rf"""
    (?: [^\S\n]* (?:
        -(?!-) | [–—•>*+#|♪♫]+
      | \(?\d{{1,3}}(?:\.\d{{1,2}})*[.)]                                     # 1) 1. (1) 1.2.
      | [\[(<]? (?:\d{{1,2}}:)?\d{{1,2}}:\d\d (?:[.,]\d{{1,3}})? [\])>]? (?:[^\S\n]*-+>)?
      | {UTTERANCE}
      | \\[a-z]+                                                           # \item
      | \[ [^\[\]\n]{{4,40}} \]                                               # not [It] is
      | \( (?!\d) [^\W\d_]['\w]* (?:[^\S\n][\w']+){{0,2}} \)
      | (?:[^\W\d_] [\w'-]* \.? [^\S\n]+){{0,2}} [^\W_] [\w'-]* :
    ) (?=[^\S\n]+[^\s]) )+
    """,
    re.IGNORECASE | re.VERBOSE,
)


def count_head(line: str) -> int:
    """Return how many characters of a line of running text stand before its first sentence.

    Such are bullets, numbers such as ``1)``, times, ids, sounds in brackets, and a speaker: one to
    three words with a colon that touches the last, and a space behind it. ``name : str`` and
    ``15 years ago`` begin a sentence.

    >>> [count_head(line) for line in ("[laughs] john: we go", "15 years ago", "- 2) so")]
    [14, 0, 4]
    """
    head = _HEAD.match(line)
    return head.end() if head else 0


def are_opening_marks(words: Sequence[str]) -> bool:
    """Return whether words are nothing but marks that open a sentence, such as quotes."""
    return _OPENING.issuperset(words)


def part_opening_marks(words: Sequence[str], lengths: Sequence[int]) -> list[int]:
    """Return the lengths of sentences, with opening marks parted off as sentences of their own.

    >>> part_opening_marks("`` ( so it is . ''".split(), [7])
    [2, 5]
    """
    parted, start = list[int](), 0
    for length in lengths:
        n = 0
        while n < length - 1 and words[start + n] in _OPENING:
            n += 1
        parted += [n, length - n] if n else [length]
        start += length
    return parted
