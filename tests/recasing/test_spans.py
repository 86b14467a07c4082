"""Spans that pass untouched: each kind found, prose left alone, in linear time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import messy_texts, steady

from workbench.recasing.spans import LONGEST_WORD, find_spans

SPANS = {
    "url": [
        "http://www.example.com/Foo/Bar?x=Y&z=1", "https://t.co/mCyNwpzhmt", "www.bbc.co.uk/news",
        "ftp://a.b/C", "mailto:John@Ibm.com", "http://en.wikipedia.org/wiki/Foo_(bar)",
    ],
    "mail": ["john.smith@ibm.com", "git@github.com:User/repo.git", "a+B@x.org"],
    "handle": ["@someUser_1"],
    "hashtag": ["#BlackLivesMatter", "#mh17", "#Été"],
    "path": [
        "/usr/local/lib/python3", "/etc", "~/Mail/inbox", "./Makefile", "../x",
        "C:\\temp\\readMe.txt", "c:/Temp/x", "\\\\Server\\share", "src\\Main.java",
        "readMe.txt", "Docs/Index.html", "Python/import.c", "/a/b",
    ],
    "host": ["bbc.co.uk", "Cnn.com", "bit.ly/15AoJho", "x.org:8080/Path", "python.org/Dev",
        "discord.gg/AbCdEf", "forms.gle/XyZ12Ab", "linktr.ee/AbC", "fb.watch/AbC",
        "example.xyz/AbC", "a.travel:8080/B?x=Y", "xn--e1a.xn--p1ai/AbC", "192.168.0.1/Admin",
        "localhost:8080/Admin", "home.She/he",
    ],
    "code": [
        "start_response", "__init__", "std::String", "print()", "np.random.Generator.choice",
        "x=Y", "--option=Value", "{name}", "{{Name}}", "${HOME}", "%(name)s", "%s", ":D", "\\alpha",
        "`some Code here`", "``X y``",
    ],
}  # fmt: skip
EACH = [(kind, span) for kind, spans in SPANS.items() for span in spans]
PROSE = """\
he/she and/or 24/7 AT&T R&D Q&A; U.S.-based i.e. e.g. Ph.D. 3.5 p.m. said.He end.it this.is
vs. colo(u)r word(s) O'Neill rock 'n' roll well-known "quoted" (in brackets) 5 @ 10 #1 C# 10:30
he said:yes a < b and c > d if x <y and z> `` why '' `foo' and `bar' _so_ *very* 5% 50:50 $5 ASP.NET
1,000,000 km/h w/o TCP/IP AC/DC men /women 1990s No.5 A.B.C. U.S./Mexico Mr.Smith ... -- — it’s
u.s./canada u.s/canada a.m./p.m. his/her km/h. vs./against ph.d./m.d. 1.5km/h 12.05.1999/monday
"""


@pytest.mark.parametrize(("kind", "span"), EACH, ids=[span for _, span in EACH])
@pytest.mark.parametrize("frame", ["{}", "see {} .", "(see {}), he said", "\t{}\n"])
def test_a_span_is_found_whole(kind, span, frame):
    text = frame.replace("{}", span)
    start = text.index(span)
    assert find_spans(text) == [(start, start + len(span), kind)]


@pytest.mark.parametrize(("kind", "span"), EACH, ids=[span for _, span in EACH])
@pytest.mark.parametrize("change", [str.upper, str.lower])
def test_the_case_of_a_span_does_not_matter(kind, span, change):
    assert [found.kind for found in find_spans(f"see {change(span)} .")] == [kind]


@pytest.mark.parametrize("chunk", PROSE.split())
def test_prose_has_no_span(chunk):
    assert find_spans(chunk) == []


@pytest.mark.parametrize("line", PROSE.splitlines())
def test_a_line_of_prose_has_no_span(line):
    assert find_spans(line) == []


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("See http://x.com/A.", "http://x.com/A"),
        ("(http://x.com/A),", "http://x.com/A"),
        ("[text](http://x.com/A)", "http://x.com/A"),
        ("<http://x.com/A>", "http://x.com/A"),
        ('"x@Y.com"', "x@Y.com"),
        ("@Ann's", "@Ann"),
        ("x@Y.com.", "x@Y.com"),
        ("readMe.txt.", "readMe.txt"),
    ],
)
def test_marks_around_a_span_are_the_sentences(text, span):
    assert [text[a:b] for a, b, _ in find_spans(text)] == [span]


def test_hashtags_are_an_option():
    assert [span.kind for span in find_spans("#Foo @Bar", hashtags=False)] == ["handle"]


def test_what_has_no_space_for_long_is_data_and_no_span_crosses_lines():
    text = "see " + "Ab," * LONGEST_WORD
    assert find_spans(text) == [(4, len(text), "data")]
    assert find_spans("`a\nb`") == []
    assert [len(find_spans("a" * n)) for n in (LONGEST_WORD, LONGEST_WORD + 1)] == [0, 1]


@pytest.mark.parametrize(
    ("text", "name"),
    [("@ annLee : hi", "annLee"), ("rt @ BBC_News", "BBC_News"), ("by @ me\n", "me")],
)
def test_a_handle_may_stand_apart_from_its_sign(text, name):
    assert [text[a:b] for a, b, _ in find_spans(text)] == [name]


@steady
@given(messy_texts)
def test_spans_are_in_order(text):
    spans = find_spans(text)
    edges = [edge for start, end, _ in spans for edge in (start, end)]
    assert edges == sorted(edges)
    assert all(start < end for start, end, _ in spans)


@steady
@given(st.lists(messy_texts, max_size=4), st.sampled_from([" ", "\n"]))
def test_chunks_are_read_one_by_one(parts, gap):
    parts = [part for part in parts if not set(part) & set("<`")]
    spans = [text[a:b] for text in parts for a, b, _ in find_spans(text)]
    text = gap.join(parts)
    assert [text[a:b] for a, b, _ in find_spans(text)] == spans


HOSTILE = [
    "a.", "a/", "a\\", "_a", "a:", "a::", "a=", "http://", "www.", "@a", "a@", "#a", "&a", "<a ",
    "<a b='", '<a b="', "<!--", "`", "`a ", "``a", "(", "x(", "a-", "{a", "a.b.", "~/", "%(a",
    "&#1",
    "<a b=c ", "<script>", "<script ", "\n```", "\n    a(", "\n    }", "\na-0",
    "    {", "a", ".", " ", "_",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_is_linear_in_the_length(piece):
    def seconds(n):
        text, spent = (piece * n)[:n], []
        for _ in range(3):
            start = time.process_time()
            find_spans(text)
            spent.append(time.process_time() - start)
        return min(spent)

    # Quadratic time would be 64 times as much for 8 times the text.
    assert seconds(80_000) < 30 * max(seconds(10_000), 2e-3)
