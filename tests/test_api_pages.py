"""The page that ``./run docs`` makes: every public name, as its docstring says."""

import subprocess
import sys
from pathlib import Path

import workbench

ROOT = Path(__file__).resolve().parents[1]


def test_every_public_name_is_on_the_page(tmp_path):
    command = [sys.executable, "-W", "error", "docs/make_api.py", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    page = Path(done.stdout.strip()).read_text("utf-8")
    assert [name for name in workbench.__all__ if f'id="{name}"' not in page] == []
    assert "Read files and folders into one corpus" in page
