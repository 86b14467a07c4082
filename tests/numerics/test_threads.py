"""Loops shared among cores give what one loop gives."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from workbench.cli.main import main
from workbench.numerics import threads
from workbench.numerics.threads import count_allowed_cores, even_slices, run_in_threads


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_slices_differ_by_one_at_most(n, pieces):
    lengths = [part.stop - part.start for part in even_slices(n, pieces)]
    assert sum(lengths) == n
    assert max(lengths) - min(lengths) <= 1


@pytest.mark.parametrize("n", [1, 5])
def test_results_come_in_the_order_of_the_arguments(n):
    assert run_in_threads(lambda a, b: a - b, range(n), range(0, 2 * n, 2)) == [
        -i for i in range(n)
    ]


@pytest.mark.parametrize("n", [1, 5])
def test_an_exception_reaches_the_caller(n):
    with pytest.raises(ZeroDivisionError):
        run_in_threads(lambda a: 1 // a, [0] * n)


@pytest.fixture
def files(tmp_path):
    def _files(texts):
        for name, text in texts.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return _files


@pytest.fixture
def many_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)))


@pytest.mark.parametrize(
    ("limit", "cores"), [("250000 100000\n", 3), ("50000 100000\n", 1), ("max 100000\n", 64)]
)
def test_a_quota_of_a_control_group_counts(files, many_cores, limit, cores):
    texts = {"proc/self/cgroup": "0::/user/job\n", "sys/fs/cgroup/user/cpu.max": limit}
    assert count_allowed_cores(files(texts)) == cores  # of the group above, too


@pytest.mark.parametrize("mount", ["cpu", "cpu,cpuacct"])
def test_so_does_one_of_version_1(files, many_cores, mount):
    group = f"sys/fs/cgroup/{mount}/cpu.cfs"
    for quota, cores in (("200000\n", 2), ("-1\n", 64)):
        texts = {
            "proc/self/cgroup": "5:devices:/\n3:cpu,cpuacct:/docker/1a\n",
            f"{group}_quota_us": quota, f"{group}_period_us": "100000\n",
        }  # fmt: skip
        assert count_allowed_cores(files(texts)) == cores


def test_a_process_with_one_core_has_one_thread():
    code = "from workbench.numerics.threads import thread_count; print(thread_count())"
    core = str(min(os.sched_getaffinity(0)))
    run = ["taskset", "-c", core, sys.executable, "-c", code]
    assert subprocess.run(run, capture_output=True, check=True, text=True).stdout == "1\n"


def test_a_forked_process_shares_its_loops_anew():
    assert run_in_threads(abs, [-1, -2, -3]) == [1, 2, 3]
    if child := os.fork():
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    else:
        os._exit(run_in_threads(abs, [-1, -2, -3]) != [1, 2, 3])


def test_the_command_line_sets_the_threads(monkeypatch, capsys):
    monkeypatch.setattr(threads, "_chosen", [])
    assert main(["inspect", "missing.model"]) == 1
    assert threads._chosen == []
    assert main(["evaluate", "missing.model", "--test", "t", "--threads", "5"]) == 1
    assert threads.thread_count() == 5
    assert main(["evaluate", "missing.model", "--test", "t", "--threads", "0"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "workbench: threads 0: 1 to 256 are allowed"


def test_what_is_under_way_when_the_program_ends_is_done_without_the_pool(monkeypatch):
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    monkeypatch.setattr(threads, "_pool", lambda size: closed)
    assert run_in_threads(pow, [2, 3, 4], [2, 2, 2]) == [4, 9, 16]
