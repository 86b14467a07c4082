"""The file that says which genre each text is of."""

import pytest

from workbench.adaptation.methods.hierarchy import read_genres
from workbench.text.errors import InputError


@pytest.fixture
def file(tmp_path):
    def write(text):
        (tmp_path / "tree.toml").write_text(text)
        return tmp_path / "tree.toml"

    return write


def test_genres_are_in_the_order_of_the_texts_and_the_domain_is_last(file):
    path = file('news = ["wsj", "ap"]\nspeech = ["ted", "domain"]\n')
    assert read_genres(path, ["ted", "wsj", "ap"]) == ("speech", "news", "news", "speech")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('news = ["wsj", "ap"]', "'domain': each of wsj, ap, domain is to be there once"),
        ('news = ["wsj", "wsj", "ap", "domain"]', "'wsj': each of"),
        ('news = ["wsj", "ap", "domain", "bbc"]', "'bbc': each of"),
        ('news = "wsj"', "news: a list of texts"),
        ("news = [", "no TOML file that can be read"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(file, text, says):
    with pytest.raises(InputError, match=says):
        read_genres(file(text), ["wsj", "ap"])


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.toml: cannot be read"):
        read_genres(tmp_path / "none.toml", ["wsj"])
