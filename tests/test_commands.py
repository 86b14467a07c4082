"""What the commands do with good input and with bad: one line, nothing half-written."""

import argparse
import gzip
import io
import json
import re
import signal
import sys
import warnings
import zipfile

import pytest

from workbench import cli, commands
from workbench.cli import main
from workbench.models.kinds import load_model
from workbench.models.unigram import Unigram
from workbench.text import cache
from workbench.text.errors import InputError

LOWER = "apple said on monday that the fbi met in new york .\n"
RUNNING = "\ufeffmr. bush's plane\tleft new york,  he said.\r\n\r\nit's \"late\" -- 5 p.m. (cnn)"


@pytest.fixture(scope="module")
def place(tmp_path_factory, background, background_corpus, adaptation_corpus):
    """A folder with a background text, a domain in three parts, and models of the background."""
    folder = tmp_path_factory.mktemp("commands")
    write_lines(folder / "news.txt", background_corpus, range(background_corpus.n_sentences))
    (folder / "talk").mkdir()
    for first, part in enumerate(("train", "dev", "test")):
        write_lines(folder / "talk" / f"{part}.txt", adaptation_corpus, range(first, 26, 3))
    background.save(folder / "news.model")
    Unigram.fit(background_corpus).save(folder / "1gram")
    return folder


def write_lines(path, corpus, sentences):
    lines = [" ".join(corpus.sentence(i)) for i in sentences]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(autouse=True)
def outside(tmp_path, monkeypatch):
    """No data sets but the embedded ones, and the process' signals as they were."""
    monkeypatch.setattr(cache, "DATA", tmp_path / "absent")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path.parent / "cache"))
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    before = signal.getsignal(signal.SIGPIPE)
    yield
    signal.signal(signal.SIGPIPE, before)


@pytest.fixture
def run(capfd):
    """Run a command; returns exit status, standard output and standard error."""

    def _run(*arguments):
        status = main([str(argument) for argument in arguments])
        output, told = capfd.readouterr()
        return status, output, told

    return _run


