"""Compiled functions on disk: used again while no compiled source changes, and then no more."""

import os
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import pytest

import workbench
from workbench.numerics import jit

IS_TRIED = numba.__version__.startswith(jit._TRIED)
tried = pytest.mark.skipif(not IS_TRIED, reason="numba keeps its loops in its own way")
CODE = """
import numpy as np
from workbench.numerics.vectors import dot
from workbench.inference.chain.scores import subtract_highest
print(dot(np.ones(2), np.ones(2)), sum(dot.stats.cache_hits.values()))
print(subtract_highest(np.ones((2, 4)), (0.0,) * 4),
      sum(subtract_highest.stats.cache_hits.values()))
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A copy of the package with two compiled functions."""
    folder = tmp_path_factory.mktemp("original")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(workbench.__file__).parent, folder / "workbench", ignore=ignored)
    assert run(folder) == ((2.0, 0.0), (0, 0), "")
    return folder


@pytest.fixture
def package(original, tmp_path):
    """A copy of that, with the times of its files."""
    return shutil.copytree(original, tmp_path / "copy")


def start(package, code, **variables):
    """What a process prints that runs code with the copy, and what it says on standard error."""
    code = f"import sys; sys.path.insert(0, {str(package)!r})\n{code}"
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True,
        env=environment | variables,
    )  # fmt: skip
    return done.stdout, done.stderr


def run(package, before="", **variables):
    """Run the code above; the values and the cache hits of two compiled functions."""
    printed, said = start(package, before + CODE, **variables)
    (a, hits_a), (b, hits_b) = (line.split() for line in printed.splitlines())
    return (float(a), float(b)), (int(hits_a), int(hits_b)), said


# Tells at the end on standard error how much was imported of what only compiling needs.
COUNT = """
import atexit, sys
needed = {"scipy.linalg", "numba.np.arraymath", "numba.np.linalg"}
atexit.register(lambda: print(len(needed & set(sys.modules)), file=sys.stderr))
"""
OTHER = 'import numba; numba.__version__ = "0.0.1"  # a release that was never tried\n'


@pytest.mark.parametrize("release", ["", OTHER], ids=["tried", "other"])
def test_a_second_process_compiles_nothing_and_does_without_what_compiling_needs(package, release):
    if release:
        assert run(package, release)[0] == (2.0, 0.0)
    values, hits, said = run(package, release + COUNT)
    assert (values, hits) == ((2.0, 0.0), (1, 1))
    assert int(said) == (3 if release else 0) or not IS_TRIED


@tried
def test_a_change_of_another_compiled_source_counts(package):
    source = package / "workbench" / "numerics" / "threads.py"
    source.write_text(source.read_text() + "\n")
    assert run(package) == ((2.0, 0.0), (0, 0), "")


@tried
def test_an_index_of_classes_that_moved_is_no_error(package):
    (index,) = (package / "workbench" / "numerics" / "__pycache__").glob("vectors.dot*.nbi")
    index.write_bytes(pickle.dumps(numba.__version__) + b"cworkbench.no_such_module\nGone\n.")
    assert run(package) == ((2.0, 0.0), (0, 1), "")


@tried
@pytest.mark.parametrize("ending", ["nbi", "1.nbc"])
def test_a_file_that_was_cut_is_compiled_again(package, ending):
    (path,) = (package / "workbench" / "numerics" / "__pycache__").glob(f"vectors.dot*.{ending}")
    path.write_bytes(path.read_bytes()[:300])
    assert run(package) == ((2.0, 0.0), (0, 1), "")


@pytest.fixture
def nowhere(package):
    """A package whose folders cannot be written: files are in their place."""
    for room in ("numerics", "inference/chain"):
        shutil.rmtree(package / "workbench" / room / "__pycache__")
        (package / "workbench" / room / "__pycache__").write_text("")
    (package / "home").write_text("")
    return {"HOME": str(package / "home"), "XDG_CACHE_HOME": str(package / "home")}


@pytest.mark.parametrize("release", ["", OTHER], ids=["tried", "other"])
def test_where_nothing_can_be_written_one_warning_says_so(package, nowhere, release):
    values, hits, said = run(package, release, **nowhere)
    assert (values, hits) == ((2.0, 0.0), (0, 0))
    assert said.count("UserWarning") == 1
    assert "UserWarning: compiled loops cannot be kept (" in said
    assert "NUMBA_CACHE_DIR" in said


def test_a_folder_that_the_user_names_is_used(package, nowhere):
    named = {**nowhere, "NUMBA_CACHE_DIR": str(package / "kept")}
    assert run(package, **named) == ((2.0, 0.0), (0, 0), "")
    assert run(package, **named) == ((2.0, 0.0), (1, 1), "")


READ_ONLY = """
import errno, tempfile
def refuse(*arguments, **options): raise OSError(errno.EROFS, "Read-only file system")
tempfile.TemporaryFile = refuse  # with which numba tries whether it can write
"""


@tried
def test_what_lies_beside_the_sources_is_read_on_a_read_only_disk(package):
    assert run(package, READ_ONLY) == ((2.0, 0.0), (1, 1), "")


SUM = """
import numpy as np
from workbench.numerics import disk_cache, vectors
print(vectors.dot(np.ones(2), np.ones(2)), sum(vectors.dot.stats.cache_hits.values()))
"""


@pytest.fixture
def emptied(package):
    """The package with nothing kept of one function; the place of that function's lock."""
    for path in (package / "workbench" / "numerics" / "__pycache__").glob("vectors.dot*.nb?"):
        path.unlink()
    (lock,) = (package / "workbench" / "numerics" / "__pycache__").glob("vectors.dot*.lock")
    return lock


@tried
def test_of_processes_that_need_a_function_at_once_one_compiles_it(package, emptied):
    with ThreadPoolExecutor(3) as pool:
        printed = [out for out, _ in pool.map(lambda _: start(package, SUM), range(3))]
    assert sorted(printed) == ["2.0 0\n", "2.0 1\n", "2.0 1\n"]


@tried
def test_who_waits_too_long_compiles_alone_and_keeps_nothing(package, emptied):
    fcntl = pytest.importorskip("fcntl")
    impatient = SUM.replace("print", "disk_cache._PATIENCE = 0\nprint")
    with open(emptied, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # as a process has it that was stopped
        assert start(package, impatient) == ("2.0 0\n", "")
    assert not list(emptied.parent.glob("vectors.dot*.nb?"))
    assert [start(package, SUM)[0] for _ in range(2)] == ["2.0 0\n", "2.0 1\n"]
