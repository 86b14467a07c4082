"""The rooms of the house: who may import whom, and which library is used where."""

import ast
import re
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from conftest import SLOW

from workbench.annexes import import_alone

ROOT = Path(__file__).resolve().parents[2]
# Lower floors first; what stands on one line shares a floor and keeps apart.
FLOORS = [
    {"annexes"},
    {"settings"},
    {"text"},
    {"features"},
    {"numerics"},
    {"inference"},
    {"learning"},
    {"recasing"},
    {"models"},
    {"adaptation"},
    {"evaluation"},
    {"experiments"},
    {"charts"},
    {"scrub"},
    {"views"},
    {"cli"},
    {"__main__"},
    {"candidates", "cluster", "service"},  # annexes, which nobody imports
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
# Folders that are given their numbers, and so never ask for a default.
WITHOUT_DEFAULTS = {"numerics", "inference", "learning"}


def _draws(path):
    """Whether a file is of the page, or of an annex's part of it."""
    return "views" in path.parts or path.parts[-2:] in PAGE_OF_ANNEX


PAGE_OF_ANNEX = {("candidates", "page.py"), ("candidates", "sections.py")}
LIBRARY_PLACES = {
    "streamlit": lambda path: path.name == "app.py" or _draws(path),
    "dask": lambda path: "cluster" in path.parts,
    "distributed": lambda path: "cluster" in path.parts,
    "altair": lambda path: "charts" in path.parts,
    "numba": lambda path: path.parts[-2] == "numerics" and path.stem in ("jit", "disk_cache"),
    "nltk": lambda path: path.name == "nltk_sets.py",
    "anywidget": lambda path: path.name == "widget.py",
    "traitlets": lambda path: path.name == "widget.py",
    "tqdm": lambda path: path.name == "console.py",
    "starlette": lambda path: "service" in path.parts or path.name == "first_paint.py",
    "uvicorn": lambda path: "service" in path.parts,
    "prometheus_client": lambda path: "service" in path.parts,
}
FILES = sorted((ROOT / "workbench").rglob("*.py"))


@cache
def imported(path):
    """Dotted names of all that a file imports, inside functions too."""
    return list(_imported(path))


def _imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(path):
    return path.relative_to(ROOT / "workbench").with_suffix("").parts[0]


def offences(path):
    """Imports of a file that go up, or sideways between rooms."""
    here = room_of(path)
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "workbench" or len(parts) < 2 or parts[1] not in FLOOR:
            continue
        there = parts[1]
        if there != here and FLOOR[there] >= FLOOR[here]:
            yield f"{path.name} in {here} imports {name}"


def test_every_module_has_a_floor_and_imports_point_down():
    assert len(FILES) > 30
    for path in FILES:
        assert room_of(path) in FLOOR or path == ROOT / "workbench" / "__init__.py"
        assert list(offences(path)) == []


@pytest.mark.parametrize("library", LIBRARY_PLACES)
def test_each_library_stays_in_its_place(library):
    users = [
        path
        for path in [ROOT / "app.py", *FILES]
        if any(name.split(".")[0] == library for name in imported(path))
    ]
    assert users
    assert [path.name for path in users if not LIBRARY_PLACES[library](path)] == []


@pytest.mark.parametrize("annex", sorted(FLOORS[-1]))
def test_the_house_names_no_annex_but_in_its_joins(annex):
    """Not by a string, either, which could be imported when asked for."""
    naming = re.compile(rf"workbench[./]{annex}\b")
    house = [path for path in FILES if room_of(path) not in FLOORS[-1]]
    assert [path.name for path in house if naming.search(path.read_text("utf-8"))] == []


def test_compiled_functions_have_two_rooms():
    compiled = [path for path in FILES if "workbench.numerics.jit" in imported(path)]
    assert compiled
    assert {room_of(path) for path in compiled} <= {"numerics", "inference"}


def test_files_of_slow_tests_are_there():
    assert {path.stem for path in (ROOT / "tests").rglob("test_*.py")} >= SLOW


@pytest.mark.parametrize("room", sorted(WITHOUT_DEFAULTS))
def test_solvers_never_look_at_settings(room):
    asking = [
        path.name
        for path in (ROOT / "workbench" / room).rglob("*.py")
        if any(name.startswith("workbench.settings") for name in imported(path))
    ]
    assert asking == []


def test_a_package_is_whole_for_two_visitors_who_come_at_once(tmp_path, monkeypatch):
    """One imports the package, which imports a part; the other that part, which asks for it."""
    package = tmp_path / "shared"
    package.mkdir()
    (package / "__init__.py").write_text("import time; time.sleep(0.2)\nfrom shared.part import x")
    (package / "part.py").write_text("from shared import other\nx = 1")
    (package / "other.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    with ThreadPoolExecutor() as threads:
        whole = threads.submit(import_alone, "shared")
        time.sleep(0.1)
        part = threads.submit(import_alone, "shared.part")
        assert whole.result().x == part.result().x == 1
