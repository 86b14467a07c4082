"""Files and folders read into corpora; whatever is wrong with one is said in a line."""

import gzip
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import messy_texts, steady

from workbench.text import incoming, readers
from workbench.text.errors import InputError
from workbench.text.incoming import decode, decode_pieces
from workbench.text.readers import name_of, read_corpus, read_text

TEXT = "He left Boston . \nShe stayed , too .\n"
RUNNING = 'He left Boston. "She stayed, too," he said.\nIt rained.\n\nMr. Smith came.\n'


@pytest.fixture
def write(tmp_path):
    """Write a file below the folder of the test; gzipped where its name says so."""

    def _write(name, content=TEXT):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode() if isinstance(content, str) else content
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return _write


@pytest.fixture
def data_set(write):
    for part in ("train", "dev", "test"):
        write(f"news/{part}.txt", f"He read {part} .\n")
    return write("news/extra.txt.gz", "He read more .\n").parent


def words_of(corpus):
    return [corpus.forms[form] for form in corpus.form_ids]


def test_a_file_gives_its_words_and_a_sentence_a_line(write):
    for source in (
        write("a.txt"),
        str(write("a.txt")),
        write("a.dat", gzip.compress(TEXT.encode())),
    ):
        assert words_of(read_corpus(source)) == TEXT.split()
        assert read_corpus(source).n_sentences == 2
    assert words_of(read_corpus(write("a.txt", RUNNING)))[3] == "."
    plain, packed = read_corpus(write("a.txt")), read_corpus(write("a.txt.gz"))
    assert packed.fingerprint == plain.fingerprint


@pytest.mark.parametrize(
    "data", [TEXT.replace("\n", "\r\n"), TEXT.replace("\n", "\r"), "\ufeff" + TEXT]
)
def test_line_ends_and_a_byte_order_mark_change_nothing(write, data):
    assert read_corpus(write("b.txt", data)).fingerprint == read_corpus(write("a.txt")).fingerprint


def test_texts_are_read_whole_one_after_the_other_and_progress_before_each(write):
    assert len(read_corpus(write("a.txt", TEXT.rstrip()))) == 9
    sources = [write("b.txt", "First ."), write("a.txt", "Second .")]
    assert words_of(read_corpus(sources)) == "First . Second .".split()
    calls = []
    sources = [write("a.txt"), write("b.txt")]
    read_corpus(sources, on_file=lambda *now: calls.append(now))
    assert calls == [(0, 2, 0), (1, 2, 9)]
    text = "İ ß\tΟΔΟΣ 日本 \U0001f600\n"
    assert read_text(write("a.txt", text)) == text


def test_a_corpus_has_the_name_of_its_folder_or_that_given(data_set):
    assert read_corpus(data_set).name == "news"
    assert read_corpus(data_set, name="mine").name == "mine"


@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_a_data_set_gives_the_part_asked_for(data_set, write, part):
    assert words_of(read_corpus(data_set, part)) == ["He", "read", part, "."]
    assert len(read_corpus(write(f"packed/{part}.txt.gz").parent, part)) == 9


@pytest.mark.parametrize(
    ("files", "order"),
    [
        (["part-002.txt.gz", "part-000.txt.gz", "part-001.txt.gz"], [1, 2, 0]),
        (["part-10.txt", "part-9.txt", "part-100.txt"], [1, 0, 2]),
        (["dev.txt", "part-000.txt"], [1]),  # development and test text is never trained on
        *(([reserved, "a.txt"], [1]) for reserved in ("dev.txt", "test.txt", "extra.txt.gz")),
        (["b.txt", "a.txt"], [1, 0]),
    ],
)
def test_the_files_of_a_folder_are_read_in_order(write, files, order):
    for number, name in enumerate(files):
        folder = write(f"big/{name}", f"Part {number} .\n").parent
    assert words_of(read_corpus(folder))[1::3] == list(map(str, order))


def test_other_folders_give_their_txt_files_in_any_case_and_depth(write, tmp_path):
    for name in ("10.txt", "9.TXT", "B/c.Txt.gz", "e.txt/a.txt", "B/d.md", ".e.txt", "._f.txt",
                 ".git/g.txt", "B/.h/i.txt", "dev.TXT", "B/test.txt", "B/README"):  # fmt: skip
        write(f"letters/{name}", f"{name} .\n")
    (tmp_path / "letters" / "j.txt").symlink_to("nowhere")
    (tmp_path / "letters" / "k.txt").symlink_to(tmp_path / "letters")  # a ring
    os.mkfifo(tmp_path / "letters" / "l.txt")
    corpus = read_corpus(tmp_path / "letters")
    assert words_of(corpus)[::2] == ["9.TXT", "10.txt", "B/c.Txt.gz", "e.txt/a.txt"]
    assert corpus.notes == (
        f"{tmp_path / 'letters'}: files read: 4; left out: 2 for dev or test (dev.TXT, …), "
        "4 hidden (._f.txt, …), 3 irregular (j.txt, …), 2 with other ends (README, …)",
    )


