"""Compiled functions on disk: used again while no compiled source changes, and then no more."""

import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import workbench

CODE = """
import numpy as np
from workbench.numerics.vectors import dot
from workbench.scoring import chain_word_sums
print(dot(np.ones(2), np.ones(2)), sum(dot.stats.cache_hits.values()))
print(chain_word_sums.subtract_highest(np.ones((2, 4)), (0.0,) * 4),
      sum(chain_word_sums.subtract_highest.stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package, nothing of it compiled."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(workbench.__file__).parent, tmp_path / "workbench", ignore=ignored)
    return tmp_path


def run(package):
    """Run code with the copy; the values and the cache hits of two compiled functions."""
    code = f"import sys; sys.path.insert(0, {str(package)!r})\n{CODE}"
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (a, hits_a), (b, hits_b) = (line.split() for line in done.stdout.splitlines())
    return (float(a), float(b)), (int(hits_a), int(hits_b))


def test_a_second_process_compiles_nothing(package):
    assert run(package) == ((2.0, 0.0), (0, 0))
    assert run(package) == ((2.0, 0.0), (1, 1))


def test_a_change_of_another_compiled_source_counts(package):
    run(package)
    source = package / "workbench" / "numerics" / "exponentials.py"
    source.write_text(source.read_text() + "\n")
    assert run(package) == ((2.0, 0.0), (0, 0))


def test_an_index_of_classes_that_moved_is_no_error(package):
    run(package)
    (index,) = (package / "workbench" / "numerics" / "__pycache__").glob("vectors.dot*.nbi")
    index.write_bytes(pickle.dumps(numba.__version__) + b"cworkbench.no_such_module\nGone\n.")
    assert run(package) == ((2.0, 0.0), (0, 1))
