"""The embedded corpus: found without imports, clean prose, no sentence twice."""

import ast
from pathlib import Path

import pytest

from workbench.text.layout import looks_tokenized
from workbench.text.readers import read_corpus
from workbench.text.sets import docstrings, nltk_sets, registry
from workbench.text.sets.splits import PARTS, repeat_key


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
    return {part: (folder / f"{part}.txt").read_text().splitlines() for part in PARTS}


def test_documents_of_compiled_code_are_found():
    source = 'add_newdoc("a", "b", ("c",\n    """Text of it."""))\nx = """Not this."""\n'
    assert "Text of it." in docstrings.find_docstrings(source)
    assert "Not this." not in docstrings.find_docstrings(source)


def test_docstrings_are_found_at_every_depth():
    source = '"""One."""\nclass A:\n    """Two."""\n    if x:\n        def f(): "Three."\n'
    assert docstrings.find_docstrings(source) == ["One.", "Two.", "Three."]


def test_source_that_does_not_parse_has_no_docstrings():
    assert docstrings.find_docstrings('"""Text."""\ndef (:\n') == []


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


def modules_behind(name):
    """Name a module of workbench.text and all of that folder that it imports, at any remove."""
    found, waiting, folder = set(), {name}, Path(docstrings.__file__).parents[1]
    while waiting:
        found.add(name := waiting.pop())
        tree = ast.parse((folder / f"{name}.py").read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("workbench.text"):
                module = node.module.removeprefix("workbench.text").strip(".").replace(".", "/")
                paths = [module, *(f"{module}/{alias.name}".strip("/") for alias in node.names)]
                waiting |= {path for path in paths if (folder / f"{path}.py").is_file()} - found
    return found - {"errors"}


@pytest.mark.parametrize("module", [docstrings, nltk_sets])
def test_keys_name_all_the_code_that_decides(module):
    assert set(module._DECIDING) == modules_behind(f"sets/{module.__name__.rpartition('.')[2]}")


def test_what_was_built_is_told_from_what_was_put_there(package):
    home = package / docstrings.embedded_key()
    docstrings.write_embedded(home)
    assert docstrings.is_embedded(home)
    assert not docstrings.is_embedded(home / "ground-docs")
    (home / "ground-docs" / "notes.txt").write_text("Mine.")
    assert not docstrings.is_embedded(home)


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
        for part in PARTS:
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
