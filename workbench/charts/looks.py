"""How charts look: colours, shapes and dashes by what they stand for.

Models and texts differ by shape and dash as well as by colour, and every
colour has a contrast of 3 to 1 or more with white and with the dark page.
"""

import altair as alt

MODELS = ("1-gram", "background", "adapted")
MODEL_COLORS = ("#858b95", "#4a83cf", "#12978a")
MODEL_SHAPES = ("diamond", "square", "circle")
TEXTS = ("adaptation text", "dev text", "test text")
TEXT_COLORS = ("#c47f22", "#12978a", "#a56bd6")
TEXT_DASHES = ([6, 3], [1, 0], [2, 2])
TEXT_SHAPES = ("square", "circle", "triangle-up")
QUIET, LINE = "#858b95", 2
QUIET_AXIS = {"gridOpacity": 0.6, "titleFontWeight": "normal", "titlePadding": 8}
OPEN = {"stroke": None}  # no frame around what is drawn


def title(text):
    """Return the title of a figure."""
    return alt.Title(text, anchor="start", frame="group", fontSize=13, fontWeight=600, offset=8)
