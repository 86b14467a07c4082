"""From the text of a request to the answer: the same bytes as of the command line."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from workbench.models.capitalizer import Capitalizer
from workbench.models.kinds import load_model
from workbench.text.errors import InputError
from workbench.text.tasks import TaskName


class ServedModel(NamedTuple):
    """A model and what is said of it."""

    name: str
    model: Capitalizer

    def describe(self) -> dict:
        """Return what ``/models`` says of it."""
        return {"name": self.name, "kind": self.model.kind, "info": self.model.info}


def load_served(paths: list[str]) -> dict[str, ServedModel]:
    """Return the models of some files by name, ready to answer.

    A name is that of the file without its ending. InputError if two have the same, or one has
    no case to restore.
    """
    served = dict[str, ServedModel]()
    for path in paths:
        name = Path(path).stem
        if name in served:
            raise InputError(f"{path}: two models of the name {name}; rename one of the files")
        model = load_model(path)
        if model.task is not TaskName.CASE:
            raise InputError(f"{path}: a model of {model.task} has no case to restore")
        model.recase("Ready.")  # what is compiled, and looked up, is there for the first request
        served[name] = ServedModel(name, model)
    return served


def recase_text(served: ServedModel, text: str) -> str:
    """Return a text with its case restored."""
    return served.model.recase(text)


def recase_bytes(served: ServedModel, data: bytes) -> Iterator[bytes]:
    """Yield the bytes of a text with its case restored; what is no UTF-8 passes unchanged."""
    text = data.decode("utf-8", "surrogateescape")
    yield served.model.recase(text).encode("utf-8", "surrogateescape")
