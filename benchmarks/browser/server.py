"""A page served by Streamlit in a process of its own, for benchmarks and for tests in a browser."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PATIENCE = 60  # seconds until the server must answer
_GRACE = 5  # seconds until it must have ended: it may wait for a browser that has gone


@contextmanager
def serve(
    script: Path, environment: Mapping[str, str], log: Path, *options: str, port: int | None = None
) -> Iterator[str]:  # fmt: skip
    """Serve a page from the project's folder; yield its address.

    ``environment`` is added to ours; the server's output is written to ``log``. ``options`` are
    Streamlit's. Without ``port``, one that is free.
    """
    port = port or _free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    command += ["--server.address", "127.0.0.1", "--server.headless", "true"]
    command += options
    where = {"cwd": ROOT, "env": os.environ | dict(environment), "stderr": subprocess.STDOUT}
    with log.open("wb") as output, subprocess.Popen(command, stdout=output, **where) as server:
        try:
            _wait_for(f"http://127.0.0.1:{port}/_stcore/health", server, log)
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.terminate()
            try:
                server.wait(_GRACE)
            except subprocess.TimeoutExpired:
                server.kill()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(url, server, log):
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the page's server did not start: {log.read_text('utf-8', 'replace')}")