def test_a_folder_of_text_alone_has_nothing_left_out_and_a_data_set_no_line(write, data_set):
    folder = write("letters/a.txt").parent
    assert read_corpus(folder).notes == (f"{folder}: files read: 1; left out: none",)
    write("news/.hidden.txt")
    assert read_corpus(data_set).notes == ()


@pytest.mark.parametrize(
    ("sources", "name"),
    [
        (["x/bn-cnn"], "bn-cnn"), (["x/bn-cnn/train.txt"], "bn-cnn"),
        (["x/letters.txt"], "letters"),
        (["x/letters.txt.gz"], "letters"), (["x/C.TXT"], "C"), (["x/big/part-000.txt.gz"], "big"),
        (["x/big/part-000.txt.gz", "x/big/part-001.txt.gz"], "big"), (["x/a", "y/b.txt"], "a+b"),
        (["x/news/dev.txt"], "news"), (["x/v1.2.txt"], "v1.2"),
    ],
)  # fmt: skip
def test_a_corpus_is_named_by_its_sources(sources, name):
    assert name_of(sources) == name


def test_a_file_that_is_refused_is_closed(write, monkeypatch):
    """At once, whoever holds the error: else a warning comes when the reader is collected."""
    opened, open_it = [], incoming._open
    monkeypatch.setattr(incoming, "_open", lambda path: opened.append(open_it(path)) or opened[-1])
    for content in (b"caf\xe9 .", b"a\0b"):
        with pytest.raises(InputError) as caught:
            read_corpus(write("bad.txt", content))
        assert opened.pop().closed, caught


@pytest.mark.parametrize("cut", range(1, 12))
def test_bytes_may_be_cut_anywhere(cut):
    data = "\ufeffé\r\nü\r".encode()
    assert "".join(decode_pieces([data[:cut], data[cut:]], "x")) == "é\nü\n"
    with pytest.raises(InputError, match="byte 0xfc in line 3"):
        list(decode_pieces([data[:cut], data[cut:] + b"\n\xfc."], "x"))


@steady
@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0\ufeff"), min_size=1)
)
def test_utf8_text_comes_back(text):
    assert not text.strip() or decode(text.encode(), "x") == text


@pytest.mark.parametrize("size", [1, 2, 7, 30])
@settings(steady, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=messy_texts, n=st.integers(1, 9))
def test_blocks_lose_nothing(monkeypatch, size, text, n):
    monkeypatch.setattr(readers, "_BLOCK", size)
    pieces = [text[i : i + n] for i in range(0, len(text), n)]
    assert list(readers.split_blocks(pieces)) == list(readers.split_blocks([text]))
    assert "".join(readers.split_blocks([text])) == text


@pytest.mark.parametrize("size", [10, 100, 1000, 20_000])
@pytest.mark.parametrize(
    "text",
    [TEXT * 200, RUNNING * 200, RUNNING.replace("\n", "\r\n") * 200, "One line. And on. " * 500,
     "Lines that were broken to fit a width\nwere so that they may be read.\n\n" * 200],
    ids=["tokenized", "running", "Windows", "one line", "wrapped"],
)  # fmt: skip
def test_a_text_of_many_blocks_gives_the_corpus_of_one(monkeypatch, write, size, text):
    path = write("a.txt", text)
    whole = read_corpus(path)
    monkeypatch.setattr(readers, "_BLOCK", size)
    monkeypatch.setattr(incoming, "_PIECE", 97)  # as much is read at a time
    assert read_corpus(path).fingerprint == whole.fingerprint


@pytest.mark.parametrize(
    ("files", "documents"),
    [
        (["A b .\nC d .\n", "E f .\n"], [0, 2]),
        (["A b .\n\nC d .\n \t\n\nE f .\n"], [0, 1, 2]),
        (["We left. They\nstayed. It was over.\n\nThen all slept.\n\n", "Good."], [0, 4, 5]),
    ],
)
def test_a_document_begins_with_a_file_and_after_a_blank_line(tmp_path, files, documents):
    for number, text in enumerate(files):
        (tmp_path / f"{number}.txt").write_text(text, "utf-8")
    corpus = read_corpus(tmp_path)
    assert [d for d in corpus.document_starts.tolist() if d < corpus.n_sentences] == documents
