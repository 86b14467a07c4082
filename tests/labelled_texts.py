"""Small texts with chunks and parts of speech, as files and as corpora."""

import pytest

from workbench.text.readers import read_corpus

NEWS = """\
Confidence NN B-NP
in IN B-PP
the DT B-NP
pound NN I-NP
fell VBD B-VP
. . O

He PRP B-NP
was VBD B-VP
widely RB I-VP
expected VBN I-VP

The DT B-NP
pound NN I-NP
rose VBD B-VP
in IN B-PP
May NNP B-NP
"""
TALK = """\
In IN B-PP
vitro FW B-ADVP
binding NN B-NP
rose VBD B-VP
. . O

The DT B-NP
pound NN I-NP
fell VBD B-VP
"""
SPEECH = "He PRP PRON\nran VBD VERB\n. . PUNCT\n\nRun VB VERB\n"


def write(path, text):
    """Write text to a file whose folder may be missing; returns its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(scope="session")
def labelled(tmp_path_factory):
    """A folder of data sets: chunks of news and of talk, parts of speech."""
    folder = tmp_path_factory.mktemp("labels")
    for part in ("train", "dev", "test"):
        write(folder / "news" / f"{part}.iob", NEWS)
        write(folder / "talk" / f"{part}.iob", TALK)
        write(folder / "speech" / "us" / f"{part}.tag", SPEECH)
    return folder


@pytest.fixture(scope="session")
def news(labelled):
    """Three sentences with chunks."""
    return read_corpus(labelled / "news")


@pytest.fixture(scope="session")
def talk(labelled):
    """Two sentences with chunks, one of a kind that the news has not."""
    return read_corpus(labelled / "talk")
