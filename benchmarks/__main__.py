"""``python -m benchmarks``: one table of how fast the workbench is, against its rivals.

Large corpora are found through WORKBENCH_DATA; without it the embedded text is used.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import beyond, cluster, files, passes, path, slider
from benchmarks.browser import page
from benchmarks.rivals import candidate_sets, crf, crfsuite, softmax, tagging
from benchmarks.table import machine, render
from benchmarks.texts import FULL, QUICK, Bench, Texts

FAMILIES = {
    "move": slider.move,
    "cutoff": slider.cutoff_moves,
    "random": slider.random_moves,
    "path": path.path,
    "sklearn": softmax.training,
    "crfsuite": crfsuite.training,
    "crf": crf.crf,
    "tagging": tagging.tagging,
    "pass": passes.gradient_pass,
    "docstrings": files.docstrings_to_text,
    "files": files.text_to_model,
    "cluster": cluster.training,
    "studies": beyond.studies,
    "memory": beyond.memory,
    "candidates": candidate_sets.candidates,
    "page": page.key_press,
    "title": page.first_sight,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the chosen rows and print them."""
    options = _parser().parse_args(arguments)
    before = machine()
    with tempfile.TemporaryDirectory() as folder:
        if options.quick:
            bench = Bench(Texts.write_quick(folder), QUICK)
        else:
            bench = Bench(Texts.find(), FULL)
        rows = [row for name in options.only or FAMILIES for row in _run(name, bench)]
    texts = {name: Path(text).name for name, text in asdict(bench.texts).items()}
    about = {"machine": before, "load_after": machine()["load"], "quick": options.quick}
    if options.json:
        print(json.dumps(about | texts | {"rows": [row.to_json() for row in rows]}, indent=1))
    else:
        print(render(rows), _describe(about, texts), sep="\n")


def _parser():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only", nargs="+", choices=list(FAMILIES), metavar="ROW",
        help=f"some of: {', '.join(FAMILIES)}",
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="tiny text: figures mean nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _run(name, bench):
    print(f"{name} …", file=sys.stderr, flush=True)
    yield from FAMILIES[name](bench)


def _describe(about, texts):
    of = about["machine"]
    return (
        f"\n{texts['background']} → {texts['domain']}; {of['cores']} cores ({of['processor']}), "
        f"load {of['load']} before and {about['load_after']} after; "
        f"Python {of['python']}, NumPy {of['numpy']}"
    )


if __name__ == "__main__":
    main()
