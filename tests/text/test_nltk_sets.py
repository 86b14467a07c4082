"""NLTK's corpora, read by NLTK's readers from small corpora in NLTK's own formats."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import nltk.corpus
import nltk.data
import pytest
from nltk.downloader import Downloader

from workbench.text.errors import InputError
from workbench.text.sets import nltk_sets, registry, storage

BROWN = """

\tThe/at Fulton/np-tl County/nn-tl jury/nn didn't/dod* say/vb so/rb ./.


\tWho/wps asked/vbd it/ppo ?/. ?/.

\tHEADLINE/nn WITHOUT/in MARK/nn
"""
TREEBANK = """
( (S
    (NP-SBJ-1 (NNP Pierre) (NNP Vinken) )
    (VP (VBD wanted)
      (S (NP-SBJ (-NONE- *-1) )
        (VP (TO to) (VP (VB join) (NP (CD 1\\/2) (-LRB- -LRB-) (NNP IBM) (-RRB- -RRB-) )))))
    (. .) ))
"""
CONLL = "Mr. NNP B-NP\nCarlucci NNP I-NP\njoined VBD B-VP\nIBM NNP B-NP\n. . O\n\n"
REUTERS = """ASIAN EXPORTERS FEAR DAMAGE FROM U.S. RIFT
  Mounting trade friction between the U.S. and
  Japan has raised fears. The U.S. Oil industry fell.
"""
ABC = "Farmers in Western Australia wait.\n\nThe ABC's Anna Smith, in Perth, reports today.\n"


def write_corpora(root):
    """Write a small corpus of each format."""
    files = {
        "brown/ca01": BROWN, "brown/cats.txt": "ca01 news\n",
        "treebank/combined/wsj_0001.mrg": TREEBANK,
        "conll2000/train.txt": CONLL * 2, "conll2000/test.txt": CONLL,
        "reuters/training/1": REUTERS, "reuters/cats.txt": "training/1 trade\n",
        "abc/rural.txt": ABC, "abc/science.txt": "Caf\xe9 owners in Rome, Italy, like it.\n",
    }  # fmt: skip
    for name, text in files.items():
        path = root / "corpora" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("latin-1"))
    with zipfile.ZipFile(root / "corpora" / "inaugural.zip", "w") as archive:
        for i in range(40):
            text = f"Citizens of America, I give speech {i} in Ohio.\n"
            archive.writestr(f"inaugural/{1789 + 4 * i}-Name.txt", text)


@pytest.fixture(scope="module")
def corpora(tmp_path_factory):
    """Make a data folder of NLTK, and NLTK reads it as long as it is there."""
    root = tmp_path_factory.mktemp("nltk_data")
    write_corpora(root)
    before, nltk.data.path[:] = nltk.data.path[:], [str(root)]
    yield root
    nltk.data.path[:] = before
    for chosen in nltk_sets.NLTK_SETS.values():
        getattr(nltk.corpus, chosen.corpus)._unload()


@pytest.fixture
def home(corpora, tmp_path, monkeypatch):
    """Put an empty folder in place of the project's data."""
    monkeypatch.setattr(storage, "DATA", tmp_path)
    monkeypatch.delenv("WORKBENCH_DATA", raising=False)
    monkeypatch.delenv("WORKBENCH_CACHE", raising=False)
    return tmp_path


def test_each_corpus_is_read_as_written_be_it_in_a_zip_file(corpora):
    assert nltk_sets.sentences("nltk-brown") == [
        ["The", "Fulton", "County", "jury", "did", "n't", "say", "so", "."],
        ["Who", "asked", "it", "?", "?"],
    ]
    words = ["Pierre", "Vinken", "wanted", "to", "join", "1/2", "(", "IBM", ")", "."]
    assert nltk_sets.sentences("nltk-treebank") == [words]
    assert nltk_sets.sentences("nltk-conll2000") == [["Mr.", "Carlucci", "joined", "IBM", "."]] * 3
    text = "Mounting trade friction between the U.S. and Japan has raised fears ."
    assert nltk_sets.sentences("nltk-reuters") == [text.split()]
    assert [" ".join(s) for s in nltk_sets.sentences("nltk-abc")] == [
        "Farmers in Western Australia wait .",
        "The ABC 's Anna Smith , in Perth , reports today .",
        "Café owners in Rome , Italy , like it .",
    ]
    assert nltk_sets.is_here("nltk-inaugural")
    assert len(nltk_sets.documents("nltk-inaugural")) == 40


