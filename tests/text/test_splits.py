"""Splits: groups stay whole, no sentence stands in two parts, what is kept names its code."""

from workbench.text.sets.splits import (
    PARTS,
    digest_of,
    drop_repeats,
    repeat_key,
    split_groups,
    write_parts,
)


def test_modules_are_split_whole_in_any_order_and_a_huge_one_goes_to_train():
    groups = {f"m{i}": [f"sentence {i} {j}" for j in range(9)] for i in range(60)}
    parts = split_groups(groups)
    for part in PARTS:
        modules = {sentence.split()[1] for sentence in parts[part] if sentence}
        assert len(parts[part]) == 10 * len(modules)
        assert parts[part][9::10] == [""] * len(modules)
    assert 5 <= len(parts["test"]) / 10 <= 9
    groups = {f"m{i}": [f"sentence {i}"] for i in range(60)}
    backward = dict(reversed(groups.items()))
    for part, found in split_groups(backward).items():
        assert sorted(found) == sorted(split_groups(groups)[part])
    groups = {"huge": ["word " * 500], **{f"m{i}": ["word"] for i in range(50)}}
    assert groups["huge"][0] in split_groups(groups)["train"]


def test_repeats_stay_in_test_rather_than_dev_and_train():
    train = ["A b .", "", "C d .", "E f .", ""]
    kept = drop_repeats({"train": train, "dev": ["a B .", "C d ."], "test": ["The b .", ""]})
    assert kept == {"test": ["The b .", ""], "dev": ["C d ."], "train": ["", "E f .", ""]}
    parts = {"train": ["A b .", "C d ."], "dev": [], "test": ["E f ."]}
    kept = drop_repeats(parts, {repeat_key("The B ."), repeat_key("E f .")})
    assert kept == {"test": [], "dev": [], "train": ["C d ."]}


def test_an_empty_part_is_not_written(tmp_path):
    write_parts(tmp_path / "a" / "b", {"train": ["A b .", "Café ."], "dev": [""]})
    assert [file.name for file in (tmp_path / "a" / "b").iterdir()] == ["train.txt"]
    assert (tmp_path / "a" / "b" / "train.txt").read_text("utf-8") == "A b .\nCafé .\n"


def test_a_digest_differs_by_modules_and_state():
    digests = {digest_of(), digest_of("sets/splits"), digest_of("tokens"), digest_of(state="now")}
    assert len(digests) == 4
    assert digest_of("sets/splits", state="now") == digest_of("sets/splits", state="now")
