"""What a cluster adds to commands: the option ``--cluster``, and who trains there."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from workbench.cluster.connection import check_address


def add_options(command: str, parser: ArgumentParser) -> None:
    """Add where the work of a command is done besides this process."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="share the work among processes with Dask: local, one for each core of this machine, "
        "or the address of a Dask scheduler, such as tcp://localhost:8786; to train so, take "
        "templates without casing, such as ca04 or extended",
    )


def take(options: Namespace) -> Callable[[Namespace], None] | None:
    """Return what trains on a cluster; None for other commands, whose tasks it runs."""
    if options.cluster is None:
        return None
    if options.command == "train":
        from workbench.cli.cluster import cluster_commands

        return cluster_commands.train
    check_address(options.cluster)
    return None