def test_documents_are_not_torn_apart_where_there_are_many(corpora, tmp_path):
    nltk_sets.write_nltk("nltk-inaugural", tmp_path / "out")
    sizes = [len((tmp_path / "out" / f"{p}.txt").read_text().split("\n\n")) - 1
             for p in ("train", "dev", "test")]  # fmt: skip
    assert sum(sizes) == 40
    assert min(sizes) >= 4
    assert max(sizes) == sizes[0]


def test_steps_are_told_while_reading(corpora):
    steps = []
    nltk_sets.documents("nltk-inaugural", lambda *step: steps.append(step))
    assert steps == [(0, 40, "reading nltk-inaugural"), (25, 40, "reading nltk-inaugural")]


def test_a_corpus_is_loaded_by_its_name_and_kept_and_one_not_here_says_how_to_get_it(home):
    corpus = registry.load("nltk-inaugural", "train")
    assert corpus.name == "nltk-inaugural"
    assert corpus.n_sentences >= 20
    known = registry.find_data_set("nltk-inaugural")
    assert known.is_here
    assert known.location.is_relative_to(home)
    assert known.n_bytes > 0
    assert not registry.find_data_set("nltk-gutenberg").is_here
    with pytest.raises(InputError, match=r"nltk-gutenberg: not on this machine.*NLTK_DATA"):
        registry.load("nltk-gutenberg")


def test_fetching_without_a_connection_is_one_clear_line(corpora, monkeypatch):
    monkeypatch.setattr(Downloader, "DEFAULT_URL", "https://server.invalid/index.xml")
    with pytest.raises(InputError, match=r"cannot be fetched.*connection") as caught:
        nltk_sets.fetch("nltk-gutenberg")
    assert "\n" not in str(caught.value)


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], check=False,
        capture_output=True, text=True,
    )  # fmt: skip


def test_the_downloader_prints_nothing_of_its_own():
    done = run(
        "from nltk.downloader import Downloader as D; D.DEFAULT_URL = 'https://server.invalid/x'\n"
        "from workbench.text import errors; from workbench.text.sets import nltk_sets\n"
        "try: nltk_sets.fetch('nltk-gutenberg')\n"
        "except errors.InputError: print('said')\n"
    )
    assert (done.stdout, done.stderr) == ("said\n", "")


def test_nltk_is_not_imported_before_it_is_needed():
    done = run(
        "import sys; from workbench.text.sets import registry; "
        "registry.find_data_set('streamlit-docs'); sys.exit('nltk' in sys.modules)"
    )
    assert (done.returncode, done.stderr) == (0, "")


LOOKS = """
import sys
from workbench.text.sets import nltk_sets
places = nltk_sets.places()
nltk_sets.places = lambda: places[:1]  # that of the home: there may be others
print(nltk_sets.is_here("nltk-inaugural"), "nltk" in sys.modules)
import nltk.data
print({*nltk.data.path} <= {*map(str, places)})
"""


@pytest.mark.skipif(os.name == "nt", reason="there NLTK is asked at once")
def test_nltk_is_imported_where_it_has_a_folder_and_not_where_it_has_none(tmp_path):
    kept = {name: text for name, text in os.environ.items() if name != "NLTK_DATA"}

    def look():
        command, home = [sys.executable, "-c", LOOKS], kept | {"HOME": str(tmp_path)}
        return subprocess.run(command, env=home, capture_output=True, text=True).stdout.split()

    assert look() == ["False", "False", "True"]  # where it looks, we look, too
    folder = tmp_path / "nltk_data" / "corpora" / "inaugural"
    folder.mkdir(parents=True)
    (folder / "1789-Washington.txt").write_text("Fellow Citizens .")
    assert look() == ["True", "True", "True"]
