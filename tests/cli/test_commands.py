"""What the commands answer on texts of case, chunks and parts of speech, and to surprises."""

import argparse
import json
import warnings

import pytest
from command_texts import LOWER, grid, save

from workbench.cli.main import main
from workbench.text.errors import InputError

pytestmark = pytest.mark.usefixtures("outside")


def test_data_is_a_table_with_a_title(run):
    status, printed, message = run("data")
    assert (status, message) == (0, "")
    assert printed.splitlines()[0].split() == "name kind here parts size what it is".split()
    assert "streamlit-docs" in printed


def test_data_as_json_has_what_is_known_and_here(run, tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path))
    (tmp_path / "mail").mkdir()
    save(tmp_path / "mail" / "train.txt", LOWER)
    status, printed, message = run("data", "--json")
    assert (status, message) == (0, "")
    sets = {row["name"]: row for row in json.loads(printed)["data_sets"]}
    assert sets["mail"]["here"]
    assert (sets["mail"]["parts"], sets["mail"]["bytes"]) == (["train"], len(LOWER))
    assert set(sets["mail"]) == {"name", "kind", "here", "parts", "bytes", "note"}


def test_sweep_names_the_best_point(run, place):
    printed = run("sweep", *grid(place, "--sigma2", "0.01,1", "--cutoff", "0,none"))[1]
    assert [line.split()[:2] for line in printed.splitlines()[2:6]] == [
        ["0", "0.01"], ["0", "1"], ["none", "0.01"], ["none", "1"],
    ]  # fmt: skip
    assert printed.splitlines()[1].startswith("background")
    assert printed.splitlines()[-1].startswith("Fewest errors on dev: cutoff ")


@pytest.fixture
def meet(monkeypatch, capfd):
    """Run a command that meets something; returns exit status and standard error."""

    def _meet(happening):
        parsed = argparse.Namespace(command="", find_run=lambda _: happening)
        monkeypatch.setattr("workbench.cli.main._parse", lambda _: parsed)
        return main([]), capfd.readouterr().err

    return _meet


def raising(error):
    def happening(_):
        raise error

    return happening


def test_a_message_is_told_in_one_line_whatever_happened(meet):
    status, message = meet(raising(ZeroDivisionError("by zero")))
    assert status == 1
    assert message.startswith("workbench: ZeroDivisionError: by zero (python -X dev")
    assert message.count("\n") == 1
    assert meet(raising(InputError("a\nb"))) == (1, "workbench: a\\nb\n")
    assert meet(raising(KeyboardInterrupt())) == (130, "workbench: stopped; nothing was written\n")

    def happening(_):
        warnings.simplefilter("always")
        warnings.warn("not converged after 5 steps", UserWarning, stacklevel=1)

    assert meet(happening) == (0, "workbench: warning: not converged after 5 steps\n")


def test_compare_takes_the_named_methods_once_and_shows_what_was_chosen(run, place):
    options = ("--methods", "background, 1-gram,background", "--json")
    result = json.loads(run("compare", *grid(place, *options))[1])
    assert [row["name"] for row in result["models"]] == ["background", "1-gram"]
    printed = run("compare", *grid(place))[1]
    assert "templates ca04, cutoff 1, sigma2 5" in printed
    assert "seconds" in printed


def test_compare_takes_a_model_as_the_background_and_leaves_out_what_needs_its_text(
    run, refuse, place
):
    talk, model = place / "talk", place / "news.model"
    texts = "--adapt", talk, "--dev", talk, "--test", talk
    named = "--methods", "background,map,target", "--json"
    as_text = "--background", place / "news.txt", "--background-cutoff", "0"
    of_text = json.loads(run("compare", *as_text, *texts, *named)[1])
    of_model = json.loads(run("compare", "--background", model, *texts, *named)[1])
    rates = [[row["error_rate"] for row in found["models"]] for found in (of_text, of_model)]
    assert rates[0] == rates[1]
    assert [set(row) for row in of_text["models"]] == [set(row) for row in of_model["models"]]
    assert set(of_text) == set(of_model)
    given = "compare", "--background", model, *texts
    assert "'weighted' learns from the background's text" in refuse(*given, "--methods", "weighted")
    assert "is trained already" in refuse(*given, "--background-cutoff", "1")
    assert "one model, or texts" in refuse("compare", "--background", model, place, *texts)
    assert "--tree genres.toml: is of texts" in refuse(*given, "--tree", "genres.toml")


