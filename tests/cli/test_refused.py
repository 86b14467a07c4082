"""Options that a command refuses: in one line, before any text is read."""

import shlex

import pytest

from workbench.cli import inputs
from workbench.cli.main import main

POSITIVE = "a finite number greater than 0 is allowed"
WHOLE = "a whole number, 0 or more, is allowed"
ADAPT, TRAIN = "adapt news.model talk -o OUT", "train talk -o OUT"
SPLIT = "--background news.txt --adapt talk --dev talk"
COMPARE, SWEEP = (f"{command} {SPLIT} --test talk" for command in ("compare", "sweep"))
ABLATE, TABLES = f"ablate {SPLIT}", "tables --background news.txt --adapt talk"
SEVERAL = "train news.txt talk/dev.txt --adapt talk -o OUT"
ALL_LEVELS = "--sigma2 general=3,new=1,text=1,domain=1"
RECASE = "recase news.model"
REFUSED = [  # what is typed in the folder of the texts, and what is said
    *((f"{train} --templates 'ca04 +colour'", "templates 'colour': no such set or template; ")
      for train in (TRAIN, COMPARE, SWEEP, ABLATE, TABLES)),
    *((f"{command} --sigma2 '{value}'", f"sigma2 {value}: {POSITIVE}{more}")
      for command, more in ((TRAIN, ""), (ADAPT, ", or auto or by-template"))
      for value in ("0", "-1", "-1e-3", "nan", "inf", "-inf", "much", "")),
    *((f"{command} --cutoff '{value}'", f"cutoff {value}: {WHOLE}{more}")
      for command, more in ((TRAIN, ""), (ADAPT, ", or none"))
      for value in ("-1", "0.5", "few", "")),
    *((f"{command} {options}", says) for command in (TRAIN, ADAPT) for options, says in (
        ("--alpha 0.5", "alpha 0.5: the gaussian prior takes sigma2"),
        ("--prior exponential --sigma2 1", "the exponential prior takes alpha"),
        ("--prior exponential --alpha -1", "alpha -1: a finite number greater than 0"),
        ("--prior exponential --solver iis", "iis takes a gaussian prior"))),
    (f"{TRAIN} --dev x", "dev x: is for --sigma2 auto and --weights auto alone"),
    (f"{TRAIN} --dev x --sigma2 auto --model 1gram", "a 1gram has no variance"),
    (f"{TRAIN} --target gold", "--target gold: is of candidate sets alone"),
    (f"{TRAIN} --cutoff 3 --model 1gram", "--cutoff 3: a 1gram has no variance, features"),
    (f"{TRAIN} --unseen cap", "--unseen cap: is of a 1gram"),
    (f"{TRAIN} --unknown-words none --model crf", "a crf has no weights of them"),
    (f"{TRAIN} --threads 100000", "threads 100000: 1 to 256 are allowed"),
    (f"{TRAIN} --tree genres.toml", "tree genres.toml: is of the genres of texts with --adapt"),
    (f"{TRAIN} - --dev -", "-: standard input is read once, as one text"),
    ("adapt 1gram talk -o OUT", "1gram: a 1gram model; adapt needs a memm, crf, bidirectional or "),
    ("adapt news.model talk -o - --json", "-: --json prints there"),
    (SEVERAL, "sigma2 of general: --dev TEXT is needed"),
    (f"{SEVERAL} --sigma2 general=3,new=1,text=1", "sigma2 of domain: --dev TEXT is needed"),
    (f"{SEVERAL} --sigma2 1", "sigma2 1: auto, or some of general=X,new=X,text=X,domain=X, is"),
    (f"{SEVERAL} --sigma2 general=3,genre=1", "some of general=X,new=X,text=X,domain=X"),
    (f"{SEVERAL} --sigma2 general=0", "sigma2 of general 0: a finite number greater than 0"),
    (f"{SEVERAL} --weights 1,2", "with --adapt, weights 1,2: a finite number greater than 0"),
    (f"{SEVERAL} {ALL_LEVELS} --weights auto", "weights: --dev TEXT is needed to search it on"),
    (f"{SEVERAL} --drop-boundaries 0.5", "--drop-boundaries 0.5: does not go with --adapt"),
    (f"{SEVERAL} --force", "--force: is of --adapt TEXT with --dev TEXT"),
    (f"{SEVERAL} --model ensemble", "a memm or crf"),
    (f"{COMPARE} --methods map,magic", "method 'magic': known are 1-gram, "),
    (f"{COMPARE} --model crf --methods augment",
     "method 'augment' is not for a crf; allowed are background, target, map,"),
    (f"{COMPARE} --tree x --methods map", "--tree x: is of the method hierarchy"),
    (f"{SWEEP} --sigma2 1,0", f"sigma2 0: {POSITIVE}"),
    (f"{SWEEP} --sigma2 1,,2", f"sigma2 : {POSITIVE}"),
    (f"{SWEEP} --cutoff 0,-5", f"cutoff -5: {WHOLE}, or none"),
    (f"{SWEEP} --background-cutoff none", f"cutoff none: {WHOLE}"),
    (f"{SWEEP} --background-sigma2 auto", f"sigma2 auto: {POSITIVE}"),
    (f"{ABLATE} --sigma2 0", f"sigma2 0: {POSITIVE}"),
    (f"{ABLATE} --templates shape", "templates shape: two or more are needed"),
    (f"{TABLES} --only 7", "table '7': known for case are 1, 2"),
    (f"{TABLES} --amounts many", "amounts many: whole numbers of words"),
    (f"{TABLES} -o absent/tables.md", "absent/tables.md: cannot be written"),
    (f"{RECASE} --jobs 0", "jobs 0: 1 to 256 are allowed"),
    (f"{RECASE} --jobs 257", "jobs 257: 1 to 256 are allowed"),
    (f"{RECASE} --jobs 2 --unbuffered", "--unbuffered: not with several jobs, which take many"),
    (f"{RECASE} --unbuffered -o x", "--unbuffered: not with several jobs, which take many"),
    (f"{RECASE} --review-lines 3", "--review-lines 3: is of --review FILE"),
    (f"{RECASE} --layout wrapped --unbuffered", "not with layout wrapped"),
    ("train news.txt -o absent/new.model", "No such file or directory"),
    ("train news.txt -o news.txt/new.model", "Not a directory"),
    ("train news.txt -o talk", "not a file"),
    (f"train news.txt -o {'a' * 300}", "File name too long"),
    ("train news.txt -o news.txt", "to be read itself"),
    ("train news.txt -o /dev/null", "/dev/null: not a file"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "says"), REFUSED)
def test_a_bad_option_is_told_before_anything_is_read(
    refuse, monkeypatch, place, output, line, says
):
    monkeypatch.chdir(place)
    monkeypatch.setattr(inputs, "read_corpus", None)
    before = sorted(place.iterdir())
    assert says in refuse(*(str(output) if word == "OUT" else word for word in shlex.split(line)))
    assert sorted(place.iterdir()) == before


@pytest.mark.parametrize(
    "line", ["", "magic", "train", "train x", "evaluate m", f"{TRAIN} --solver magic",
             f"{TRAIN} --prior magic", "data --server.port 8600"],
)  # fmt: skip
def test_wrong_usage_has_its_own_exit_status(line):
    with pytest.raises(SystemExit) as caught:
        main(line.split())
    assert caught.value.code == 2
