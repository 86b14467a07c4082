"""Makes the tables of docs/results.md again, each by the command that stands above it.

    ./run python docs/make_results.py --list        # each table's date and commit; is it stale?
    ./run python docs/make_results.py               # make those that are stale
    ./run python docs/make_results.py --only pn08   # those that have this in their command

A table stands between ``<!-- made DATE COMMIT SECONDS -->`` and ``<!-- end -->``, below a block
with one command whose output it is; all else is prose that is left alone. It is stale once a file
below ``workbench/`` has changed after its commit, but for what only draws. Each table is written
as soon as it is made, so that a run can be stopped and gone on with.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "results.md"
_DRAWS = ("charts", "scrub", "views", "service")  # folders that no figure goes through
_CODE = ("--", "workbench", *(f":(exclude)workbench/{folder}" for folder in _DRAWS))
_BLOCK = re.compile(
    r"^```sh\n(?P<command>(?:(?!```).)*?)```\n+"
    r"<!-- made (?P<date>\S+) (?P<commit>\S+) (?P<seconds>\S+) -->\n(?P<text>.*?)<!-- end -->$",
    re.DOTALL | re.MULTILINE,
)


class Block(NamedTuple):
    """A command, when and from which code its output was made, and that output, Markdown."""

    command: str
    date: str
    commit: str
    seconds: str
    text: str

    @property
    def words(self) -> str:
        """The command on one line, without its comment."""
        return " ".join(re.sub(r"\s+#.*", "", self.command.replace("\\\n", " ")).split())


def find_blocks(text: str) -> list[Block]:
    """Return the blocks of a document that are made by commands."""
    return [Block(**match.groupdict()) for match in _BLOCK.finditer(text)]


def is_stale(block: Block) -> bool:
    """Return whether code that makes figures has changed since a block was made."""
    known = _git("cat-file", "-e", f"{block.commit}^{{commit}}")
    return known != 0 or _git("diff", "--quiet", block.commit, *_CODE) != 0


def _git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True).returncode


def _commit():
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.strip()  # fmt: skip
    changed = _git("diff", "--quiet", "HEAD", *_CODE) != 0
    return f"{found}+" if changed else found


def make(block: Block) -> Block:
    """Return a block as its command makes it now; an error of the command ends it all."""
    began = time.perf_counter()
    command = block.words.replace("./run python", f"'{sys.executable}'", 1)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    made = subprocess.run(command, shell=True, cwd=ROOT, env=environment, text=True, check=True,
                          stdout=subprocess.PIPE)  # fmt: skip
    seconds, today = f"{time.perf_counter() - began:.0f}s", f"{datetime.now(UTC):%Y-%m-%d}"
    return Block(block.command, today, _commit(), seconds, made.stdout.strip())


def show(block: Block) -> str:
    """Return the Markdown of a block: its command, when it was made, and its text."""
    text = re.sub(r"^\*Made .*\*\n", "", block.text.strip(), flags=re.MULTILINE).strip()
    return (
        f"```sh\n{block.command}```\n\n<!-- made {block.date} {block.commit} {block.seconds} -->\n"
        f"*Made {block.date} by commit {block.commit}, in {_in_words(block.seconds)}.*\n\n"
        f"{text}\n\n<!-- end -->"
    )


def _in_words(seconds):
    if not seconds.removesuffix("s").isdigit():
        return "a time not noted"
    minutes, rest = divmod(int(seconds.removesuffix("s")), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def choose(blocks: list[Block], only: str | None) -> Iterator[Block]:
    """Yield the blocks to make: those with a word in their command, or all that are stale."""
    for block in blocks:
        if only in block.words if only else is_stale(block):
            yield block


def main() -> None:
    """Make or list the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--list", action="store_true", help="list the tables; make none")
    parser.add_argument("--only", metavar="TEXT", help="tables with this in their command")
    options = parser.parse_args()
    blocks = find_blocks(RESULTS.read_text("utf-8"))
    for block in blocks if options.list else ():
        print(block.date, block.commit, "stale" if is_stale(block) else "fresh", block.words)
    for block in () if options.list else choose(blocks, options.only):
        print(block.words, file=sys.stderr, flush=True)
        made = show(make(block))
        text = RESULTS.read_text("utf-8")  # prose may have been written meanwhile
        shown = next(m[0] for m in _BLOCK.finditer(text) if m["command"] == block.command)
        RESULTS.write_text(text.replace(shown, made), "utf-8")


if __name__ == "__main__":
    main()
