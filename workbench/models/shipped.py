"""The models that come with the package, by name: they restore the case of everyday English.

``data/english.py`` makes them; their header says of which texts, under which licence, how well they
do and what they are bad at.
"""

from pathlib import Path

SHIPPED = Path(__file__).parent / "english"
NAMES = ("en", "en-ca04", "en-1gram")  # the best templates; those of the paper; the baseline
BACKGROUNDS = {"en-ca04": "everyday English", "en": "everyday English, templates “best”"}


def names_model(text: str) -> bool:
    """Return whether the name of a background is that of a model or its file, not of a text."""
    return text in BACKGROUNDS or text.endswith(".model")


def model_file(place: str | Path) -> Path:
    """Return the file of a model, given by a name of ``NAMES`` or by its path.

    A string "en" is the name; a file that is called so is "./en", or a Path.
    """
    is_name = isinstance(place, str) and place in NAMES
    return SHIPPED / f"{place}.model" if is_name else Path(place)
