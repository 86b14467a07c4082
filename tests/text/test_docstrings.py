"""The embedded corpus: found without imports, clean prose, no sentence twice."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.text.canonical import view
from workbench.text.errors import InputError
from workbench.text.layout import looks_tokenized
from workbench.text.readers import read_corpus
from workbench.text.sets import docstrings, nltk_sets, registry
from workbench.text.sets.splits import PARTS, repeat_key, write_parts


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
    texts = {part: (folder / f"{part}.txt").read_text() for part in PARTS}
    return {part: list(filter(None, text.splitlines())) for part, text in texts.items()}


def test_docstrings_are_found_at_every_depth_and_in_compiled_code_where_source_parses():
    source = '"""One."""\nclass A:\n    """Two."""\n    if x:\n        def f(): "Three."\n'
    assert docstrings.find_docstrings(source) == ["One.", "Two.", "Three."]
    source = 'add_newdoc("a", "b", ("c",\n    """Text of it."""))\nx = """Not this."""\n'
    assert "Text of it." in docstrings.find_docstrings(source)
    assert "Not this." not in docstrings.find_docstrings(source)
    assert docstrings.find_docstrings('"""Text."""\ndef (:\n') == []


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "a.py").write_text('"""The text of a module."""\n')
    read = docstrings.read_modules([tmp_path / "a.py", tmp_path / "b.py"])
    assert next(read) == ["The text of a module ."]
    with pytest.raises(InputError, match=r"b\.py: the process that read .* ended with status 1"):
        next(read)


def parsed(source):
    """The strings that are statements, in order, as Python's parser finds them."""
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)]
    constants = [s.value for s in sorted(statements, key=lambda s: (s.lineno, s.col_offset))]
    values = [c.value for c in constants if isinstance(c, ast.Constant)]
    return [value for value in values if isinstance(value, str)]


@pytest.mark.parametrize("source", [
    "def f(x='a'): 'Text.'\n", "x: 'Kind.'\n", "a = 1; 'Text.'; 'More.'\n", "'A' 'b.'\n",
    "'A' \\\n'b.'\n", "x = \\\n'No text.'\n", "x = ('No '\n'text.')\n", "x = {'a':\n'No text.'}\n",
    "x = [  # ' (\n]\n'Text.'\n", "'Text.'  # 'no'\n", "'%s.' % 1\n", "'a'.join(x)\n", "b'No.'\n",
    "f'No {x}.'\n", "r'A \\d.'\n", "'A\\tb \\N{BULLET} \\\nc.'\n", "'Say \\'it\\'.'\n",
    "\"Don't.\"\n", "x = f'{x[\"a\"]}'\n'Text.'\n", "if x:\n  'Text.'\nelse:\n  u'More.'\n",
    "x = 3 # it's\n'Text.'\n",
])  # fmt: skip
def test_docstrings_are_those_of_the_parser(source):
    source += '"""Last."""\n'
    assert docstrings.find_docstrings(source) == parsed(source)


@pytest.mark.slow
def test_docstrings_of_a_package_are_those_of_the_parser():
    files = [file for _, file in docstrings._source_files("streamlit")]
    assert len(files) > 40
    for source in (file.read_text("utf-8") for file in files):
        found = docstrings.find_docstrings(source)
        assert found == parsed(source) or not ('"""' in source or found)
    few = files[:40]
    assert list(docstrings.read_modules(few)) == [docstrings.read_module(file) for file in few]


@pytest.mark.slow
def test_a_script_without_a_main_guard_makes_text(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from workbench import load\nprint(load('altair-docs').name)\n")
    root = str(Path(__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-W", "error", script], capture_output=True, text=True,
        env=os.environ | {"WORKBENCH_CACHE": str(tmp_path), "PYTHONPATH": root},
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("altair-docs\n", "")


def test_packages_are_read_apart_and_a_background_has_nothing_held_out(package):
    sets = docstrings.read_embedded("ground-docs")
    assert set(sets) == {"ground-docs", "domain-docs"}
    for parts in sets.values():
        assert len(parts["train"]) > len(parts["test"]) > 0
    alone = docstrings.read_embedded("domain-docs")
    assert alone == {"domain-docs": docstrings.read_embedded("ground-docs")["domain-docs"]}
    held_out = {repeat_key(s) for part in ("dev", "test") for s in sets["domain-docs"][part]}
    ground = sets["ground-docs"].values()
    assert held_out.isdisjoint(repeat_key(s) for found in ground for s in found if s)


def test_steps_are_told_while_building(package):
    steps = []
    docstrings.read_embedded("ground-docs", lambda *step: steps.append(step))
    assert steps[0] == (0, 67, "reading the docstrings of ground")
    assert all(done < total == 67 for done, total, _ in steps)


def test_folders_of_tests_are_not_read(package):
    (package / "domain" / "tests").mkdir()
    (package / "domain" / "tests" / "a.py").write_text('"""A test is not prose."""\n')
    parts = docstrings.read_embedded("domain-docs")["domain-docs"]
    assert "A test is not prose ." not in parts["train"]


def test_a_set_whose_package_is_missing_is_not_offered(package, monkeypatch):
    absent = docstrings.EmbeddedSet(("no_such_package",), "absent")
    monkeypatch.setitem(docstrings.EMBEDDED_SETS, "absent-docs", absent)
    assert set(docstrings.installed_sets()) == {"ground-docs", "domain-docs"}


def test_the_key_changes_with_a_version(package, monkeypatch):
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
    for name, parts in docstrings.read_embedded("ground-docs").items():
        write_parts(home / name, parts)
    assert docstrings.is_embedded(home)
    assert not docstrings.is_embedded(home / "ground-docs")
    (home / "ground-docs" / "notes.txt").write_text("Mine.")
    assert not docstrings.is_embedded(home)


@pytest.fixture(scope="module")
def real():
    """Folders of the real embedded sets, by name."""
    known = map(registry.find_data_set, docstrings.installed_sets())
    return {data_set.name: registry.folder_of(data_set) for data_set in known}


@pytest.mark.slow
def test_real_sets_are_large_enough_cased_prose_without_repeats(real):
    assert len(read_corpus(real["scientific-docs"])) > 150_000
    assert len(read_corpus(real["streamlit-docs"])) > 40_000
    for folder in real.values():
        for part in PARTS:
            assert len(read_corpus(folder, part).require_cased()) > 1500
    for folder in real.values():
        found = [repeat_key(s) for lines in lines_of(folder).values() for s in lines]
        assert len(found) == len(set(found))
    for folder in real.values():
        text = (folder / "train.txt").read_text()
        assert looks_tokenized(text)
        corpus = read_corpus(folder)
        back = [word for i in range(corpus.n_sentences) for word in corpus.sentence(i)]
        assert back == view(text).text.split()
        assert len(corpus.document_starts) > 2
    for folder in real.values():
        for lines in lines_of(folder).values():
            assert not [line for line in lines if set(line) & set("_=[]{}<>\\`|")]
            assert all(line[-1] in ".?!…'\")\u2019\u201d" for line in lines)
