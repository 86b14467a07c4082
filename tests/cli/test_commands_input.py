"""Texts and models that cannot be used: one line says why, nothing is half-written."""

import gzip
import zipfile

import pytest
from command_texts import LOWER, grid, save

BAD_TEXTS = {
    "empty": (b"", "empty file"),
    "blank": (b" \n\t\n", "empty file"),
    "lower": (LOWER.encode(), "no capital letter"),
    "upper": (LOWER.upper().encode(), "ALL CAPS"),
    "binary": (b"\x7fELF\x02\x01\x00\x00", "a binary file; UTF-8 plain text is needed"),
    "latin-1": ("Café de Paris .\n".encode("latin-1"), "not UTF-8 (byte 0xe9 in line 1"),
    "utf-16": ("Café de Paris .\n".encode("utf-16"), "UTF-16 text; save it as UTF-8"),
    "long": (b"Word " * 1_000_000, "a sentence of 1,000,000 words: 20,000 are allowed"),
    "gzip": (gzip.compress(b"Half of it .\n" * 99, mtime=0)[:40], "cannot be read"),
}


@pytest.mark.parametrize("kind", BAD_TEXTS)
def test_train_refuses(refuse, tmp_path, output, kind):
    content, why = BAD_TEXTS[kind]
    message = refuse("train", save(tmp_path / kind, content), "-o", output)
    assert why in message
    assert kind in message


@pytest.mark.parametrize("kind", [kind for kind in BAD_TEXTS if kind != "long"])
@pytest.mark.parametrize("role", ["text", "--dev"])
def test_adapt_refuses(refuse, place, tmp_path, output, kind, role):
    content, why = BAD_TEXTS[kind]
    bad = save(tmp_path / kind, content)
    texts = [bad] if role == "text" else [place / "talk", "--dev", bad]
    assert why in refuse("adapt", place / "news.model", *texts, "-o", output)


@pytest.mark.parametrize("kind", ["empty", "lower", "upper", "binary", "latin-1", "utf-16"])
def test_evaluate_refuses(refuse, place, tmp_path, kind):
    content, why = BAD_TEXTS[kind]
    bad = save(tmp_path / kind, content)
    assert why in refuse("evaluate", place / "news.model", "--test", bad, "--json")


STRICT = {"binary": "byte 0x00", "latin-1": "byte 0xe9", "utf-16": "UTF-16? save it as UTF-8"}


@pytest.mark.parametrize("kind", STRICT)
def test_recase_refuses_odd_bytes_if_strict(refuse, place, tmp_path, kind):
    bad = save(tmp_path / kind, BAD_TEXTS[kind][0])
    message = refuse("recase", place / "news.model", bad, "--strict")
    assert STRICT[kind] in message
    assert "in line 1" in message


LEFT = "He left Boston .\n"
# What is in the file TEXT (nothing: it is not there), the command, and what is said.
MISTAKES = [
    (BAD_TEXTS["gzip"][0], "recase news.model TEXT", "too early"),
    ("", "recase 1gram TEXT", "TEXT: cannot be read (No such file or directory)"),
    ("", "recase TEXT", "TEXT: no such model file"),
    ("", "train .. -o OUT", ": a folder without text; it should hold train.txt"),
    (LEFT, "train TEXT -o OUT --cutoff 5",
     "TEXT: nothing is seen 5 times in 4 words; a smaller cutoff or more text"),
    ("", "train brwon -o OUT",
     "brwon: no file, folder or data set of that name; data sets here: scientific-docs"),
    ("", f"train {'a' * 300} -o OUT", "no file, folder or data set"),
    (LEFT, "train TEXT -o OUT --repair", "--repair: is for chunks; the task of TEXT is case"),
    ("", "train two\nlines -o OUT", "no file, folder or data set"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "line", "says"), MISTAKES)
