"""Clients of Dask clusters: of this machine's cores, or of any scheduler that has an address.

Dask is an extra of the package, so it is imported when a cluster is asked for and not before.
Whatever is wrong with a cluster (nobody answers, it has no worker, a worker has another version
of this package) is an ``InputError`` before any work is sent to it.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from workbench.text.errors import InputError

LOCAL = "local"
_NANNY = "distributed.nanny.pre-spawn-environ"
# Of workers on this machine. What Dask does to watch itself takes each process one to three
# hundredths of a core. And it has memory given back as soon as it is free; to be given it again in
# each pass takes a tenth of the pass.
_LEAN = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1 s",
    "distributed.admin.system-monitor.interval": "5 s",
    "distributed.worker.memory.monitor-interval": "1 s",
    f"{_NANNY}.MALLOC_TRIM_THRESHOLD_": 1 << 28,  # bytes, see mallopt(3)
    f"{_NANNY}.MALLOC_MMAP_THRESHOLD_": 1 << 25,
}
_PATIENCE = 10  # seconds for a scheduler to answer, and for it to have a worker


@contextmanager
def connect(place: Any) -> Iterator[Any]:
    """Give a Dask client of a cluster whose workers have this version of the package.

    Parameters
    ----------
    place : str or distributed.Client
        ``local`` starts one process for each core that this process may use, and ends them
        afterwards; ``tcp://host:port``, or another address that Dask knows, is a scheduler's. A
        client is given back as it is, and not closed.

    Raises
    ------
    InputError
        If it is none of these, Dask is not installed, nobody answers, there is no worker, or a
        worker has another version of the package or of Python, or has no package at all.
    """
    with ExitStack() as stack:
        if isinstance(place, str):
            check_address(place)
            stack.enter_context(_quiet())
            place = stack.enter_context(start_workers() if place == LOCAL else _remote(place))
        _check_workers(place)
        yield place


def check_address(place: str) -> str:
    """Return where a cluster is; InputError if it is no such place, or Dask is not installed.

    Nothing is started or asked: that is for ``connect``.
    """
    if place != LOCAL and not all(place.partition("://")):
        allowed = "local, or a scheduler's address such as tcp://localhost:8786, is allowed"
        raise InputError(f"cluster {place}: {allowed}")
    _import_dask(place)
    return place


def _import_dask(place):
    try:
        import distributed
    except ModuleNotFoundError:
        raise InputError(
            f"cluster {place}: Dask is not installed; pip install "
            "'capitalization-workbench[cluster]'"
        ) from None
    return distributed


@contextmanager
def _quiet():
    """Keep Dask from saying what is said in one line here, or is no fault, as large weights."""
    import dask

    _import_dask(LOCAL)  # its modules' loggers, which have levels of their own, are there then
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    loggers = [logging.getLogger(name) for name in (*names, "tornado.application")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
        yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@contextmanager
def start_workers(n: int | None = None) -> Iterator[Any]:
    """Give a client of n processes of one thread each on this machine, which end with the block.

    By default there is one for each core that this process may use: affinity and cgroup say which.
    """
    distributed = _import_dask(LOCAL)
    import dask
    from dask.system import CPU_COUNT

    # Whoever reaches a scheduler can run code: nobody does but from this machine.
    here = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    silent = {"silence_logs": logging.CRITICAL + 1}
    with (
        dask.config.set(_LEAN),
        distributed.LocalCluster(
            n_workers=n or CPU_COUNT, threads_per_worker=1, **here, **silent
        ) as cluster,
        distributed.Client(cluster, set_as_default=False, direct_to_workers=True) as client,
    ):
        yield client


@contextmanager
def _remote(address):
    distributed = _import_dask(address)
    try:
        asyncio.run(_knock(address))
    except (OSError, ValueError, TypeError) as error:  # the last where TLS lacks a certificate
        reason = str(error).split(" after ")[0] or type(error).__name__
        raise InputError(
            f"cluster {address}: no Dask scheduler answers there ({reason}); `dask scheduler` "
            "starts one"
        ) from None
    with distributed.Client(address, timeout=_PATIENCE, set_as_default=False) as client:
        yield client


async def _knock(address):
    """Open a connection and close it: a ``Client`` without one would take long to end."""
    from distributed import Security
    from distributed.comm import connect

    arguments = Security().get_connection_args("client")
    connection = await connect(address, timeout=_PATIENCE, **arguments)
    await connection.close()


def _check_workers(client):
    address = client.scheduler.address
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise InputError(
            f"cluster {address}: it has no worker; `dask worker {address}` starts one"
        ) from None
    own = _make_probe()()
    for worker, found in client.run(_make_probe()).items():
        if found != own:
            raise InputError(f"cluster {address}: worker {worker} has {found}; {own} is needed")


def _make_probe() -> Callable[[], str]:
    """Return a function that says which versions there are where it runs.

    It is a function in a function, which is sent whole: a worker need not have this module.
    """

    def say_versions() -> str:
        python = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
        try:
            from workbench import __version__ as version
        except ImportError:
            return f"no capitalization-workbench and {python}"
        return f"capitalization-workbench {version} and {python}"

    return say_versions
