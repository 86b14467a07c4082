"""Makes the tables of docs/lab again, each by the command that stands above it.

    ./run python docs/make_results.py               # all, when a release is made: hours
    ./run python docs/make_results.py --only pn08   # those that have this in their command

A table stands between ``<!-- made DATE COMMIT SECONDS -->`` and ``<!-- end -->``, below a block
with one command whose output it is; all else is prose that is left alone. Each table is written
as soon as it is made. Where docs/results.md or README quote it, `test_documents.py` compares.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LAB = ROOT / "docs" / "lab"
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
    def is_past(self) -> bool:
        """Whether nothing makes it any more: its command was of an earlier version."""
        return "# of an earlier version" in self.command

    @property
    def words(self) -> str:
        """The command on one line, without its comment."""
        return " ".join(re.sub(r"\s+#.*", "", self.command.replace("\\\n", " ")).split())


def find_blocks(text: str) -> list[Block]:
    """Return the blocks of a document that are made by commands."""
    return [Block(**match.groupdict()) for match in _BLOCK.finditer(text)]


def _commit():
    found = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.strip()  # fmt: skip
    changed = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "workbench"], cwd=ROOT)
    return f"{found}+" if changed.returncode else found


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


def main() -> None:
    """Make the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="tables with this in their command"
    )
    options = parser.parse_args()
    for page in sorted(LAB.glob("*.md")):
        for block in find_blocks(page.read_text("utf-8")):
            if block.is_past or options.only not in block.words:
                continue
            print(block.words, file=sys.stderr, flush=True)
            made = show(make(block))
            text = page.read_text("utf-8")  # prose may have been written meanwhile
            shown = next(m[0] for m in _BLOCK.finditer(text) if m["command"] == block.command)
            page.write_text(text.replace(shown, made), "utf-8")


if __name__ == "__main__":
    main()