@pytest.fixture
def output(tmp_path):
    """Where a model would go, in a folder of its own."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out" / "new.model"


@pytest.fixture
def refuse(run, output):
    """Run a command that must fail in one line; returns that line."""

    def _refuse(*arguments):
        status, printed, told = run(*arguments)
        assert (status, printed, list(output.parent.iterdir())) == (1, "", [])
        assert told.startswith("workbench: ")
        assert told.count("\n") == 1
        return told

    return _refuse


def save(path, content):
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# --- train, adapt -------------------------------------------------------------------------


def test_train_takes_its_options(run, place, output):
    options = ("--cutoff", "2", "--sigma2", "0.5")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    info = load_model(output).info
    assert (info["cutoff"], info["sigma2"]) == (2, 0.5)


def test_train_takes_the_unseen_rule(run, place, output):
    options = ("--model", "1gram", "--unseen", "cap")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    assert load_model(output).unseen == "cap"


def test_train_reads_several_texts(run, place, output):
    status, _, told = run("train", place / "news.txt", place / "talk", "-o", output)
    assert status == 0
    assert "of 558 words" in told


def test_adapt_takes_a_given_sigma2(run, place, output):
    told = run("adapt", place / "news.model", place / "talk", "-o", output, "--sigma2", "0.3")[2]
    assert "sigma2 0.3, " in told
    assert load_model(output).info["sigma2"] == 0.3


def test_adapt_without_development_text_cross_validates(run, place, output):
    told = run("adapt", place / "news.model", place / "talk", "-o", output)[2]
    assert "errors in 58 words of 5-fold cross-validation" in told


def test_adapt_without_new_features_adds_none(run, place, output):
    options = ("--sigma2", "1", "--cutoff", "none")
    told = run("adapt", place / "news.model", place / "talk", "-o", output, *options)[2]
    assert ", 0 new features" in told
    assert load_model(output).info["cutoff"] is None


def test_train_takes_a_prior_and_a_solver(run, place, output):
    options = ("--prior", "exponential", "--alpha", "0.2")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    assert load_model(output).info["alpha"] == 0.2
    run("train", place / "news.txt", "-o", output, "--prior", "exponential")
    assert load_model(output).info["alpha"] == 0.3
    run("train", place / "news.txt", "-o", output, "--solver", "iis", "--sigma2", "0.1")
    info = load_model(output).info
    assert (info["prior"], info["sigma2"], info["solver"]) == ("gaussian", 0.1, "iis")


def test_adapt_takes_a_prior_and_a_solver(run, place, output):
    talk = place / "talk"
    options = ("--prior", "exponential", "--dev", talk)
    told = run("adapt", place / "news.model", talk, "-o", output, *options)[2]
    assert re.search(r", alpha [\d.]+ \(\d+ errors in 60 words of dev\)", told)
    assert load_model(output).info["method"] == "map-exponential"
    options = ("--prior", "exponential", "--alpha", "0.5", "--cutoff", "none")
    told = run("adapt", place / "news.model", talk, "-o", output, *options)[2]
    assert told.endswith(", alpha 0.5, 0 new features\n")
    run("adapt", place / "news.model", talk, "-o", output, "--sigma2", "0.1", "--solver", "iis")
    assert load_model(output).info["solver"] == "iis"


@pytest.mark.parametrize("command", ["train", "adapt"])
@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--alpha", "0.5"), "alpha 0.5: the gaussian prior takes sigma2"),
        (("--prior", "exponential", "--sigma2", "1"), "the exponential prior takes alpha"),
        (("--prior", "exponential", "--alpha", "-1"), "alpha -1: a finite number greater than 0"),
        (("--prior", "exponential", "--solver", "iis"), "iis takes a gaussian prior"),
    ],
)
def test_what_does_not_go_with_the_prior_is_refused(
    refuse, monkeypatch, place, output, command, options, why
):
    monkeypatch.setattr(commands, "_read", None)
    model = [place / "news.model"] if command == "adapt" else []
    assert why in refuse(command, *model, place / "talk", "-o", output, *options)


@pytest.mark.parametrize("option", ["--solver", "--prior"])
def test_an_unknown_solver_or_prior_is_wrong_usage(place, output, option):
    with pytest.raises(SystemExit) as caught:
        main(["train", str(place / "news.txt"), "-o", str(output), option, "magic"])
    assert caught.value.code == 2


def test_adapt_may_overwrite_its_background(run, place, output):
    output.write_bytes((place / "news.model").read_bytes())
    assert run("adapt", output, place / "talk", "-o", output, "--sigma2", "1")[0] == 0
    assert load_model(output).info["method"] == "map"


# --- evaluate, compare, sweep, data, for people -------------------------------------------


def test_evaluate_shows_per_cent(run, place):
    models = (place / "1gram", place / "news.model")
    status, printed, told = run("evaluate", *models, "--test", place / "news.txt")
    assert (status, told) == (0, "")
    assert "500 words" in printed
    assert "news.model  memm        0.00" in printed
    assert "fixed  broken" in printed


def test_evaluate_of_one_model_has_no_pairs(run, place):
    result = json.loads(run("evaluate", place / "1gram", "--test", place / "talk", "--json")[1])
    assert (len(result["models"]), result["paired"]) == (1, [])


def test_what_is_undefined_is_null(run, place, tmp_path):
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


def grid(place, *options, with_test=True):
    talk = place / "talk"
    texts = ("--background", place / "news.txt", "--adapt", talk, "--dev", talk)
    if with_test:
        texts += ("--test", talk)
    return *texts, "--background-cutoff", "1", *options


def test_sweep_names_the_best_point(run, place):
    printed = run("sweep", *grid(place, "--sigma2", "0.01,1", "--cutoff", "0,none"))[1]
    assert [line.split()[:2] for line in printed.splitlines()[2:6]] == [
        ["0", "0.01"], ["0", "1"], ["none", "0.01"], ["none", "1"],
    ]  # fmt: skip
    assert printed.splitlines()[1].startswith("background")
    assert printed.splitlines()[-1].startswith("Fewest errors on dev: cutoff ")


def test_compare_takes_the_named_methods_once(run, place):
    options = ("--methods", "background, 1-gram,background", "--json")
    result = json.loads(run("compare", *grid(place, *options))[1])
    assert [row["name"] for row in result["models"]] == ["background", "1-gram"]


def test_compare_shows_what_was_chosen(run, place):
    printed = run("compare", *grid(place))[1]
    assert "templates ca04, cutoff 1, sigma2 5" in printed
    assert "seconds" in printed


def test_ablate_tells_what_each_template_is_worth(run, place):
    options = ("--templates", "currentword t-1 +shape", "--sigma2", "1")
    printed = run("ablate", *grid(place, *options, with_test=False))[1]
    assert printed.startswith("60 words of dev, sigma2 1\n")
    names = [line.split()[0] for line in printed.splitlines()[2:7]]
    assert names == ["templates", "all", "-currentword", "-t-1", "-shape"]
    assert "No significant difference: " in printed
    printed = run("ablate", *grid(place, *options, "--json", "--each", "added", with_test=False))[1]
    assert [row["name"] for row in json.loads(printed)["rows"]] == ["ca04", "+shape"]


def test_templates_are_switched_by_an_expression(run, place, output):
    options = ("--templates", "ca04 +shape -nextword -t-1,2")
    assert run("train", place / "news.txt", "-o", output, *options)[0] == 0
    names = [template.name for template in load_model(output).templates]
    assert "shape" in names
    assert not {"nextword", "t-1,2"} & set(names)
    printed = run("compare", *grid(place, *options, "--methods", "background"))[1]
    assert "templates ca04 +shape -nextword -t-1,2" in printed


@pytest.mark.parametrize("command", ["train", "compare", "sweep", "tables", "ablate"])
def test_unknown_templates_are_refused_before_anything_is_read(
    refuse, monkeypatch, place, output, command
):
    monkeypatch.setattr(commands, "_read", None)
    texts = {
        "train": [place / "talk", "-o", output],
        "tables": ["--background", place / "talk", "--adapt", place / "talk"],
        "ablate": grid(place, with_test=False),
    }
    told = refuse(command, *texts.get(command, grid(place)), "--templates", "ca04 +colour")
    assert "templates 'colour': known are the sets ca04, extended, chunk, pos and" in told


def test_too_few_templates_to_judge_are_refused(refuse, monkeypatch, place):
    monkeypatch.setattr(commands, "_read", None)
    told = refuse("ablate", *grid(place, with_test=False), "--templates", "shape")
    assert "templates shape: two or more are needed" in told


def test_data_is_a_table_with_a_title(run):
    status, printed, told = run("data")
    assert (status, told) == (0, "")
    assert printed.splitlines()[0].split() == "name kind here parts size what it is".split()
    assert "streamlit-docs" in printed


# --- recase -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        LOWER,
        LOWER.upper(),
        RUNNING,
        "",
        " \t\r\n",
        "\ufeff",
        "\u00a0",
        "no final newline",
        "tabs\tand\x0bfeeds\x0c, e\u0301 ß ŉ İ ǆ\r\nold mac\rlines",
    ],
)
def test_recase_changes_nothing_but_the_case_of_letters(place, monkeypatch, capfdbinary, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["recase", str(place / "news.model")]) == 0
    output, told = capfdbinary.readouterr()
    assert output.decode().casefold() == text.casefold()
    assert len(output.decode()) == len(text)
    assert told == b""


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_recase_reads_a_file(run, place, tmp_path, name):
    data = LOWER.encode()
    path = save(tmp_path / name, gzip.compress(data) if name.endswith("gz") else data)
    printed = run("recase", place / "news.model", path)[1]
    assert printed == "Apple said on Monday that the fbi met in New York .\n"


def test_a_person_at_a_terminal_is_told_what_recase_waits_for(place, monkeypatch, capfd):
    class Terminal(io.TextIOWrapper):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(io.BytesIO(b"")))
    assert main(["recase", str(place / "1gram")]) == 0
    assert "Ctrl-D" in capfd.readouterr().err


# --- text that cannot be used -------------------------------------------------------------

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
    told = refuse("train", save(tmp_path / kind, content), "-o", output)
    assert why in told
    assert kind in told


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


@pytest.mark.parametrize("kind", ["binary", "latin-1", "utf-16", "gzip"])
def test_recase_refuses(refuse, place, tmp_path, kind):
    content, why = BAD_TEXTS[kind]
    assert why in refuse("recase", place / "news.model", save(tmp_path / kind, content))


def test_a_folder_without_text_is_refused(refuse, tmp_path, output):
    told = refuse("train", tmp_path, "-o", output)
    assert f"{tmp_path}: a folder without text; it should hold train.txt" in told


@pytest.mark.parametrize("option", ["--dev", "--test"])
def test_a_data_set_without_the_part_is_refused(refuse, place, tmp_path, option):
    save(tmp_path / "train.txt", "He left Boston .\n")
    told = refuse("sweep", *grid(place), option, tmp_path)
    assert f"should hold {option[2:]}.txt" in told


def test_text_of_another_language_is_refused(refuse, place, tmp_path, output):
    text = save(tmp_path / "greek.txt", "Η Αθήνα είναι πόλη .\n" * 9)
    told = refuse("adapt", place / "news.model", text, "-o", output, "--sigma2", "1")
    assert "greek: shares no word with the background" in told


def test_too_few_sentences_to_cross_validate_are_refused(refuse, place, tmp_path, output):
    text = save(tmp_path / "short.txt", "He left Boston .\nShe stayed .\n")
    told = refuse("adapt", place / "news.model", text, "-o", output)
    assert "short: 2 sentences; cross-validation, for want of development data, needs 5" in told


def test_too_little_text_for_the_cutoff_is_refused(refuse, tmp_path, output):
    text = save(tmp_path / "short.txt", "He left Boston .\n")
    told = refuse("train", text, "-o", output, "--cutoff", "5")
    assert "short: nothing is seen 5 times in 4 words; a smaller cutoff or more text" in told


def test_an_unknown_name_is_told_the_known_ones(refuse, output):
    told = refuse("train", "brwon", "-o", output)
    assert "brwon: no file, folder or data set of that name; data sets here: " in told
    assert "streamlit-docs" in told


@pytest.mark.parametrize("name", ["", "a" * 300, "two\nlines"])
def test_a_name_that_cannot_be_a_file_is_unknown(refuse, output, name):
    assert "no file, folder or data set" in refuse("train", name, "-o", output)


def test_a_missing_file_to_recase_is_refused(refuse, place):
    told = refuse("recase", place / "1gram", place / "absent")
    assert f"{place / 'absent'}: cannot be read (No such file or directory)" in told


# --- options ------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["0", "-1", "-1e-3", "nan", "inf", "-inf", "much", ""])
@pytest.mark.parametrize("command", ["train", "adapt"])
def test_a_bad_sigma2_is_refused(refuse, place, output, command, value):
    model = [place / "news.model"] if command == "adapt" else []
    told = refuse(command, *model, place / "talk", "-o", output, "--sigma2", value)
    assert f"sigma2 {value}: a finite number greater than 0 is allowed" in told
    assert ("or auto" in told) == (command == "adapt")


@pytest.mark.parametrize("value", ["-1", "0.5", "few", ""])
@pytest.mark.parametrize("command", ["train", "adapt"])
def test_a_bad_cutoff_is_refused(refuse, place, output, command, value):
    model = [place / "news.model"] if command == "adapt" else []
    told = refuse(command, *model, place / "talk", "-o", output, "--cutoff", value)
    assert f"cutoff {value}: a whole number, 0 or more, is allowed" in told
    assert ("or none" in told) == (command == "adapt")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--sigma2", "1,0"),
        ("--sigma2", "1,,2"),
        ("--cutoff", "0,-5"),
        ("--background-cutoff", "none"),
        ("--background-sigma2", "auto"),
    ],
)
def test_a_bad_grid_is_refused(refuse, place, option, value):
    assert "allowed" in refuse("sweep", *grid(place), option, value)


def test_an_unknown_method_is_refused(refuse, place):
    told = refuse("compare", *grid(place), "--methods", "map,magic")
    assert "method 'magic': known are 1-gram, " in told


def test_bad_options_are_refused_before_anything_is_read(refuse, monkeypatch, place, output):
    monkeypatch.setattr(commands, "_read", None)
    refuse("train", place / "talk", "-o", output, "--cutoff", "-1")
    refuse("adapt", place / "news.model", place / "talk", "-o", output, "--sigma2", "0")
    refuse("compare", *grid(place), "--methods", "magic")
    refuse("sweep", *grid(place), "--background-sigma2", "0")


@pytest.mark.parametrize("arguments", [["magic"], ["train"], ["train", "x"], ["evaluate", "m"]])
def test_wrong_usage_has_its_own_exit_status(arguments):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


# --- models -------------------------------------------------------------------------------


def test_adapt_refuses_a_baseline(refuse, place, output):
    told = refuse("adapt", place / "1gram", place / "talk", "-o", output)
    assert f"{place / '1gram'}: a 1gram model; adapt needs a memm or crf model" in told


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
    told = refuse(command, path, *rest[command])
    assert f"{path}: not a model of this workbench, or a damaged one" in told


def test_a_missing_model_is_refused(refuse, place):
    told = refuse("recase", place / "absent")
    assert f"{place / 'absent'}: no such model file" in told


# --- places for models --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("absent/new.model", "No such file or directory"),
        ("news.txt/new.model", "Not a directory"),
        ("talk", "not a file"),
        ("a" * 300, "File name too long"),
        ("news.txt", "to be read itself"),
    ],
)
def test_a_place_that_cannot_hold_a_model_is_refused(refuse, place, monkeypatch, name, why):
    monkeypatch.setattr(commands, "_read", None)  # and before anything is read
    before = sorted(place.iterdir())
    assert why in refuse("train", place / "news.txt", "-o", place / name)
    assert sorted(place.iterdir()) == before


def test_a_device_is_never_replaced_by_a_model(refuse, place):
    assert "/dev/null: not a file" in refuse("train", place / "news.txt", "-o", "/dev/null")


# --- surprises ----------------------------------------------------------------------------


@pytest.fixture
def meet(monkeypatch, capfd):
    """Run a command that meets something; returns exit status and standard error."""

    def _meet(happening):
        parsed = argparse.Namespace(run=happening)
        monkeypatch.setattr(cli, "_parser", lambda: argparse.Namespace(parse_args=lambda _: parsed))
        return main([]), capfd.readouterr().err

    return _meet


def raising(error):
    def happening(_):
        raise error

    return happening


def test_a_surprise_is_told_without_a_traceback(meet):
    status, told = meet(raising(ZeroDivisionError("by zero")))
    assert status == 1
    assert told.startswith("workbench: ZeroDivisionError: by zero (python -X dev")
    assert told.count("\n") == 1


def test_a_message_of_two_lines_is_told_in_one(meet):
    assert meet(raising(InputError("a\nb"))) == (1, "workbench: a b\n")


def test_an_interruption_is_told_in_one_line(meet):
    assert meet(raising(KeyboardInterrupt())) == (1, "workbench: stopped; nothing was written\n")


def test_a_warning_is_told_in_one_line(meet):
    def happening(_):
        warnings.simplefilter("always")
        warnings.warn("not converged after 5 steps", UserWarning, stacklevel=1)

    assert meet(happening) == (0, "workbench: warning: not converged after 5 steps\n")


# --- a CRF --------------------------------------------------------------------------------


def test_a_crf_goes_where_a_memm_goes(run, place, output, tmp_path):
    crf, text, talk = tmp_path / "crf.model", place / "news.txt", place / "talk"
    trained = run("train", text, "-o", crf, "--model", "crf", "--cutoff", 0)
    assert (trained[0], trained[1]) == (0, "")
    assert run("adapt", crf, talk, "-o", output, "--dev", talk)[0] == 0
    status, printed, _ = run("evaluate", crf, output, "--test", talk, "--json")
    told = json.loads(printed)["models"]
    assert (status, [row["kind"] for row in told]) == (0, ["crf", "crf"])
    (tmp_path / "lower.txt").write_text(LOWER)
    assert run("recase", output, tmp_path / "lower.txt")[1].lower() == LOWER


def test_a_comparison_and_a_sweep_take_a_crf(run, place):
    split = ["--background", place / "news.txt"]
    split += [o for part in ("adapt", "dev", "test") for o in (f"--{part}", place / "talk")]
    compared = run("compare", *split, "--model", "crf", "--methods", "background,map", "--json")
    assert [row["kind"] for row in json.loads(compared[1])["models"]] == ["crf", "crf"]
    assert run("sweep", *split, "--model", "crf", "--sigma2", "1", "--json")[0] == 0


def test_a_method_that_knows_no_crf_is_refused(refuse, place):
    split = ["--background", place / "news.txt"]
    split += [o for part in ("adapt", "dev", "test") for o in (f"--{part}", place / "talk")]
    told = refuse("compare", *split, "--model", "crf", "--methods", "augment")
    assert "method 'augment' is not for a crf; allowed are background, target, map," in told


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
    told = json.loads(printed)
    assert (status, told["words"]) == (0, 6)
    assert [row["chunks"]["f1"] for row in told["models"]] == [1.0, 1.0]
    assert set(told["models"][0]["per_chunk"]) == {"NP", "VP"}
    assert "recall" in run("evaluate", model, "--test", chunked)[1]


def test_models_and_texts_of_different_labels_are_refused(refuse, run, place, chunked, tmp_path):
    model = tmp_path / "chunk.model"
    run("train", chunked, "-o", model, "--model", "crf", "--templates", "chunk", "--cutoff", "0")
    told = refuse("evaluate", model, "--test", place / "talk")
    assert "chunk.model: not a model of case, which talk tells" in told
    told = refuse("evaluate", place / "news.model", "--test", chunked)
    assert "news.model: not a model of labels, which chunked tells" in told
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
    told = refuse("compare", *split, "--templates", "chunk", "--methods", "map,1-gram")
    assert "'1-gram' is not for a memm of labels other than case; allowed are background," in told


def test_a_bad_line_of_labels_is_told_by_number(refuse, output, tmp_path):
    path = tmp_path / "bad.iob"
    path.write_text(CHUNKS + "ran VBD I-NP\n")
    told = refuse("train", path, "-o", output)
    assert f"{path}: line 8: I-NP after B-VP; a chunk begins with B-NP" in told
