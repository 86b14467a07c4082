"""The embedded corpus: clean prose, split by module, no sentence twice."""

import pytest

from workbench.text import docstrings, registry
from workbench.text.docstrings import extract_prose, find_sentences, repeat_key
from workbench.text.layout import looks_tokenized
from workbench.text.readers import read_corpus

NUMPYDOC = '''Return the mean of the *valid* values.

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
'''
GOOGLE = '''Fit a line.

    Args:
        slope (float): The slope of the line
            in units of height.
        kind: A name.

    Returns:
        A line that was fitted.

    Example:
        This Is Code.
'''


def sentences_of(docstring):
    return [s for paragraph in extract_prose(docstring) for s in find_sentences(paragraph)]


def write_package(folder, n_modules=40):
    """Write a package whose modules have eight sentences each, two of them everywhere."""
    folder.mkdir()
    for m in range(n_modules):
        own = " ".join(f"The way {m} has {i} ends in Rome." for i in range(6))
        text = f'"""Common words of all modules. THE SAME in every module. {own}"""\n'
        (folder / f"m{m}.py").write_text(text)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Two packages that are parsed though they cannot be imported."""
    write_package(tmp_path / "ground")
    write_package(tmp_path / "domain", 25)
    for name in ("ground", "domain"):
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(docstrings, "version", lambda package: "1.0")
    monkeypatch.setattr(docstrings, "BACKGROUND", "ground-docs")
    monkeypatch.setattr(docstrings, "EMBEDDED_SETS", {
        f"{name}-docs": docstrings.EmbeddedSet((name,), "a test")
        for name in ("ground", "domain")
    })  # fmt: skip
    return tmp_path


def lines_of(folder):
    return {part: (folder / f"{part}.txt").read_text().splitlines() for part in docstrings.PARTS}


def test_numpydoc_gives_its_prose_and_nothing_else():
    assert sentences_of(NUMPYDOC) == [
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


def test_google_style_gives_its_prose_and_nothing_else():
    assert sentences_of(GOOGLE) == [
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
    assert sentences_of(docstring)[-1] == "The width of a line ."


@pytest.mark.parametrize("text", [
    "Call f(x) to get it.", "The value of a_b is kept.", "Set x = 3 to keep it.",
    "It is in numpy.linalg now.",
    "The .write method is it.", "See https://numpy.org for it.", "no capital begins this one.",
    "ALL OF IT IS LOUD.", "It ends without a mark", "Short.", "It has (one bracket.",
    "As shown in [1]_.", "The form \\alpha is used.", "The list [1, 2] is given.",
])  # fmt: skip
def test_sentences_with_code_or_without_an_end_are_dropped(text):
    assert sentences_of(text) == []


@pytest.mark.parametrize(("text", "prose"), [
    ("See the `guide <https://x.org>`_ for **all** of it.", "See the guide for all of it ."),
    ("Use [the guide](https://x.org) for __all__ of it.", "Use the guide for all of it ."),
    ("The |st.markdown|_ command is it.", None),
    ("Pass ``None`` to stop.", "Pass None to stop ."),
])  # fmt: skip
def test_markup_is_stripped_from_words(text, prose):
    assert sentences_of(text) == ([prose] if prose else [])


def test_documents_of_compiled_code_are_found():
    source = 'add_newdoc("a", "b", ("c",\n    """Text of it."""))\nx = """Not this."""\n'
    assert "Text of it." in docstrings.find_docstrings(source)
    assert "Not this." not in docstrings.find_docstrings(source)


def test_docstrings_are_found_at_every_depth():
    source = '"""One."""\nclass A:\n    """Two."""\n    if x:\n        def f(): "Three."\n'
    assert docstrings.find_docstrings(source) == ["One.", "Two.", "Three."]


def test_source_that_does_not_parse_has_no_docstrings():
    assert docstrings.find_docstrings('"""Text."""\ndef (:\n') == []


def test_modules_are_not_torn_apart():
    groups = {f"m{i}": [f"sentence {i} {j}" for j in range(9)] for i in range(60)}
    parts = docstrings.split_groups(groups)
    for part in docstrings.PARTS:
        modules = {sentence.split()[1] for sentence in parts[part]}
        assert len(parts[part]) == 9 * len(modules)
    assert 5 <= len(parts["test"]) / 9 <= 9


def test_splits_do_not_depend_on_the_order_of_modules():
    groups = {f"m{i}": [f"sentence {i}"] for i in range(60)}
    backward = dict(reversed(groups.items()))
    for part, found in docstrings.split_groups(backward).items():
        assert sorted(found) == sorted(docstrings.split_groups(groups)[part])


def test_a_huge_module_goes_to_train():
    groups = {"huge": ["word " * 500], **{f"m{i}": ["word"] for i in range(50)}}
    assert groups["huge"][0] in docstrings.split_groups(groups)["train"]


def test_repeats_stay_in_test_rather_than_dev_and_train():
    parts = {"train": ["A b .", "C d .", "E f ."], "dev": ["a B .", "C d ."], "test": ["The b ."]}
    kept = docstrings.drop_repeats(parts)
    assert kept == {"test": ["The b ."], "dev": ["C d ."], "train": ["E f ."]}


def test_packages_are_parsed_and_not_imported(package):
    docstrings.write_embedded(package / "out")
    for name in ("ground-docs", "domain-docs"):
        parts = lines_of(package / "out" / name)
        assert len(parts["train"]) > len(parts["test"]) > 0


def test_background_holds_nothing_that_a_domain_holds_out(package):
    docstrings.write_embedded(package / "out")
    domain = lines_of(package / "out" / "domain-docs")
    held_out = {repeat_key(s) for part in ("dev", "test") for s in domain[part]}
    ground = lines_of(package / "out" / "ground-docs")
    assert held_out.isdisjoint(repeat_key(s) for found in ground.values() for s in found)


def test_folders_of_tests_are_not_read(package):
    (package / "domain" / "tests").mkdir()
    (package / "domain" / "tests" / "a.py").write_text('"""A test is not prose."""\n')
    docstrings.write_embedded(package / "out")
    assert "A test is not prose ." not in lines_of(package / "out" / "domain-docs")["train"]


def test_steps_are_told_while_building(package):
    steps = []
    docstrings.write_embedded(package / "out", lambda *step: steps.append(step))
    assert steps[0] == (0, 67, "reading the docstrings of ground")
    assert all(done < total == 67 for done, total, _ in steps)


def test_a_set_whose_package_is_missing_is_not_offered(package, monkeypatch):
    absent = docstrings.EmbeddedSet(("no_such_package",), "absent")
    monkeypatch.setitem(docstrings.EMBEDDED_SETS, "absent-docs", absent)
    assert set(docstrings.installed_sets()) == {"ground-docs", "domain-docs"}


def test_key_changes_with_a_version(package, monkeypatch):
    before = docstrings.embedded_key()
    monkeypatch.setattr(docstrings, "version", lambda package: "2.0")
    assert before.startswith("ground1.0-domain1.0-")
    assert docstrings.embedded_key() != before


@pytest.fixture(scope="module")
def real():
    """Folders of the real embedded sets, by name."""
    known = map(registry.find_data_set, docstrings.installed_sets())
    return {data_set.name: registry.folder_of(data_set) for data_set in known}


def test_real_background_and_domain_are_large_enough(real):
    assert len(read_corpus(real["scientific-docs"])) > 150_000
    assert len(read_corpus(real["streamlit-docs"])) > 40_000


def test_real_sets_have_three_cased_parts(real):
    for folder in real.values():
        for part in docstrings.PARTS:
            assert len(read_corpus(folder, part).require_cased()) > 1500


def test_real_sentences_do_not_repeat_across_parts(real):
    for folder in real.values():
        found = [repeat_key(s) for lines in lines_of(folder).values() for s in lines]
        assert len(found) == len(set(found))


def test_real_lines_are_read_back_as_they_are(real):
    for folder in real.values():
        text = (folder / "train.txt").read_text()
        assert looks_tokenized(text)
        corpus = read_corpus(folder)
        back = [" ".join(corpus.sentence(i)) for i in range(corpus.n_sentences)]
        assert back == text.splitlines()


def test_real_prose_has_no_code(real):
    for folder in real.values():
        for lines in lines_of(folder).values():
            assert not [line for line in lines if set(line) & set("_=[]{}<>\\`|")]
            assert all(line[-1] in ".?!…'\")\u2019\u201d" for line in lines)
