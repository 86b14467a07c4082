"""The genres of texts, read from a small TOML file: a tree of three levels, general, genre, text.

    news = ["reuters1987", "wsj"]
    speech = ["ted", "domain"]

Each line is a genre and the texts that it has; ``domain`` stands for the adaptation text.
"""

import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from workbench.text.errors import InputError
from workbench.text.readers import read_text

DOMAIN = "domain"  # the name of the adaptation text


def read_genres(path: str | Path, texts: Sequence[str]) -> tuple[str, ...]:
    """Return the genre of each background text, by name, and, last, that of the domain.

    Raises
    ------
    InputError
        If the file cannot be read as TOML, or does not have each of the texts and the domain once.
    """
    genres = _read_lists(path)
    names = [name for members in genres.values() for name in members]
    needed = Counter([*texts, DOMAIN])
    for name in needed | Counter(names):
        if needed[name] != 1 or names.count(name) != 1:
            allowed = ", ".join(needed)
            raise InputError(f"{path}: {name!r}: each of {allowed} is to be there once, no other")
    of = {name: genre for genre, members in genres.items() for name in members}
    return tuple(of[name] for name in needed)


def _read_lists(path):
    """Return the genres of a file, each with the names of its texts."""
    try:
        genres = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: no TOML file that can be read: {error}") from error
    for genre, members in genres.items():
        if not (isinstance(members, list) and all(isinstance(name, str) for name in members)):
            raise InputError(
                f'{path}: {genre}: a list of texts, such as ["wsj", "ted"], is allowed'
            )
    return genres
