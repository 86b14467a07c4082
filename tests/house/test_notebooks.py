"""The notebooks run, hold what they claim, and read well where nothing runs.

To run them anew and keep the outputs, from the project's folder:
``jupyter execute --inplace notebooks/*.ipynb``.
"""

import ast
import re
import sys
from base64 import b64decode
from collections import Counter
from io import BytesIO
from pathlib import Path
from statistics import median

import altair as alt
import nbformat
import pytest
from PIL import Image

HOME = Path(__file__).resolve().parents[2] / "notebooks"
NAMES = (
    "00_everyday_english 01_tags 02_events 03_maxent 04_memm 05_adaptation 06_variances 07_bench "
    "08_label_bias 09_hierarchy".split()
)
# The answers to "your turn", by notebook: what a reader would write, and how the checker begins.
TURNS = {
    "02_events": {
        "check_kept(None, None)": "Not answered",
        "check_kept(7, 1)": "Right",
        "check_kept(1, 7)": "The other way round",
        "check_kept(7, 7)": "The same for both?",
        "check_kept(7, 3)": "Not quite: count the second again",
        "check_kept(6, 3)": "Not quite: count the first and the second",
    },
    "03_maxent": {
        "check_slope(slope)": "Not yet",
        "check_slope(lambda f, w, s: slope(f, w, s) - w[f] / s)": "Right",
        "check_slope(lambda f, w, s: slope(f, w, s) + w[f] / s)": "The right amount",
        "check_slope(lambda f, w, s: slope(f, w, s) - w[f] / s / 2)": "Twice as much",
        "check_slope(lambda f, w, s: slope(f, w, s) - w[f] ** 2 / s / 2)": "This is the penalty",
        "check_slope(lambda f, w, s: slope(f, w, s) - 7)": "It takes 7",
    },
    "05_adaptation": {
        "check_careful(None)": "Not answered",
        "check_careful(0.123)": "0.123 was not tried",
        "check_careful(0.01)": "Too careful",
        "check_careful(best)": "As good as the best, yes",
        "check_careful(curve[curve.dev_error_rate <= (p := curve.dev_error_rate.min())"
        " + (p * (1 - p) / len(development)) ** 0.5].sigma2.min())": "Right",
    },
}
DRAWN = re.compile(r"draw_\w+\(|figure_1_\w+$")


@pytest.fixture(params=NAMES)
def notebook(request):
    return nbformat.read(HOME / f"{request.param}.ipynb", as_version=4)


def cells_of(notebook, kind="code"):
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def last_expression(source):
    """The source of the bare expression that a cell ends with; None if it ends otherwise."""
    last = ast.parse(source).body[-1]
    return ast.unparse(last) if isinstance(last, ast.Expr) else None


def test_all_are_there():
    assert sorted(path.stem for path in HOME.glob("*.ipynb")) == NAMES


# --- what they claim ----------------------------------------------------------------------


@pytest.fixture
def in_its_folder(monkeypatch):
    """Run where a notebook runs; leave path and pictures as they were."""
    monkeypatch.chdir(HOME)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    with alt.renderers.enable("default"):
        yield


def run_cell(source, place, names):
    """Run a cell and return the value of the expression that it ends with, if any."""
    tree = ast.parse(source, place)
    last = tree.body.pop() if last_expression(source) else None
    exec(compile(tree, place, "exec"), names)
    return eval(compile(ast.Expression(last.value), place, "eval"), names) if last else None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("in_its_folder")
def test_every_cell_runs_and_every_claim_holds(name):
    names = {"__name__": name}
    notebook = nbformat.read(HOME / f"{name}.ipynb", as_version=4)
    for number, cell in enumerate(cells_of(notebook), start=1):
        try:
            value = run_cell(cell.source, f"{name} cell {number}", names)
            if isinstance(value, alt.TopLevelMixin):
                assert value.to_dict()["title"]
        except Exception as error:
            error.add_note(f"in notebook {name}, code cell {number}:\n{cell.source}")
            raise
    for answer, beginning in TURNS.get(name, {}).items():
        assert eval(answer, names).startswith(beginning), answer


