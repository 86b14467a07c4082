"""The reference that ``./run docs`` makes: every command's help, every name's docstring."""

import subprocess
import sys
from html import escape
from pathlib import Path

import workbench
from workbench.cli.main import make_parser

ROOT = Path(__file__).resolve().parents[2]


def test_every_command_and_public_name_is_in_the_reference(tmp_path):
    command = [sys.executable, "-W", "error", "docs/make_api.py", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    commands = Path(done.stdout.strip()).read_text("utf-8")
    for action in make_parser()._subparsers._group_actions:
        for name, parser in action.choices.items():
            assert f'<h2 id="{name}">' in commands
            assert escape(parser.description) in " ".join(commands.split())
    names = (tmp_path / "workbench.html").read_text("utf-8")
    assert [name for name in workbench.__all__ if f'id="{name}"' not in names] == []
    assert "Read files and folders into one corpus" in names
