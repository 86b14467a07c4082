"""What a command is given: refused before a text is read, whichever command it is."""

import pytest

from workbench.cli import inputs
from workbench.cli.main import main

SPLIT = ("--background", "x", "--adapt", "x", "--dev", "x")
TESTED = (*SPLIT, "--test", "x")
TABLES = ("--background", "x", "--adapt", "x")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("train", "x", "--cutoff", "-1"), "cutoff -1: "),
        (("train", "x", "--templates", "colour"), "templates 'colour': no such set "),
        (("adapt", "x.model", "x", "--cutoff", "half"), "cutoff half: "),
        (("adapt", "x.model", "x", "--sigma2", "0"), "sigma2 0: "),
        (("compare", *TESTED, "--background-sigma2", "0"), "sigma2 0: "),
        (("compare", *TESTED, "--methods", "magic"), "method 'magic': "),
        (("sweep", *TESTED, "--cutoff", "0,half"), "cutoff half: "),
        (("sweep", *TESTED, "--templates", "colour"), "templates 'colour': "),
        (("ablate", *SPLIT, "--sigma2", "0"), "sigma2 0: "),
        (("ablate", *SPLIT, "--background-cutoff", "-1"), "cutoff -1: "),
        (("tables", *TABLES, "--amounts", "few"), "amounts few: whole numbers of words"),
        (("tables", *TABLES, "-o", "absent/tables.md"), "absent/tables.md: cannot be written"),
    ],
)
def test_a_bad_option_is_told_before_anything_is_read(monkeypatch, tmp_path, capfd, arguments, why):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(inputs, "read_corpus", None)
    output = ("-o", "new.model") if arguments[0] in ("train", "adapt") else ()
    status = main([*arguments, *output])
    printed, message = capfd.readouterr()
    assert (status, printed, list(tmp_path.iterdir())) == (1, "", [])
    assert message.startswith(f"workbench: {why}")
    assert message.count("\n") == 1
