"""The documents name what is there: paths, links, commands, options; quoted figures agree."""

import argparse
import re
import shlex
from itertools import chain
from pathlib import Path

import pytest

import workbench
from benchmarks.__main__ import FAMILIES
from benchmarks.studies import __main__ as benchmark_studies
from docs import make_results
from workbench.cli.main import make_parser

ROOT = Path(__file__).resolve().parents[2]
HOWTO = sorted((ROOT / "docs" / "howto").glob("*.md"))
LAB = sorted((ROOT / "docs" / "lab").glob("*.md"))
DOCUMENTS = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md",
    ROOT / "data" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")), *HOWTO, *LAB,
]  # fmt: skip
PARSER = make_parser()
STUDY_PARSER = benchmark_studies.make_parser()
COMMANDS = next(
    action.choices for action in PARSER._actions if isinstance(action, argparse._SubParsersAction)
)
# Options of ./run test, of Streamlit, JupyterLab, jupyter execute, python -m benchmarks, docker,
# and of the command line without a command.
OTHERS = {"--help", "--fast", "--server.port", "--server.address", "--no-browser", "--inplace",
          "--list", "--only", "--quick", "--json", "--version", "--seconds", "--tmpfs"}  # fmt: skip
each_document = pytest.mark.parametrize(
    "path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)


def read(name):
    return (ROOT / name).read_text("utf-8")


def blocks(text, language):
    """The code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def code_spans(text):
    """Code within lines of prose and tables."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]


def section(text, heading):
    """A section of the second level, without its heading."""
    return re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)[1]


def rows(text):
    """The cells of all lines of tables."""
    lines = [line for line in text.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]


# --- paths and links ----------------------------------------------------------------------


def anchors(text):
    """The anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_document
def test_links_lead_somewhere(path):
    text = path.read_text("utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src(?:set)?="([^"]+)"', text)
    for link in links:
        if link.startswith(("http:", "https:")):
            continue
        place, _, anchor = link.partition("#")
        target = (path.parent / place) if place else path
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text("utf-8")), link


@each_document
def test_paths_exist(path):
    spans = chain.from_iterable(map(str.split, code_spans(path.read_text("utf-8"))))
    named = {span.rstrip(",;:") for span in spans if "<" not in span}
    named = {name for name in named if re.search(r"\w/$|\w/[^$*]*\.(py|pyi|md|toml)$", name)}
    named -= {"embedded/", "nltk/", "studies/"}  # of the cache
    homes = ROOT, ROOT / "workbench"
    assert [name for name in named if not any((home / name).exists() for home in homes)] == []


# --- commands and options -----------------------------------------------------------------


def commands(text):
    """The words of every command in the blocks of a document, pipes taken apart."""
    for block in blocks(text, "sh"):
        for line in block.replace("\\\n", " ").split("\n"):
            words = shlex.split(line, comments=True)
            while "|" in words:
                place = words.index("|")
                yield words[:place]
                words = words[place + 1 :]
            if words:
                yield words


def run_cases():
    """The words that ./run knows itself."""
    return set(re.findall(r"^(\w+)\)$", read("run"), re.MULTILINE))


def check(words):
    """Parse the words of a command, as far as it is the workbench's."""
    if words[0] == "./run":
        own = words[1] if len(words) > 1 else "app"
        if own == "python":
            check(words[1:])
        elif own not in run_cases():
            check(["workbench", *(words[1:] or ["app"])])
    elif words[:3] == ["python", "-m", "workbench"]:
        check(words[2:])
    elif words[:3] == ["python", "-m", "benchmarks.studies"]:
        STUDY_PARSER.parse_args(words[3:])
    elif words[:3] == ["python", "-m", "benchmarks"]:
        named = [word for word in words[3:] if not word.startswith("--")]
        assert set(named) <= set(FAMILIES), words
        assert set(words[3:]) <= {*named, *OTHERS}, words
    elif words[0] == "workbench":
        options, further = PARSER.parse_known_args(words[1:])
        assert not further or options.passes_words_on, words
    else:
        assert words[0] in {
            "curl",
            "cut",
            "dask",
            "docker",
            "echo",
            "helm",
            "openssl",
            "pip",
            "python",
            "srun",
            "tail",
        }, words


@each_document
def test_commands_can_be_parsed(path):
    for words in commands(path.read_text("utf-8")):
        check(words)


def options_of(command):
    return {option for action in command._actions for option in action.option_strings}


@each_document
def test_options_in_prose_exist(path):
    known = OTHERS.union(*map(options_of, COMMANDS.values()))
    for span in code_spans(path.read_text("utf-8")):
        words = re.sub(r"^(\./run )?(python -m )?(workbench )?", "", span).split()
        options = {word for word in words if re.match(r"--\w", word)}
        allowed = options_of(COMMANDS[words[0]]) if words and words[0] in COMMANDS else known
        assert options <= allowed | OTHERS, span
        if span.startswith(("workbench ", "python -m workbench ")) and words:
            assert words[0] in {*COMMANDS, "COMMAND"}, span


def test_every_how_to_has_a_row_and_every_command_a_how_to():
    listed = {link for _, page in rows(read("docs/howto/README.md"))[1:]
              for link in re.findall(r"\]\((.*?)\)", page)}  # fmt: skip
    assert listed == {path.name for path in HOWTO} - {"README.md"}
    text = "\n".join(path.read_text("utf-8") for path in HOWTO)
    assert [name for name in COMMANDS if f"workbench {name}" not in text] == []


