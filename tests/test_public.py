"""What the package offers under its own name."""

import subprocess
import sys

import pytest

import workbench


@pytest.mark.parametrize("name", workbench.__all__)
def test_every_public_name_is_there_and_documented(name):
    thing = getattr(workbench, name)
    assert not callable(thing) or thing.__doc__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        workbench.nonsense  # noqa: B018


def test_the_core_needs_neither_page_nor_charts():
    code = (
        "import sys; from workbench import MEMM, adapt, open_session; "
        "print({'streamlit', 'altair', 'nltk'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