def test_a_mistake_is_told_in_one_line(refuse, place, tmp_path, output, content, line, says):
    text = tmp_path / "TEXT"
    if content:
        save(text, content)
    known = {"TEXT": text, "OUT": output, "..": tmp_path, "1gram": place / "1gram",
             "news.model": place / "news.model"}  # fmt: skip
    assert says in refuse(*(known.get(word, word) for word in line.split(" ")))


@pytest.mark.parametrize("option", ["--dev", "--test"])
def test_a_data_set_without_the_part_is_refused(refuse, place, tmp_path, option):
    save(tmp_path / "train.txt", "He left Boston .\n")
    message = refuse("sweep", *grid(place), option, tmp_path)
    assert f"should hold {option[2:]}.txt" in message


UNFIT = {
    "greek": ("Η Αθήνα είναι πόλη .\n", ("--sigma2", "1"), "shares no word with the background"),
    "short": ("He left Boston .\nShe stayed .\n", (),
              "2 sentences; without development data cross-validation needs 5"),
}  # fmt: skip


@pytest.mark.parametrize("kind", UNFIT)
def test_what_cannot_be_adapted_to_is_refused_after_what_was_found(run, place, tmp_path, kind):
    content, options, why = UNFIT[kind]
    text, output = save(tmp_path / f"{kind}.txt", content), tmp_path / "new.model"
    status, _, message = run("adapt", place / "news.model", text, "-o", output, *options)
    *found, last = message.splitlines()
    assert (status, output.exists(), len(found)) == (1, False, 1)
    assert last.startswith(f"workbench: {kind}: {why}")


# --- models -------------------------------------------------------------------------------


def zipped(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("letter.txt", "Dear Sir")


def halved(path, place):
    data = (place / "news.model").read_bytes()
    path.write_bytes(data[: len(data) // 2])


@pytest.mark.parametrize("kind", ["zip", "text", "empty", "half"])
@pytest.mark.parametrize("command", ["adapt", "evaluate", "recase"])
def test_what_is_no_model_is_refused(refuse, place, tmp_path, output, kind, command):
    path = tmp_path / kind
    make = {"zip": zipped, "half": lambda path: halved(path, place)}
    make.get(kind, lambda path: path.write_text("He left .\n" if kind == "text" else ""))(path)
    rest = {
        "adapt": [place / "talk", "-o", output],
        "evaluate": ["--test", place / "talk"],
        "recase": [place / "news.txt"],
    }
    message = refuse(command, path, *rest[command])
    assert f"{path}: not a model of this workbench, or a damaged one" in message


# --- chunks that begin with I- ------------------------------------------------------------

STRAY = "He PRP I-NP\nleft VBD O\nBoston NNP B-NP\n\n"


def test_a_stray_label_is_refused_with_its_line_and_the_way_out(refuse, tmp_path, output):
    text = save(tmp_path / "tweets.iob", "It PRP B-NP\nrains VBZ O\n\n" + STRAY)
    message = refuse("train", text, "-o", output, "--templates", "chunk", "--cutoff", "0")
    assert "tweets.iob" in message
    assert "line 4" in message
    assert "--repair" in message


@pytest.mark.parametrize("command", ["train", "evaluate", "sweep"])
def test_repair_reads_a_stray_label_as_a_beginning_and_says_how_many(
    run, tmp_path, output, command
):
    text = save(tmp_path / "tweets.iob", "It PRP B-NP\nrains VBZ O\n\n" + STRAY * 3)
    good = save(tmp_path / "good.iob", STRAY.replace("I-NP", "B-NP") * 3)
    training = ("--templates", "chunk", "--cutoff", "0")
    run("train", good, "-o", output, *training)
    texts = ("--background", text, "--adapt", good, "--dev", good, "--test", good)
    words = {
        "train": (text, "-o", output, *training),
        "evaluate": (output, "--test", text),
        "sweep": (*texts, "--sigma2", "1", "--templates", "chunk", "--background-cutoff", "0"),
    }
    status, _, message = run(command, *words[command], "--repair")
    assert status == 0
    assert message.count(f"{text}: chunks without a beginning, repaired: 3\n") == 1
    assert run(command, *words[command])[0] == 1
