"""Charts: the right numbers in the tables, specifications that never change."""

import pandas as pd
import pytest

from workbench import charts
from workbench.charts import looks
from workbench.views.private import SHEET

CURVE = pd.DataFrame(
    {
        "cutoff": 0,
        "sigma2": [0.01, 1.0, 100.0],
        "new_features": 7,
        "free_weights": 9,
        "log_likelihood": [-90.0, -40.0, -10.0],
        "train_error_rate": [0.03, 0.01, 0.0],
        "dev_error_rate": [0.04, 0.02, 0.03],
        "test_error_rate": [0.05, 0.03, 0.04],
        "converged": True,
        "seconds": 0.1,
    }
)


def _row(name, wrong, interval=None):
    per_tag = {
        "LOC": {"recall": 0.9, "support": 50},
        "CAP": {"recall": 0.5, "support": 10},
        "PNC": {"recall": 1.0, "support": 40},
        "MXC": {"recall": None, "support": 0},
    }
    row = {"name": name, "error_rate": wrong / 100, "wrong": wrong, "per_tag": per_tag}
    return row | ({"versus": {"interval": interval}} if interval else {})


MODELS = [_row("1-gram", 8, [0.5, 1.5]), _row("background", 4), _row("adapted", 2, [-0.75, -0.25])]


def test_a_curve_has_a_line_a_text_and_a_rule_a_fixed_model_but_no_test_text():
    table = charts.curve_table(CURVE, MODELS, 1.0)
    lines = table[table["kind"] == "line"]
    assert lines["series"].unique().tolist() == ["adaptation text", "dev text"]
    assert lines["error"].tolist() == [0.03, 0.01, 0.0, 0.04, 0.02, 0.03]
    rules = table[table["kind"] == "rule"]
    assert rules["series"].tolist() == ["1-gram 8.00\u00a0%", "background 4.00\u00a0%"]
    assert "test_error_rate" not in table
    assert "test text" not in table["series"].tolist()


def test_present_and_best_are_marked_the_best_the_smallest_of_equals():
    table = charts.curve_table(CURVE, MODELS, 100.0)
    assert table.loc[table["current"], "sigma2"].unique().tolist() == [100.0]
    assert table.loc[table["best"], "sigma2"].tolist() == [1.0]
    assert charts.best_sigma2(CURVE) == 1.0
    assert charts.best_sigma2(CURVE.assign(dev_error_rate=0.1)) == 0.01


def test_intervals_are_of_the_change_from_the_background_if_defined():
    table = charts.error_table(MODELS).set_index("model")
    assert table.loc["adapted", ["low", "high"]].tolist() == pytest.approx([0.01, 0.03])
    assert table.loc["background", ["low", "high"]].isna().all()
    table = charts.error_table([*MODELS[:2], _row("adapted", 2, [None, None])])
    assert table["low"].isna().tolist() == [False, True, True]


def test_tags_without_errors_or_words_are_left_out():
    table = charts.tag_table(MODELS)
    assert table["tag"].unique().tolist() == ["LOC", "CAP"]
    assert table.loc[table["model"] == "adapted", "wrong"].tolist() == [5, 5]


METHODS = [
    {"name": "background", "error_rate": 0.03, "error_interval": [0.02, 0.04], "gain": None},
    {"name": "map", "error_rate": 0.02, "error_interval": [0.01, 0.03],
     "gain": {"from_background": "gain is significant", "to_best": None}},
]  # fmt: skip
ABLATION = [
    {"name": "all"},
    {"name": "-shape", "relative_change": 0.1, "interval": [0.05, 0.2],
     "says": "loss is significant"},
]  # fmt: skip
MATRIX = [
    {"trained_on": name, "tested_on": "news", "error": 0.1, "change": change, "says": says}
    for name, change, says in (
        ("1-gram", None, None), ("background", -0.3, "gain is significant"),
        ("news", 0.001, "gain is not significant"), ("talk", 0.2, "loss is significant"),
    )
]  # fmt: skip
GRID = pd.DataFrame([[0.1, 0.2], [0.5, 0.9]], ["a", "b"], ["c", "d"])
MOVES = pd.DataFrame({"name": ["a"], "before": [1.0], "after": [2.0]})
SYSTEMS = [{"system": s, "tested_on": t, "accuracy": 0.9} for s in "ab" for t in "cd"]
X, Y = ("sigma2", "σ²"), ("dev_error_rate", "errors")
ALL = {
    "figure 1 dev": charts.draw_figure1(CURVE, MODELS, 1.0)[0].to_dict(),
    "likelihood": charts.draw_figure1(CURVE, MODELS, 1.0)[1].to_dict(),
    "errors": charts.draw_errors(MODELS).to_dict(),
    "tags": charts.draw_errors_by_tag(MODELS).to_dict(),
    "bench": charts.draw_bench(METHODS).to_dict(),
    "methods": charts.draw_methods(METHODS, "heading").to_dict(),
    "ablation": charts.draw_ablation(ABLATION).to_dict(),
    "matrix": charts.draw_paper("6", MATRIX)[0].to_dict(),
    "lines": charts.draw_lines(CURVE, X, Y, "heading").to_dict(),
    "grid": charts.draw_grid(GRID, "heading").to_dict(),
    "moves": charts.draw_moves(MOVES, "heading").to_dict(),
}
LEAST_OF_TEXT, LEAST_OF_MARKS = 4.5, 3.0


