"""What a cluster adds to the house: the option ``--cluster``, training and tasks there."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from workbench.annexes import load


def _add_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="share the work among processes with Dask: local, one for each core of this machine, "
        "or the address of a Dask scheduler, such as tcp://localhost:8786; to train so, take "
        "templates without casing, such as ca04 or extended",
    )


def _take(options: Namespace) -> Callable[[Namespace], None] | None:
    """Return what trains on a cluster; None for other commands, whose tasks it runs."""
    if options.cluster is None:
        return None
    if options.command == "train":
        return load("workbench.cluster.train_command:train")
    load("workbench.cluster.connection:check_address")(options.cluster)
    return None


OPTIONS = dict.fromkeys(("train", "compare", "sweep", "ablate", "tables"), (_add_option, _take))
RUNNERS = {"cluster": "workbench.cluster.studies:open_runner"}
