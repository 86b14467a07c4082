"""Candidate sets that a visitor uploads: as background, as domain, and those that are refused."""

import gzip

import pytest
from candidate_genres import QUERY, write_genres
from pages import html_of, make_page

from workbench.features.candidates.uploaded_files import read_uploaded_sets
from workbench.text.errors import InputError


@pytest.fixture(scope="module")
def data(data):
    write_genres(data)
    return data


def upload(app, *files):
    app.get("file_uploader")[0].set_value([(file.name, file.read_bytes(), "") for file in files])
    return app.run()


def test_uploads_are_background_and_domain(data):
    folder = data / "parses"
    app = make_page(**QUERY).run()
    app.segmented_control(key="use of candidates").set_value("background")
    upload(app, folder / "news" / "dev.svm")
    assert "40 sentences to train on; a background needs 50" in plain_errors(app)
    upload(app, *(folder / "news" / f"{part}.svm" for part in ("train", "dev", "test")))
    assert not app.error
    assert app.selectbox(key="background").value == "candidate sets (yours)"
    app.segmented_control(key="use of candidates").set_value("domain")
    upload(app, *(folder / "talk" / f"{part}.svm" for part in ("train", "dev")))
    assert not app.error
    assert app.selectbox(key="domain").value == "candidate sets, domain (yours)"
    session = app.session_state["last good result"][1]
    assert session.background.info["sentences"] == 60
    assert [session.corpora[part].n_sentences for part in ("train", "dev", "test")] == [60, 20, 20]
    assert "train sentences 60" in html_of(app)
    app.segmented_control(key="section").set_value("take away").run()
    assert "open_candidate_session('my-background', 'my-domain')" in app.code[0].value
    next(b for b in app.button if b.label == "Remove").click().run()
    assert app.selectbox(key="background").value.endswith("-recasings")  # of the domain's task


def plain_errors(app):
    return " ".join(e.value for e in app.error).replace("\\", "").replace("\u200b", "")


def test_a_bad_upload_names_file_and_line(data):
    app = make_page(**QUERY).run()
    bad = data / "bad.svm"
    bad.write_text("1 qid:1 1:1\nnonsense\n")
    upload(app, bad)
    assert "bad.svm: line 2" in plain_errors(app)
    assert app.selectbox(key="domain").value == QUERY["domain"]


def test_files_that_belong_together_make_parts():
    tadm, svm = b"2\n0.25 2 0 1 7 0.5\n0.75 0\n\n", b"1 qid:1 1:1\n0 qid:1 2:1\n" * 2
    name, parts = read_uploaded_sets({"any.events.gz": gzip.compress(tadm)})
    assert (name, list(parts), len(parts["train"])) == ("any.events", ["train"], 2)
    files = {f"a-{part}.svm": svm for part in ("train", "dev")}
    name, parts = read_uploaded_sets(files | {"features.txt": b"1\tw=x\n2\tw=y\n"})
    assert (name, list(parts)) == ("a", ["train", "dev"])
    assert set(parts["dev"].feature_names) == {"w=x", "w=y"}


@pytest.mark.parametrize(
    ("names", "complaint"),
    [(["a-train.svm", "a-test.svm"], "train and dev, or train, dev and test make a set"),
     (["a.svm", "b.svm"], "a.svm, b.svm: a single file"), (["features.txt"], "no file in .svm"),
     (["train.svm", "notes.txt"], "notes.txt: candidate sets end in .svm or .events; beside")],
)  # fmt: skip
def test_files_that_make_no_set_are_named(names, complaint):
    with pytest.raises(InputError, match=complaint):
        read_uploaded_sets(dict.fromkeys(names, b"1 qid:1 1:1\n"))
