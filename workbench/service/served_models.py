"""From the text of a request to the answer: the same bytes as of the command line."""

from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from workbench.models.capitalizer import Capitalizer
from workbench.models.kinds import load_model
from workbench.recasing.recased import words_of
from workbench.recasing.recaser import Recaser
from workbench.text.errors import InputError


class ServedModel(NamedTuple):
    """A model and what is said of it."""

    name: str
    model: Capitalizer
    recaser: Recaser

    def recaser_with(self, options: dict[str, Any]) -> Recaser:
        """Return a recaser with some options; InputError if one does not fit the model."""
        return Recaser(self.model, **options) if options else self.recaser

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
        try:
            recaser = Recaser(model)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        served[name] = ServedModel(name, model, recaser)
        # What is compiled, and looked up, is there for the first request of each kind.
        for options in ({}, {"threshold": 0.5}, {"glossary": ["Ready"]}):
            with suppress(InputError):  # of a model without probabilities
                kind = served[name].recaser_with(options)
                kind.recase("Ready.")
                recase_words(kind, "Ready.")
    return served


def recase_text(recaser: Recaser, text: str) -> dict[str, Any]:
    """Return a text with its case restored, as ``{"text": …}``."""
    return {"text": recaser.recase(text)}


def recase_words(recaser: Recaser, text: str) -> dict[str, Any]:
    """Return a text with its case restored and its words, with places in the text.

    They are those of ``recase --json``, but counted from the start of the text.
    """
    recaser.require_probabilities("words")
    parts, words, start = [], [], 0
    for block, opened in recaser.blocks([text]):
        recased = recaser.recase_block(block, with_p=True, opened=opened)
        parts.append(recased.text)
        words += [word.to_json() for word in words_of(recased, start)]
        start += len(block)
    return {"text": "".join(parts), "words": words}
