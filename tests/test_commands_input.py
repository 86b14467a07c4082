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
    "gzip": (gzip.compress(b"Half of it .\n" * 99)[:40], "cannot be read"),
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


def test_recase_refuses_a_gz_that_was_cut_short(refuse, place, tmp_path):
    bad = save(tmp_path / "gzip", BAD_TEXTS["gzip"][0])
    assert "too early" in refuse("recase", place / "news.model", bad)


def test_a_folder_without_text_is_refused(refuse, tmp_path, output):
    message = refuse("train", tmp_path, "-o", output)
    assert f"{tmp_path}: a folder without text; it should hold train.txt" in message


@pytest.mark.parametrize("option", ["--dev", "--test"])
def test_a_data_set_without_the_part_is_refused(refuse, place, tmp_path, option):
    save(tmp_path / "train.txt", "He left Boston .\n")
    message = refuse("sweep", *grid(place), option, tmp_path)
    assert f"should hold {option[2:]}.txt" in message


def test_text_of_another_language_is_refused(refuse, place, tmp_path, output):
    text = save(tmp_path / "greek.txt", "Η Αθήνα είναι πόλη .\n" * 9)
    message = refuse("adapt", place / "news.model", text, "-o", output, "--sigma2", "1")
    assert "greek: shares no word with the background" in message


def test_too_few_sentences_to_cross_validate_are_refused(refuse, place, tmp_path, output):
    text = save(tmp_path / "short.txt", "He left Boston .\nShe stayed .\n")
    message = refuse("adapt", place / "news.model", text, "-o", output)
    assert "short: 2 sentences; cross-validation, for want of development data, needs 5" in message


def test_too_little_text_for_the_cutoff_is_refused(refuse, tmp_path, output):
    text = save(tmp_path / "short.txt", "He left Boston .\n")
    message = refuse("train", text, "-o", output, "--cutoff", "5")
    assert "short: nothing is seen 5 times in 4 words; a smaller cutoff or more text" in message


def test_an_unknown_name_is_told_the_known_ones(refuse, output):
    message = refuse("train", "brwon", "-o", output)
    assert "brwon: no file, folder or data set of that name; data sets here: " in message
    assert "streamlit-docs" in message


@pytest.mark.parametrize("name", ["", "a" * 300, "two\nlines"])
def test_a_name_that_cannot_be_a_file_is_unknown(refuse, output, name):
    assert "no file, folder or data set" in refuse("train", name, "-o", output)


def test_a_missing_file_to_recase_is_refused(refuse, place):
    message = refuse("recase", place / "1gram", place / "absent")
    assert f"{place / 'absent'}: cannot be read (No such file or directory)" in message


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


def test_a_missing_model_is_refused(refuse, place):
    message = refuse("recase", place / "absent")
    assert f"{place / 'absent'}: no such model file" in message


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
