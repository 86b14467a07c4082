"""Killed, on a full or a read-only disk, two at once: nothing half-written is ever read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from faults.jobs import GO_ON, JOBS

N_KILLS = 3  # of each job; tests/try_faults.py kills as many as one likes


@pytest.fixture(scope="module")
def tried():
    """What came of all jobs with all faults, by job and fault."""
    script = Path(__file__).parents[1] / "try_faults.py"
    command = [sys.executable, script, "--kills", str(N_KILLS * len(JOBS))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", JOBS)
def test_a_job_killed_or_stopped_leaves_old_or_new_and_two_at_once_get_it_done(tried, name):
    found = tried[name]["killed"]
    assert (found["torn"], found["lost"], found["left"]) == (0, 0, 0)
    assert found["old"] + found["none"] + found["new"] == N_KILLS
    assert found["while a file was unfinished"] > 0  # or nothing was tested
    for fault, outcome in tried[name]["stopped"].items():
        assert (outcome["state"], outcome["is_unfinished"]) == ("old", False), fault
        assert outcome["status"] == (0 if name in GO_ON else 1), fault
        if name not in GO_ON:
            assert "cannot be" in outcome["said"].splitlines()[-1]
            assert "Traceback" not in outcome["said"]
    assert [outcome["status"] for outcome in tried[name]["two at once"]] == [0, 0]
    assert tried[name]["two at once"][-1] == {
        "status": 0, "said": "", "state": "new", "is_unfinished": False,
    }  # fmt: skip
