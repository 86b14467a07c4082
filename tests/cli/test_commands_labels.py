"""The commands with a CRF, and with labels other than case."""

import json

import pytest
from command_texts import LOWER


def test_a_crf_goes_where_a_memm_goes(run, place, output, tmp_path):
    crf, text, talk = tmp_path / "crf.model", place / "news.txt", place / "talk"
    trained = run("train", text, "-o", crf, "--model", "crf", "--cutoff", 0)
    assert (trained[0], trained[1]) == (0, "")
    assert run("adapt", crf, talk, "-o", output, "--dev", talk)[0] == 0
    status, printed, _ = run("evaluate", crf, output, "--test", talk, "--json")
    rows = json.loads(printed)["models"]
    assert (status, [row["kind"] for row in rows]) == (0, ["crf", "crf"])
    (tmp_path / "lower.txt").write_text(LOWER)
    assert run("recase", output, tmp_path / "lower.txt")[1].lower() == LOWER


def test_a_comparison_and_a_sweep_take_a_crf(run, place):
    split = ["--background", place / "news.txt"]
    split += [o for part in ("adapt", "dev", "test") for o in (f"--{part}", place / "talk")]
    compared = run("compare", *split, "--model", "crf", "--methods", "background,map", "--json")
    assert [row["kind"] for row in json.loads(compared[1])["models"]] == ["crf", "crf"]
    assert run("sweep", *split, "--model", "crf", "--sigma2", "1", "--json")[0] == 0


# --- labels other than case ---------------------------------------------------------------

CHUNKS = "The DT B-NP\npound NN I-NP\nfell VBD B-VP\n. . O\n\nHe PRP B-NP\nran VBD B-VP\n"


@pytest.fixture
def chunked(tmp_path):
    folder = tmp_path / "chunked"
    folder.mkdir()
    for part in ("train", "dev", "test"):
        (folder / f"{part}.iob").write_text(CHUNKS)
    return folder


@pytest.mark.parametrize("kind", ["memm", "crf"])
def test_chunks_are_trained_adapted_and_evaluated(run, chunked, tmp_path, kind):
    model, adapted = tmp_path / "chunk.model", tmp_path / "adapted.model"
    options = ["--model", kind, "--templates", "chunk", "--cutoff", "0"]
    assert run("train", chunked, "-o", model, *options)[0] == 0
    assert run("adapt", model, chunked, "--dev", chunked, "-o", adapted)[0] == 0
    status, printed, _ = run("evaluate", model, adapted, "--test", chunked, "--json")
    report = json.loads(printed)
    assert (status, report["words"]) == (0, 6)
    assert [row["chunks"]["f1"] for row in report["models"]] == [1.0, 1.0]
    assert set(report["models"][0]["per_chunk"]) == {"NP", "VP"}
    assert "recall" in run("evaluate", model, "--test", chunked)[1]


def test_models_and_texts_of_different_labels_are_refused(refuse, run, place, chunked, tmp_path):
    model = tmp_path / "chunk.model"
    run("train", chunked, "-o", model, "--model", "crf", "--templates", "chunk", "--cutoff", "0")
    line = refuse("evaluate", model, "--test", place / "talk")
    assert "the task of talk is case, of chunk.model chunks; both must have the same task" in line
    message = refuse("evaluate", place / "news.model", "--test", chunked)
    assert (
        "the task of chunked is chunks, of news.model case; both must have the same task" in message
    )
    assert "no case to restore" in refuse("recase", model, place / "news.txt")


def test_a_comparison_of_chunkers(run, chunked):
    split = [o for part in ("background", "adapt", "dev", "test") for o in (f"--{part}", chunked)]
    options = ["--templates", "chunk", "--background-cutoff", "0", "--methods", "background,map"]
    status, printed, _ = run("compare", *split, *options, "--model", "crf", "--json")
    assert status == 0
    assert [row["chunks"]["f1"] for row in json.loads(printed)["models"]] == [1.0, 1.0]
    assert "accuracy" in run("compare", *split, *options)[1]


def test_a_1gram_of_chunks_is_refused(refuse, chunked):
    split = [o for part in ("background", "adapt", "dev", "test") for o in (f"--{part}", chunked)]
    message = refuse("compare", *split, "--templates", "chunk", "--methods", "map,1-gram")
    assert "'1-gram' is not for chunks; allowed are background," in message


def test_a_bad_line_of_labels_is_told_by_number(refuse, output, tmp_path):
    path = tmp_path / "bad.iob"
    path.write_text(CHUNKS + "ran VBD I-NP\n")
    message = refuse("train", path, "-o", output)
    assert f"{path}: line 8: I-NP after B-VP; a chunk begins with B-NP" in message
