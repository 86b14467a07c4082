"""The commands of experiments on a split: compare, sweep, ablate."""

import json

from command_texts import grid


def test_sweep_names_the_best_point(run, place):
    printed = run("sweep", *grid(place, "--sigma2", "0.01,1", "--cutoff", "0,none"))[1]
    assert [line.split()[:2] for line in printed.splitlines()[2:6]] == [
        ["0", "0.01"], ["0", "1"], ["none", "0.01"], ["none", "1"],
    ]  # fmt: skip
    assert printed.splitlines()[1].startswith("background")
    assert printed.splitlines()[-1].startswith("Fewest errors on dev: cutoff ")


def test_compare_takes_the_named_methods_once(run, place):
    options = ("--methods", "background, 1-gram,background", "--json")
    result = json.loads(run("compare", *grid(place, *options))[1])
    assert [row["name"] for row in result["models"]] == ["background", "1-gram"]


def test_compare_shows_what_was_chosen(run, place):
    printed = run("compare", *grid(place))[1]
    assert "templates ca04, cutoff 1, sigma2 5" in printed
    assert "seconds" in printed


def test_a_tree_of_genres_gives_the_hierarchy_a_level_with_its_own_variance(run, refuse, place):
    news, talk, tree = place / "news.txt", place / "talk", place / "tree.toml"
    texts = "--adapt", talk, "--dev", talk, "--test", talk, "--background-cutoff", "1"
    given = "--background", news, talk / "dev.txt", *texts, "--methods", "hierarchy"
    tree.write_text(f'news = ["{news}"]\nspeech = ["{talk}/dev.txt", "domain"]\n')
    (row,) = json.loads(run("compare", *given, "--tree", tree, "--json")[1])["models"]
    levels = {"sigma2_g", "sigma2_a", "sigma2_b", "sigma2_s", "sigma2_t"}
    searched = {name.split(".")[0] for name in row["hyper_parameters"]}
    assert searched == levels | {"weight", "text_weight"}
    tree.write_text(f'news = ["{news}", "domain"]\n')
    assert f"dev.txt': each of {news}, " in refuse("compare", *given, "--tree", tree)


def test_ablate_tells_what_each_template_is_worth(run, place):
    options = ("--templates", "currentword t-1 +shape", "--sigma2", "1")
    printed = run("ablate", *grid(place, *options, with_test=False))[1]
    assert printed.startswith("60 words of dev, sigma2 1\n")
    names = [line.split()[0] for line in printed.splitlines()[2:7]]
    assert names == ["templates", "all", "-currentword", "-t-1", "-shape"]
    assert "No significant difference: " in printed
    printed = run("ablate", *grid(place, *options, "--json", "--each", "added", with_test=False))[1]
    assert [row["name"] for row in json.loads(printed)["rows"]] == ["ca04", "+shape"]
