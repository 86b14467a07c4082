"""Spans that pass untouched: addresses, handles, paths, code, markup, sounds.

Each has one meaning to a program and another, or none, with its letters in another case. A
recogniser is not asked what case they have, so a text in upper case has the same spans. Where it
is in doubt it takes text for prose: ``and/or``, ``print(er)`` and ``end.It`` are no spans. Words
with dots between them, the last of two letters or more, are a link if a slash follows, whatever
the last is: new endings come every year. So ``home.She/he`` is one, too, where a space was
forgotten; ``u.s./canada``, whose dot stands before the slash, is none.

No well-kept library knows more than addresses of the web and of mail (linkify-it-py does), and
it would read every line; here a line costs its search for the signs that spans have inside.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.recasing.code_lines import START, Opened, find_code
from workbench.text.canonical import NO_PROSE, view
from workbench.text.characters import COMMA, SIGN, SPACE, STOP, WORD, find_flagged, flag_characters
from workbench.text.corpus import Corpus
from workbench.text.errors import require_kind
from workbench.text.tokens import UTTERANCE

LONGEST_WORD = 300  # characters without a space; more than that is data


class Span(NamedTuple):
    """A stretch of text that passes untouched."""

    start: int
    end: int
    kind: str  # a name of a group below, or data


_GENERIC = "com|org|net|edu|gov|mil|biz|info|io|ai|dev"
_COUNTRY = (
    "uk|us|de|fr|jp|cn|ru|it|es|nl|au|ca|br|in|ch|se|no|fi|dk|pl|at|be|ie|nz|eu|tv|me|co|ly|gl|fm"
    "|am|to|gd|cc|kr|mx|za|gr|pt|cz|hu|il|tr|ar|cl|sg|hk|tw|ua"
)
_ENDING = (  # of a file that stands alone: none that is also a word or ends a product's name
    "txt|md|rst|pyc?|ipynb|[jt]sx|css|html?|xml|json|ya?ml|toml|ini|cfg|conf|csv|tsv|pdf|docx?|xlsx?"
    "|pptx?|odt|png|jpe?g|gif|svg|bmp|tiff?|mp[34]|avi|mkv|wav|zip|tar|gz|bz2|xz|tgz|rar|7z|exe|dll"
    "|dylib|cpp|hpp|jar|php|sql|ps1|tex|bib|log|lock"
)
_ENDING_OF_CODE = "js|ts|c|h|rs|rb|go|sh|java|so"  # of a file in a folder
_ROOTS = "bin|boot|dev|etc|home|lib|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var"
_SCHEMES = "mailto|tel|urn|doi|data|magnet|javascript|git|news|irc|sip|xmpp|arxiv"

# Of text without white space. Each group begins where a run of its characters does, and no run
# can be read in two ways, so that the time taken is linear in the length.
_IN_CHUNK = re.compile(
    rf"""
    (?P<url> (?<!\w) (?: [a-z][a-z0-9+.-]*:// | www\d?\.(?=\w) | (?:{_SCHEMES}):(?=[\w/?+]) )
        [^<>"“”«»`]+ )
    | (?P<mail> (?<![\w.+%-]) [\w.+%-]+ @ \w[\w-]*+ (?:\.\w[\w-]*+)*+ (?: :[\w./~-]+ )? )
    | (?P<handle> (?<![\w@]) @\w+ )
    | (?P<hashtag> (?<![\w&]) \#\d*+_*+ [^\W\d_]\w* )
    | (?P<path>
        (?<!\w) [a-z]:[\\/] [^<>"|?*]*
        | (?<![\w\\.$~-]) (?:\\\\)? [\w.~-]++ (?: \\[\w.$~-]++ )+ \\?
        | (?<![\w/.~:]) (?: ~|\.{{1,2}} )/[\w.][\w.+@%~/-]*
        | (?<![\w/.~:]) /
            (?: (?:{_ROOTS})(?![\w-]) | [\w.+@%~-]++/[\w.+@%~] | [\w+-]++\.(?:{_ENDING})\b )
            [\w.+@%~/-]*
        | (?<![\w./\\+-])
            (?: [\w+-][\w.+-]* \.(?:{_ENDING})
              | [\w.+-]++ (?: /[\w.+-]+ )+? \.(?:{_ENDING}|{_ENDING_OF_CODE}) )
            (?![\w/]|[.-]\w)
      )
    | (?P<host> (?<![\w.@-]) (?!(?:asp|vb|ado)\.net\b)
        (?: [^\W_][\w-]*+\. )+?
        (?: (?: (?:{_GENERIC})(?:\.(?:{_COUNTRY}))? | (?:co|ac)\.(?:{_COUNTRY}) )
            (?![\w-]|\.\w) (?::\d+)? (?: [/?\#][^<>"“”«»`]* )?
          | (?: [^\W\d_]{{2,}}+ | xn--[\w-]++ ) (?::\d+)?
            /(?=[\w~?\#@%-])[^<>"“”«»`]+ )
        | (?<![\w.@-]) (?: localhost | (?:\d{{1,3}}\.){{3}}\d{{1,3}} ) (?::\d+)? /\w[^<>"“”«»`]* )
    | (?P<code>
        \\(?:{NO_PROSE})\*? (?:\[[^\]\s]*\])? \{{[^{{}}\s]*\}} | \\[a-z@]+\*?\{{?
        | (?<!\w) __\w+
        | (?<!\w) [^\W_]++ (?: _+[^\W_]++ )+ _* (?:\(\))?
        | (?<![\w:]) \w++ (?: ::\w++ )+ (?:\(\))?
        | (?<![\w.]) [^\W\d]\w*+ (?: \.\w++ )*+ \(\)
        | (?<![\w.]) [^\W\d]\w++ (?: \.[^\W\d]\w++ ){{2,}} (?!\.\w)
        | (?<![\w.-]) [\w.-]*?[^\W\d] [\w.-]*+ = [^<>]+
        | \$?\{{ [^\W\d][\w.:-]* \}} | \{{\{{ [^\W\d][\w.:-]* \}}\}}
        | %\(\w+\)[a-z] | (?<!\w) %[a-z](?!\w)
        | \A [:;=]['^-]?[dpxos](?!\w) )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TRAILING = ".,;:!?'’\"…*~|]}>"

_PARTED_HANDLE = re.compile(r"(?<!\S)@ ([^\W\d]\w*)(?!\S)")  # as tokenizers leave one
_UTTERANCE = re.compile(rf"\n{UTTERANCE}")  # at the head of a line
_SOUND = re.compile(  # at the head of a line: [laughs], after bullets and times
    r"^(?:[^\S\n]*(?:[^\w\s\[]+|[\d:.,()]+)(?=\s))*+[^\S\n]*"
    r"(\[(?!\s)[^\[\]\n.!?]{4,40}\])(?=[^\S\n]+\S|[^\S\n]*$)",
    re.MULTILINE,
)
_QUOTED_CODE = re.compile(r"(`(?<![`\w]`)`{0,2})(?=[^\s`])[^`\n]*+(?<!\s)\1(?![`\w])")


def find_spans(text: str, hashtags: bool = True, opened: Opened = START) -> list[Span]:
    """Return the spans of a text that pass untouched, in order, none in another.

    ``hashtags`` says whether they are among them. Code between fences, and a script, is a span in
    each of its lines; ``opened`` is the state before the text, see ``code_lines``.

    >>> [s.kind for s in find_spans("see www.bbc.co.uk/news , ask @Ann or a&b")]
    ['url', 'handle']
    """
    found = [Span(*each) for each in find_code(require_kind(text, str), opened)[0]]
    # What may have white space inside:
    if "`" in text:
        found += [Span(*mark.span(), "code") for mark in _QUOTED_CODE.finditer(text)]
    if "_" in text or "-0" in text:
        lines = f"\n{text}".replace("\r", "\n")
        found += [Span(m.start(), m.end() - 1, "code") for m in _UTTERANCE.finditer(lines)]
    if "[" in text:
        found += [Span(*mark.span(1), "sound") for mark in _SOUND.finditer(text)]
    if "@ " in text:
        found += [Span(*mark.span(1), "handle") for mark in _PARTED_HANDLE.finditer(text)]
    found += _find_in_chunks(text, hashtags)
    kept, end = list[Span](), 0  # of two that overlap, the one that begins first, or the longer
    for span in sorted(found, key=lambda span: (span.start, -span.end)):
        if span.start >= end:
            kept.append(span)
            end = span.end
    return kept


def _find_in_chunks(text, hashtags):
    """Yield what stands between two spaces, of the chunks that have one of the signs inside."""
    flags = flag_characters(text)
    signs, padded = find_flagged(flags, SIGN), np.pad(flags, 1, constant_values=SPACE)
    before, after = padded[signs], padded[signs + 2]
    is_stop = (flags[signs] & STOP).astype(bool)
    inside = (before & WORD).astype(bool) & (after & WORD).astype(bool)
    signs = signs[np.where(is_stop, inside, ~(after & (SPACE | COMMA)).astype(bool))]
    spaces = find_flagged(flags, SPACE)
    edges = np.concatenate(([-1], spaces, [len(text)]))
    long = np.flatnonzero(np.diff(edges) > LONGEST_WORD + 1)
    chosen = np.union1d(np.searchsorted(spaces, signs), long)
    for start, end in zip((edges[chosen] + 1).tolist(), edges[chosen + 1].tolist(), strict=True):
        for a, b, kind in _find_in_chunk(text[start:end]):
            if hashtags or kind != "hashtag":
                yield Span(start + a, start + b, kind)


@lru_cache(maxsize=1 << 14)
def _find_in_chunk(chunk: str) -> tuple[tuple[int, int, str], ...]:
    """Return the spans of a chunk (text between two spaces)."""
    if len(chunk) > LONGEST_WORD:
        return ((0, len(chunk), "data"),)
    return tuple(
        (mark.start(), mark.start() + length, kind)
        for mark in _IN_CHUNK.finditer(chunk)
        if (kind := mark.lastgroup) and (length := _length(mark.group(), kind))
    )


def _length(found, kind):
    """Return how much of what was found is the span; marks at its end are the sentence's."""
    if kind not in ("url", "host", "path") and "=" not in found:
        return len(found)
    end = len(found)
    while end and (
        found[end - 1] in _TRAILING
        or (found[end - 1] == ")" and found.count("(", 0, end) < found.count(")", 0, end))
    ):
        end -= 1
    return end


def find_covered(places: np.ndarray, spans: list[Span]) -> np.ndarray:
    """Return which words, by start and end in text order, lie in a span or touch one; (N,)."""
    edges = np.array([span[:2] for span in spans], np.int64).reshape(-1, 2)
    following = np.searchsorted(edges[:, 1], places[:, 0], side="right")  # the first ending later
    starts = np.append(edges[:, 0], np.iinfo(np.int64).max)
    return starts[following] < places[:, 1]


class Untouched(NamedTuple):
    """The words of a corpus that ``recase`` leaves as they are; bool, shape (N,)."""

    words: np.ndarray
    passed_over: np.ndarray  # those of them that a model does not see, such as tags of HTML


@lru_cache(maxsize=4)  # scored again and again as a slider moves
def find_untouched(corpus: Corpus) -> Untouched:
    """Return the words all of whose letters are in spans that ``recase`` leaves as they are.

    The spans are those of the words of each sentence with blanks between them, unless the corpus
    was read as ``recase`` reads it.
    """
    if corpus.reading:
        found = zip(corpus.reading.texts, corpus.reading.places, strict=True)
        covered = [find_covered(places, find_spans(text)) for text, places in found]
        return Untouched(np.concatenate(covered), np.zeros(len(corpus), bool))
    forms = [corpus.forms[form] for form in corpus.form_ids.tolist()]
    lines = (forms[a:b] for a, b in pairwise(corpus.starts.tolist()))
    text = "\n".join(map(" ".join, lines))
    starts = np.cumsum([0, *(len(form) + 1 for form in forms)])
    unseen = np.array([not view(form).text.strip() for form in corpus.forms])
    passed_over = unseen[corpus.form_ids]
    words, inside = passed_over.copy(), np.zeros(len(text) + 1, bool)
    for span in find_spans(text):
        inside[span.start : span.end] = True
    touched = np.unique(np.searchsorted(starts, np.flatnonzero(inside), side="right") - 1)
    for word in touched.tolist():
        letters = (i for i in range(starts[word], starts[word + 1] - 1) if text[i].isalnum())
        words[word] |= all(inside[i] for i in letters)
    return Untouched(words, passed_over)
