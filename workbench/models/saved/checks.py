"""What the parts of a model file must be; a hostile file has valid checksums.

Each function returns what a model is made of, or raises an InputError of one line.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.text.casing import wipe_case
from workbench.text.corpus import MOST_LABELS
from workbench.text.errors import InputError

MOST_CELLS = 100_000_000  # predicates by tags; nine bytes each when loaded
MOST_WEIGHT = 1e9  # sums of some weights and their differences stay finite


def require(is_so: Any, what: str) -> None:
    """Raise InputError, with what is wrong with a model file, unless something is so."""
    if not is_so:
        raise InputError(f"a damaged or edited model file: {what}")


def check_info(header: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a header says of where its model comes from."""
    info: Any = header.get("info")
    require(isinstance(info, dict), "info that is no object")
    require(isinstance(info.get("name", ""), str), "a name that is no text")
    share = info.get("drop_boundaries", 0.0)
    require(isinstance(share, float) and 0 <= share <= 1, "a share that is not from 0 to 1")
    return info


def check_names(names: Any, what: str, most: int = MOST_LABELS) -> tuple[str, ...]:
    """Return some names, of tags or templates, each once and a string."""
    is_list = isinstance(names, list | tuple) and 0 < len(names) <= most
    require(is_list and all(isinstance(n, str) and n.isprintable() for n in names), what)
    require(len(set(names)) == len(names), f"{what}, one of them twice")
    return tuple(names)


def mark_cells(cells: np.ndarray, shape: tuple[int, int], what: str) -> np.ndarray:
    """Return where cells, given by their places in row-major order, are; bool, of the shape.

    Places are whole numbers in ascending order, each once.
    """
    n = shape[0] * shape[1]
    require(n <= MOST_CELLS, f"{n:,} predicates by tags; {MOST_CELLS:,} are allowed")
    require(cells.ndim == 1 and cells.dtype.kind == "i", f"{what} that are no places")
    inside = not len(cells) or (cells[0] >= 0 and cells[-1] < n)
    require(inside and (np.diff(cells) > 0).all(), f"{what} out of range or of order")
    marked = np.zeros(shape, bool)
    marked.ravel()[cells] = True
    return marked


def check_weights(weights: np.ndarray, n: int) -> np.ndarray:
    """Return n weights, all of them finite."""
    require(weights.shape == (n,) and weights.dtype.kind == "f", f"weights that are not {n:,}")
    # False, too, for what is no number
    finite = not n or (weights.min() >= -MOST_WEIGHT and weights.max() <= MOST_WEIGHT)
    require(finite, f"weights that are no numbers from -{MOST_WEIGHT:g} to {MOST_WEIGHT:g}")
    return weights


def check_codes(codes: np.ndarray, n: int, most: int, what: str) -> np.ndarray:
    """Return n whole numbers, all of them from 0 to below ``most``."""
    fit = codes.shape == (n,) and codes.dtype.kind in "iu"
    require(fit and (not n or (codes.min() >= 0 and codes.max() < most)), what)
    return codes


def check_form(word: str, form: str) -> str:
    """Return a form of a word, which may differ from it in nothing but the case of letters."""
    require(wipe_case(form) == word, f"{form[:40]!r} is no form of {word[:40]!r}")
    return form
