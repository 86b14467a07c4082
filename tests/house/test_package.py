"""The installed package: what its metadata and its wheel are made of."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

import workbench

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def metadata():
    """What the build hook fills in."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = {}
    module.RequirementsHook(str(ROOT), {}).update(found)
    return found


def names(requirements):
    return [re.match(r"[\w.-]+", requirement)[0] for requirement in requirements]


def test_the_core_needs_neither_page_nor_charts_and_extras_are_those_of_the_files(metadata):
    core = names(metadata["dependencies"])
    assert set(core) == {"numpy", "scipy", "pandas", "numba", "nltk", "tqdm", "backports.zstd"}
    extras = metadata["optional-dependencies"]
    assert set(extras) == {"app", "serve", "cloud", "cluster", "test", "bench", "notebooks"}
    assert set(names(extras["app"])) == {"streamlit", "altair", "pillow"}
    assert set(names(extras["serve"])) == {"starlette", "uvicorn", "prometheus-client"}
    assert names(extras["notebooks"])[:2] == ["capitalization-workbench", "jupyterlab"]
    assert "pytest" in names(extras["test"])


def test_requirements_all_have_bounds(metadata):
    extras = metadata["optional-dependencies"]
    every = [*metadata["dependencies"], *extras["app"], *extras["serve"], *extras["cluster"]]
    assert [line for line in every if not re.search("~=|<", line)] == []


def test_the_wheel_holds_what_the_page_and_the_notebooks_need():
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert [path for path in wheel["force-include"] if not (ROOT / path).exists()] == []
    assert set(wheel["force-include"].values()) == {
        "workbench/share/app.py",
        "workbench/share/.streamlit/config.toml",
        "workbench/share/notebooks",
    }


def test_the_version_is_that_of_the_newest_changes():
    newest = re.search(r"(?m)^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert newest[1] == workbench.__version__


def test_the_page_answers_this_computer_alone():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["server"]["address"] == "localhost"