def luminance(color):
    """Relative luminance of "#rrggbb", as WCAG 2 defines it."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def found(spec, wanted):
    """All values in a specification, at any depth, whose key is wanted."""
    if isinstance(spec, dict):
        for key, value in spec.items():
            if wanted(key):
                yield value
            yield from found(value, wanted)
    elif isinstance(spec, list):
        for part in spec:
            yield from found(part, wanted)


def text_marks(spec):
    return [layer for layer in spec["layer"] if layer["mark"].get("type") == "text"]


@pytest.mark.parametrize("name", ALL)
def test_text_is_large_enough_and_has_the_ink_of_the_page(name):
    config = ALL[name]["config"]
    for part in ("axis", "legend", "header"):
        assert {config[part]["labelFontSize"], config[part]["titleFontSize"]} == {13}
    assert config["text"]["fontSize"] == 13
    assert min(found(ALL[name], lambda key: key.lower().endswith("fontsize"))) >= 13
    for layer in text_marks(ALL[name]):
        if not layer.get("name", "").startswith(looks.INSIDE):
            assert "color" not in layer["mark"]
            assert "color" not in layer["encoding"]
    own = set(found(ALL[name], lambda key: key in {"labelColor", "titleColor"}))
    assert own == {looks.LABEL_INK["light"]}


@pytest.mark.parametrize("theme", looks.PAGES)
def test_ink_is_read_on_its_page(theme):
    page = looks.PAGES[theme]
    assert contrast(looks.INK[theme], page) >= LEAST_OF_TEXT
    assert contrast(looks.LABEL_INK[theme], page) >= LEAST_OF_TEXT


@pytest.mark.parametrize("effect", looks.EFFECT_COLORS)
def test_white_is_read_on_the_cells_of_the_matrix(effect):
    assert contrast("#ffffff", looks.EFFECT_COLORS[effect]) >= LEAST_OF_TEXT


def test_numbers_are_read_on_every_shade_of_a_grid():
    (layer,) = text_marks(ALL["grid"])
    color = layer["encoding"]["color"]
    edge = float(color["condition"]["test"].rpartition(" ")[2])
    scale = ALL["grid"]["layer"][0]["encoding"]["color"]["scale"]
    (low, high), ends = scale["domain"], scale["range"]
    for step in range(101):
        value = low + step / 100 * (high - low)
        parts = [[int(end[i : i + 2], 16) for i in (1, 3, 5)] for end in ends]
        shade = [round(a + step / 100 * (b - a)) for a, b in zip(*parts, strict=True)]
        ink = "#ffffff" if value > edge else color["value"]
        assert contrast(ink, "#{:02x}{:02x}{:02x}".format(*shade)) >= LEAST_OF_TEXT
    assert color["condition"]["value"] == "white"


@pytest.mark.parametrize("role", charts.role_colors())
def test_marks_are_seen_on_both_pages(role):
    for page in looks.PAGES.values():
        assert contrast(charts.role_colors()[role], page) >= LEAST_OF_MARKS


@pytest.mark.parametrize("name", ["figure 1 dev", "likelihood", "errors", "tags"])
def test_every_layer_has_a_name_of_its_own(name):
    names = [layer["name"] for layer in ALL[name]["layer"]]
    assert len(set(names)) == len(names)
    assert not [view for view in names if view.startswith("view_")]


def test_models_differ_by_shape_as_well_as_by_colour():
    scales = {}
    for layer in ALL["tags"]["layer"]:
        for channel in ("color", "shape"):
            if "scale" in layer["encoding"].get(channel, {}):
                scales[channel] = layer["encoding"][channel]["scale"]["range"]
    assert len(set(scales["shape"])) == len(set(scales["color"])) == 3


def test_figures_for_a_notebook_hold_their_data():
    for figure in (
        *charts.draw_figure1(CURVE, MODELS, 1.0),
        charts.draw_errors(MODELS),
        charts.draw_errors_by_tag(MODELS),
    ):
        assert figure.to_dict()["datasets"]


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_the_page_has_the_ink_of_charts_and_every_role_a_colour():
    for ink in (looks.INK, looks.LABEL_INK):
        assert f"light-dark({ink['light']}, {ink['dark']})" in SHEET
    assert list(charts.role_colors()) == [
        "1-gram", "background", "adapted", "fixed", "broken", "still wrong", "misspelled",
        "adaptation text", "dev text", "test text",
    ]  # fmt: skip
