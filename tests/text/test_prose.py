"""Prose of docstrings: every style gives its sentences, and nothing that is not prose."""

import pytest

from workbench.text.sets.prose import extract_prose

NUMPYDOC = """Return the mean of the *valid* values.

    The mean is taken over ``axis`` and keeps
    the `dtype` of the :class:`~numpy.ndarray`.

    Parameters
    ----------
    axis : int, optional
        Axis along which the mean is taken. Ignored if
        the array is flat.
    out : ndarray

    See Also
    --------
    median : A robust measure. Never prose.

    Notes
    -----
    The formula is::

        mean = total(x) / n. Not prose either.

    A formula :math:`x_i / n` poisons its sentence. The next one stays.

    .. versionadded:: 1.2
        Never prose here.

    .. note:: A note is prose
       that goes on.

    =====  ======
    name   value.
    =====  ======

    - An item of a list
      goes on here.
    - Another item ends.

    References
    ----------
    .. [1] Somebody, "A paper". A journal.

    Examples
    --------
    The example says this.

    >>> mean([1, 2, 3])
    The output is not prose.

    ```python
    The code is not prose.
    ```

    The text after code is prose.
"""
GOOGLE = """Fit a line.

    Args:
        slope (float): The slope of the line
            in units of height.
        kind: A name.

    Returns:
        A line that was fitted.

    Example:
        This Is Code.
"""


def test_numpydoc_and_google_style_give_their_prose_and_nothing_else():
    assert extract_prose(NUMPYDOC) == [
        "Return the mean of the valid values .",
        "The mean is taken over axis and keeps the dtype of the ndarray .",
        "Axis along which the mean is taken .",
        "Ignored if the array is flat .",
        "The next one stays .",
        "A note is prose that goes on .",
        "An item of a list goes on here .",
        "Another item ends .",
        "The example says this .",
        "The text after code is prose .",
    ]
    assert extract_prose(GOOGLE) == [
        "Fit a line .",
        "The slope of the line in units of height .",
        "A name .",
        "A line that was fitted .",
    ]


@pytest.mark.parametrize("docstring", [
    "Sphinx text.\n\n:param x: The width of a line.\n:type x: int. Of no use.\n",
    "Epytext text.\n\n@param x: The width of a line.\n",
])  # fmt: skip
def test_fields_give_their_description(docstring):
    assert extract_prose(docstring)[-1] == "The width of a line ."


@pytest.mark.parametrize("text", [
    "Call f(x) to get it.", "The value of a_b is kept.", "Set x = 3 to keep it.",
    "It is in numpy.linalg now.",
    "The .write method is it.", "See https://numpy.org for it.", "no capital begins this one.",
    "ALL OF IT IS LOUD.", "It ends without a mark", "Short.", "It has (one bracket.",
    "As shown in [1]_.", "The form \\alpha is used.", "The list [1, 2] is given.",
])  # fmt: skip
def test_sentences_with_code_or_without_an_end_are_dropped(text):
    assert extract_prose(text) == []


@pytest.mark.parametrize(("text", "prose"), [
    ("See the `guide <https://x.org>`_ for **all** of it.", "See the guide for all of it ."),
    ("Use [the guide](https://x.org) for __all__ of it.", "Use the guide for all of it ."),
    ("The |st.markdown|_ command is it.", None),
    ("Pass ``None`` to stop.", "Pass None to stop ."),
])  # fmt: skip
def test_markup_is_stripped_from_words(text, prose):
    assert extract_prose(text) == ([prose] if prose else [])