def test_the_house_has_every_folder():
    (house,) = blocks(section(read("CONTRIBUTING.md"), "The house"), "")
    there = {path.parent.name for path in ROOT.glob("workbench/*/__init__.py")}
    assert set(re.findall(r"^(\w+)/", house, re.MULTILINE)) == there


def test_public_names_are_public():
    table = rows(read("docs/howto/python.md"))[1:]
    named = [name for cells in table for name in re.findall(r"`(\w+)`", cells[0])]
    assert len(named) > 20
    assert [name for name in named if name not in workbench.__all__] == []


# --- Python -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["README.md", "docs/howto/python.md"])
def test_python_runs(name, monkeypatch, tmp_path, capsys, background_corpus, adaptation_corpus):
    def load(text, part="train"):
        return background_corpus if text == "scientific-docs" else adaptation_corpus

    monkeypatch.setattr(workbench, "load", load, raising=False)
    monkeypatch.chdir(tmp_path)
    (block,) = blocks(read(name), "python")
    exec(compile(block, name, "exec"), {})
    assert capsys.readouterr().out.strip()
    assert (tmp_path / "adapted.model").is_file()


# --- figures ------------------------------------------------------------------------------


def test_errors_in_the_readme_are_those_of_the_results():
    quoted = rows(section(read("README.md"), "Errors"))[1:]
    measured = rows(read("docs/lab/capitalization.md"))
    known = [cells[:8] for cells in measured]
    assert len(quoted) > 3
    assert [cells for cells in quoted if cells not in known] == []


def test_rivals_in_the_readme_are_those_of_the_results():
    quoted = rows(section(read("README.md"), "Beside other tools"))
    assert len(quoted) > 5
    assert quoted == rows(read("docs/lab/other-tools.md"))[: len(quoted)]


def test_times_in_the_readme_are_those_of_the_speed_page():
    quoted = rows(section(read("README.md"), "Speed"))
    quoted = [cells for cells in quoted if "×" in cells[-1]]
    measured = [" | ".join(cells) for cells in rows(read("docs/speed.md"))]
    assert len(quoted) > 5
    for _, ours, rival, ratio, aim in quoted:
        parts = f"| {ours}", f"| {rival.split(', ')[0]}", f"| {ratio} |", f"| {aim} |"
        assert any(all(part in line for part in parts) for line in measured), parts


def stale(text, pages):
    """Rows and figures of a text that stand on none of the pages, by their text."""
    there = "\n".join(pages)
    prose = re.sub(r"\]\([^)]*\)|`[^`]*`", "", re.sub(r"^(#|\|).*", "", text, flags=re.MULTILINE))
    figures = re.findall(r"\d+(?:[.,]\d+)*", prose)
    known = set(re.findall(r"\d+(?:[.,]\d+)*", there))
    rows_here = [line for line in text.split("\n") if line.startswith("|")]
    lines = set(there.split("\n"))
    return [x for x in rows_here if x not in lines] + [x for x in figures if x not in known]


def studies():
    """The sections of the results that quote a page of the lab: text and pages."""
    for text in re.split(r"^(?=##)", read("docs/results.md"), flags=re.MULTILINE):
        if links := re.findall(r"\]\((lab/[\w-]+\.md)", text):
            yield text, links


def test_the_results_quote_the_lab():
    found = list(studies())
    assert {path.name for path in LAB} == {Path(link).name for _, links in found for link in links}
    for text, links in found:
        assert stale(text, [read(f"docs/{link}") for link in links]) == [], links
    quoted = "".join(text for text, _ in found)
    tables = [line for line in read("docs/results.md").split("\n") if line.startswith("|")]
    assert [line for line in tables if line not in quoted] == []
    assert len(read("docs/results.md").encode()) <= 15_000


@pytest.mark.parametrize(("text", "left"), [
    ("## 2020\n1.5 % [of 3](b/4.md), `x 5`\n| a | 7 |", []), ("1.50 %", ["1.50"]),
    ("| a | 8 |", ["| a | 8 |"]),
])  # fmt: skip
def test_a_stale_figure_is_found(text, left):
    assert stale(text, ["In 3 of 9, 1.5 %.", "| a | 7 |"]) == left


def test_every_table_of_the_lab_has_its_command_day_and_commit():
    found = 0
    for path in LAB:
        text = path.read_text("utf-8")
        blocks = make_results.find_blocks(text)
        for block in blocks:
            assert f"\n*Made {block.date} by commit {block.commit}, in " in "\n" + block.text
            assert rows(block.text), block.command
        made = {line for block in blocks for line in block.text.split("\n")}
        assert [x for x in text.split("\n") if x.startswith("|") and x not in made] == []
        assert text.count("<!-- made ") == text.count("<!-- end -->") == len(blocks)
        found += len(blocks)
    assert found > 30


def test_a_table_of_the_lab_is_made_again_in_its_place(monkeypatch, tmp_path):
    old = make_results.Block("./run python -c 'print(1 + 1)'\n", "2020-01-01", "0000000", "-", "9")
    path = tmp_path / "study.md"
    path.write_text(f"Before.\n\n{make_results.show(old)}\n\nAfter.\n")
    monkeypatch.setattr(make_results, "LAB", tmp_path)
    monkeypatch.setattr("sys.argv", ["make_results.py"])
    make_results.main()
    (block,) = make_results.find_blocks(path.read_text())
    assert block.text.split() == make_results.show(block).split("-->")[1].split()[:-2]
    assert block.text.strip().endswith("\n2")
    assert path.read_text().startswith("Before.\n\n```sh\n./run python -c")
    assert path.read_text().endswith("<!-- end -->\n\nAfter.\n")
