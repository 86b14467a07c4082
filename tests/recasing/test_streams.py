"""What a command reads and writes by another name than a plain path: streams, links, any bytes."""

import html
import os
import re
import signal
import stat
import subprocess
import sys

import pytest
from command_texts import standard_input

from workbench.cli.console import check_output
from workbench.cli.main import main
from workbench.models.files import write_atomically
from workbench.models.kinds import load_model
from workbench.text.errors import InputError

pytestmark = pytest.mark.usefixtures("outside")
SPLIT = "--background news.txt --adapt talk --dev talk --background-cutoff 1"
STREAMED = [  # - stands for each TEXT, and for OUT
    "train TEXT -o OUT",
    "train news.txt --sigma2 auto --dev TEXT -o OUT",
    "train news.txt --model 1gram -o OUT",
    "train news.txt talk/dev.txt --adapt talk --sigma2 genre=1 --dev talk --tree TEXT -o OUT",
    "adapt news.model TEXT --sigma2 1 -o OUT",
    "adapt news.model talk --adapter --dev TEXT --force -o OUT",
    "adapt news.model talk --sigma2 1 --retain TEXT -o OUT",
    "evaluate news.model --test TEXT",
    "recase news.model TEXT -o OUT",
    "recase news.model news.txt --glossary TEXT",
    f"compare {SPLIT} --test TEXT --methods background",
    f"sweep {SPLIT} --test TEXT --sigma2 1",
    f"ablate {SPLIT} --dev TEXT --sigma2 1 --templates ca04",
    f"report {SPLIT} --explained 0 --test TEXT -o OUT",
    "tables --background TEXT --adapt talk --only 1 -o OUT",
    "tables --background news.txt --adapt talk --in-domain TEXT --only 2",
]
TREE = 'news = ["news.txt"]\nspeech = ["talk/dev.txt", "domain"]\n'


@pytest.mark.parametrize("line", STREAMED)
def test_a_dash_is_standard_input_and_output(line, place, tmp_path, monkeypatch, capfdbinary):
    monkeypatch.chdir(place)
    source, out = tmp_path / "standard input.txt", tmp_path / "out"
    source.write_text(TREE if "--tree" in line else (place / "talk/dev.txt").read_text())
    assert main([{"TEXT": str(source), "OUT": str(out)}.get(w, w) for w in line.split()]) == 0
    printed = capfdbinary.readouterr().out
    wanted = out.read_bytes() if "OUT" in line else printed
    with standard_input(source):
        assert main(["-" if word in ("TEXT", "OUT") else word for word in line.split()]) == 0
    found = capfdbinary.readouterr().out
    place_or_seconds = re.compile(rf"{re.escape(str(source))}|\d+\.\d\b")
    found, wanted = (
        place_or_seconds.sub("-", html.unescape(data.decode("latin-1")).replace("'", ""))
        for data in (found, wanted)
    )
    assert (found, (place / "-").exists()) == (wanted, False)


def test_a_model_is_not_written_to_a_terminal(monkeypatch):
    with open(os.openpty()[1], "w") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        check_output("-", [], "table")
        with pytest.raises(InputError, match="a model is no text for a terminal"):
            check_output("-", [])


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o775, 0o444])
@pytest.mark.parametrize("link", [False, True])
def test_a_file_keeps_its_mode_which_may_forbid_writing_and_a_link_stays(tmp_path, mode, link):
    kept, name = tmp_path / "kept", tmp_path / ("link" if link else "kept")
    if link:
        name.symlink_to("kept")
        write_atomically(name, lambda file: file.write(b"old"))  # it points to nothing yet
    kept.write_bytes(b"old")
    kept.chmod(mode)
    if mode & 0o200:
        write_atomically(name, lambda file: file.write(b"new"))
    else:
        for write in (lambda: check_output(str(name), []), lambda: write_atomically(name, print)):
            with pytest.raises(InputError, match=f"{name}: cannot be written, since its mode, 444"):
                write()
    found = kept.read_bytes(), stat.S_IMODE(kept.stat().st_mode), name.is_symlink()
    assert found == (b"new" if mode & 0o200 else b"old", mode, link)


def test_a_name_may_have_any_bytes(run, place, tmp_path):
    text, model, table = (tmp_path / os.fsdecode(b"\xe9" + end) for end in (b".txt", b"", b".md"))
    text.write_bytes((place / "news.txt").read_bytes())
    assert run("train", text, "-o", model, "--cutoff", "0")[0] == 0
    assert load_model(model).info["name"] == r"\udce9"
    for words in (
        ("evaluate", model, "--test", text, "--json"), ("inspect", model),
        ("adapt", model, text, "-o", tmp_path / "new", "--sigma2", "1", "--adapter", "--json"),
        ("evaluate", tmp_path / "new", "--test", text), ("recase", model, text, "--review", table),
        ("tables", "--background", text, "--adapt", place / "talk", "--only", "1", "-o", table),
    ):  # fmt: skip
        status, printed, _ = run(*words)
        assert (status, printed.isascii()) == (0, True)


_INTERRUPTED = """
import os, runpy, signal, sys
name, *sys.argv = sys.argv[1:]
def hook(event, given):
    if event == "import" and given[0] == name:
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
runpy.run_module("workbench", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("module", ["argparse", "scipy", "workbench.recasing.answers"])
def test_an_interruption_while_modules_are_loaded_is_told_in_one_line(module, place):
    command = [sys.executable, "-c", _INTERRUPTED, module, "workbench", "recase"]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs behind a shell ignores it
    run = subprocess.run([*command, place / "news.model"], capture_output=True, text=True)
    said = "workbench: stopped; nothing was written\n"
    assert (run.returncode, run.stdout, run.stderr) == (130, "", said)
