"""The oracle tests once more with loops as plain Python: no place outside of an array is read."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
FILES = (
    "inference/test_chain_sums.py", "inference/test_event_sums.py", "inference/test_mixtures.py",
    "inference/test_scoring.py", "learning/test_chain.py", "learning/test_chain_hessian.py",
    "learning/test_group_offsets.py", "learning/test_hessian.py", "learning/test_objective.py",
    "numerics/test_vectors.py",
)  # fmt: skip
SLOW = (
    "differences or 10000 or newton or threads or weights_are_found or 200 or 700 or 9991 or 5000"
    " or neighbours_say_nothing"
)


def test_oracles_hold_of_the_loops_as_python():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", "-p", "no:xdist",
         "-k", f"not ({SLOW})", *(TESTS / file for file in FILES)],
        capture_output=True, text=True, cwd=TESTS.parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