@pytest.mark.usefixtures("in_its_folder")
def test_the_first_notebook_takes_a_text_of_ones_own(tmp_path):
    own = tmp_path / "own.txt"
    own.write_text("Anna likes FreqDist. She went to Rome, and NLTK went along.\n" * 40)
    names = {"__name__": "own"}
    for cell in cells_of(nbformat.read(HOME / f"{NAMES[0]}.ipynb", as_version=4)):
        run_cell(re.sub(r"^MY_TEXT = .*", f"MY_TEXT = {str(own)!r}", cell.source), "own", names)
    assert (names["after"] != names["mine"].tags).sum() == 0 < len(names["changes"])


# --- how they read ------------------------------------------------------------------------


def test_a_notebook_asks_names_its_source_and_ends_with_roads_not_taken(notebook):
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert re.search(r"\*\*[^*]+\?\*\*", first.source)
    assert re.search(r"\((?:19|20)\d\d\)", first.source)
    assert "you can predict" in first.source
    prose = "\n".join(cell.source for cell in cells_of(notebook, "markdown"))
    assert re.findall(r"^## (.+)$", prose, re.MULTILINE)[-1] == "Roads not taken"
    assert notebook.cells[-1].cell_type == "markdown"


def test_cells_hold_python_and_nothing_of_one_machine(notebook):
    for cell in cells_of(notebook):
        assert not re.search(r"^\s*[%!]", cell.source, re.MULTILINE)
        assert not re.search(r"""["'](?:/|~/|[A-Z]:\\)|pip install|workbench\.views""", cell.source)


def test_a_turn_is_asked_and_its_checker_hidden(notebook):
    prose = "\n".join(cell.source for cell in cells_of(notebook, "markdown"))
    checkers = [
        cell for cell in cells_of(notebook) if "hide-input" in cell.metadata.get("tags", ())
    ]
    assert prose.count("**Your turn.**") == len(checkers)
    for cell in checkers:
        assert cell.source.startswith("def check_")
        assert cell.metadata.jupyter.source_hidden


def test_cells_are_short(notebook):
    lengths = [cell.source.count("\n") + 1 for cell in cells_of(notebook)]
    assert median(lengths) <= 5
    assert max(lengths) <= 15


def names_bound(node):
    """Names that a statement of a notebook binds in it."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, ast.comprehension | ast.Lambda | ast.ListComp | ast.DictComp):
        return []  # names of their own
    if isinstance(node, ast.Name):
        return [node.id] if isinstance(node.ctx, ast.Store) else []
    inside = [name for child in ast.iter_child_nodes(node) for name in names_bound(child)]
    return sorted(set(inside)) if isinstance(node, ast.For) else inside


def test_no_name_is_bound_twice(notebook):
    statements = [node for cell in cells_of(notebook) for node in ast.parse(cell.source).body]
    bound = Counter(name for node in statements for name in names_bound(node))
    del bound["_"]
    assert [name for name, times in bound.items() if times > 1] == []


# --- their outputs ------------------------------------------------------------------------


def test_outputs_are_of_one_run_without_noise(notebook):
    code = cells_of(notebook)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in cells_of(notebook)[2:]:  # after the set-up
        expression = last_expression(cell.source)
        kinds = [kind for output in cell.outputs for kind in output.get("data", {})]
        if expression:
            assert kinds, cell.source
        if expression and DRAWN.search(expression):
            assert "image/png" in kinds, cell.source
    outputs = [output for cell in cells_of(notebook) for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    for cell in cells_of(notebook):
        assert {output.output_type for output in cell.outputs} <= {"execute_result"}


def test_text_of_pictures_is_as_large_as_on_the_page(notebook):
    for output in (output for cell in cells_of(notebook) for output in cell.outputs):
        if "image/png" in output.get("data", {}):
            picture = Image.open(BytesIO(b64decode(output.data["image/png"])))
            assert output.metadata["image/png"]["width"] == picture.width / 2


@pytest.mark.parametrize("name", NAMES)
def test_they_load_quickly_and_tell_of_no_machine(name):
    stored = (HOME / f"{name}.ipynb").read_text("utf-8")
    assert len(stored) < 600_000
    assert not re.search(r"/home/|/root/|/tmp/|site-packages", stored)