def test_compare_with_the_model_of_the_package_has_its_1gram_and_says_what_is_left_out(run, place):
    talk = place / "talk"
    texts = "--adapt", talk, "--dev", talk, "--test", talk
    printed, message = run("compare", "--background", "en-ca04", *texts, "--json")[1:]
    names = [row["name"] for row in json.loads(printed)["models"]]
    assert {"1-gram", "background", "map"} <= set(names)
    assert "left out, since a model comes without its text: 1-gram-adapted, all, " in message


def test_a_tree_of_genres_gives_the_hierarchy_a_level_with_its_own_variance(run, refuse, place):
    news, talk, tree = place / "news.txt", place / "talk", place / "tree.toml"
    texts = "--adapt", talk, "--dev", talk, "--test", talk, "--background-cutoff", "1"
    given = "--background", news, talk / "dev.txt", *texts, "--methods", "hierarchy"
    tree.write_text(f'news = ["{news}"]\nspeech = ["{talk}/dev.txt", "domain"]\n')
    (row,) = json.loads(run("compare", *given, "--tree", tree, "--json")[1])["models"]
    levels = {"sigma2_g", "sigma2_a", "sigma2_b", "sigma2_s", "sigma2_t"}
    searched = {name.split(".")[0] for name in row["hyper_parameters"]}
    assert searched == levels | {"weight", "text_weight"}
    tree.write_text(f'news = ["{news}", "domain"]\n')
    assert f"dev.txt': each of {news}, " in refuse("compare", *given, "--tree", tree)


def test_ablate_tells_what_each_template_is_worth(run, place):
    options = ("--templates", "currentword t-1 +shape", "--sigma2", "1")
    printed = run("ablate", *grid(place, *options, with_test=False))[1]
    assert printed.startswith("60 words of dev, sigma2 1\n")
    names = [line.split()[0] for line in printed.splitlines()[2:7]]
    assert names == ["templates", "all", "-currentword", "-t-1", "-shape"]
    assert "No significant difference: " in printed
    printed = run("ablate", *grid(place, *options, "--json", "--each", "added", with_test=False))[1]
    assert [row["name"] for row in json.loads(printed)["rows"]] == ["ca04", "+shape"]


def test_evaluate_shows_per_cent_and_of_one_model_no_pairs(run, place, tmp_path):
    models = (place / "1gram", place / "news.model")
    status, printed, message = run("evaluate", *models, "--test", place / "news.txt")
    assert (status, message) == (0, "")
    assert "500 words" in printed
    assert "news.model  memm        0.00" in printed
    assert "fixed  broken" in run("evaluate", *models, "--test", place / "talk")[1]
    result = json.loads(run("evaluate", place / "1gram", "--test", place / "talk", "--json")[1])
    assert (len(result["models"]), result["paired"]) == (1, [])
    text = save(tmp_path / "t.txt", "He left Boston .\n")
    result = json.loads(run("evaluate", place / "1gram", "--test", text, "--json")[1])
    assert result["models"][0]["per_tag"]["MXC"]["recall"] is None


def test_models_of_one_name_are_told_apart_by_their_folders(run, place, output):
    output = output.with_name("1gram")
    output.write_bytes((place / "1gram").read_bytes())
    result = json.loads(
        run("evaluate", output, place / "1gram", "--test", place / "talk", "--json")[1]
    )
    assert [row["name"] for row in result["models"]] == [str(output), str(place / "1gram")]


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
    split = ["--background", place / "news.txt"]
    split += [o for part in ("adapt", "dev", "test") for o in (f"--{part}", place / "talk")]
    compared = run("compare", *split, "--model", "crf", "--methods", "background,map", "--json")
    assert [row["kind"] for row in json.loads(compared[1])["models"]] == ["crf", "crf"]
    assert run("sweep", *split, "--model", "crf", "--sigma2", "1", "--json")[0] == 0


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
