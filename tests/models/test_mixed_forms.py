"""Forms of words in mixed case: counts in background and domain, and which one is written."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_files import members_of, rewrite, write_members
from strategies import steady

from workbench.adaptation.adaptation import adapt
from workbench.models.adapter import save_adapter
from workbench.models.files import read_parts
from workbench.models.kinds import load_model
from workbench.models.mixed_forms import (
    DOMAIN_WEIGHT,
    FormCounts,
    MixedForms,
    count_mixed_forms,
    join_mixed_forms,
)
from workbench.text.casing import Tag, tag_of, wipe_case
from workbench.text.corpus import Corpus
from workbench.text.errors import InputError

texts = st.lists(
    st.sampled_from(["iPhone", "IPhone", "iPHONE", "eBay", "EBay", "and"]), max_size=40
)


def corpus_of(words):
    return Corpus.from_sentences([["the", *words]])


def mixed(words):
    return [word for word in words if tag_of(word) == Tag.MXC]


@steady
@given(texts, texts, texts)
def test_the_form_written_has_the_most_occurrences_of_which_those_of_the_domain_count_tenfold(
    background, first, second
):
    forms = join_mixed_forms(
        count_mixed_forms(corpus_of(background)), count_mixed_forms(corpus_of(first))
    )
    twice = join_mixed_forms(forms, count_mixed_forms(corpus_of(second)))
    for found, before, domain in ((forms, background, first), (twice, background + first, second)):
        seen = list(dict.fromkeys(mixed(before + domain)))
        b, d = Counter(mixed(before)), Counter(mixed(domain))
        assert found.counts == {form: (b[form], d[form]) for form in seen}
        for word in {wipe_case(form) for form in seen}:
            own = [form for form in seen if wipe_case(form) == word]
            best = max(own, key=lambda f: (DOMAIN_WEIGHT * d[f] + b[f], d[f], -seen.index(f)))
            assert found[word] == best
            assert next(iter(found.forms_of(word))) == best
            assert set(found.forms_of(word.upper())) == set(own)


def test_a_slip_of_the_domain_does_not_outweigh_the_background():
    background = MixedForms({"McDonald": FormCounts(50)})
    for slips, written in ((4, "McDonald"), (5, "MCDonald")):
        domain = MixedForms({"MCDonald": FormCounts(slips)})
        assert join_mixed_forms(background, domain)["mcdonald"] == written


@pytest.fixture
def files(background, adaptation_corpus, tmp_path):
    """A background that writes IPhone and one adapted, as a model and as an adapter."""
    forms = join_mixed_forms(background.mixed_forms, MixedForms({"IPhone": FormCounts(3)}))
    background = replace(background, mixed_forms=forms)
    adapted = adapt(background, adaptation_corpus, 1.0)
    background.save(tmp_path / "b.model")
    adapted.save(tmp_path / "a.model")
    save_adapter(adapted, background, tmp_path / "b.model", tmp_path / "a.adapter")
    return adapted, tmp_path


def test_files_keep_the_counts(files, run):
    adapted, folder = files
    n = adapted.mixed_forms.counts["iPhone"].domain
    for name in ("a.model", "a.adapter"):
        assert load_model(folder / name).mixed_forms.counts == adapted.mixed_forms.counts
        status, printed, _ = run("inspect", folder / name, "--word", "iphone")
        assert status == 0
        assert f"iPhone (domain {n}, background 0), IPhone (domain 0, background 3)" in printed
    assert "none in mixed case was seen" in run("inspect", folder / "a.model", "--word", "x")[1]


def test_a_file_without_counts_has_its_forms(files):
    adapted, folder = files
    path = folder / "a.model"
    chosen, members = dict(adapted.mixed_forms), members_of(path)
    members["mixed_words.txt"] = "\n".join(chosen).encode()
    members["mixed_forms.txt"] = "\n".join(chosen.values()).encode()
    del members["mixed_counts.txt"]
    write_members(path, members)
    assert "mixed_counts" not in read_parts(path)[2]
    assert load_model(path).mixed_forms == chosen


@pytest.mark.parametrize("counts", ["-1 2", "1", "1 2 3", "x 1", "9" * 50 + " 1", "²  1"])
def test_counts_that_are_none_are_refused(files, counts, refuse):
    path = files[1] / "a.model"
    _, *others = members_of(path)["mixed_counts.txt"].split(b"\n")
    rewrite(path, mixed_counts_txt=lambda data: b"\n".join([counts.encode(), *others]))
    with pytest.raises(InputError, match=f"{path}: a damaged .* counts of a form"):
        load_model(path)
    assert f"{path}: a damaged" in refuse("inspect", path, "--word", "iphone")
