"""How the papers' tables on tiny texts are made, and how to find their rows."""

OPTIONS = {"templates": "ca04", "cutoff": 1, "sigma2": 5.0}


def rows_of(tables, name, **chosen):
    """Rows of a table that have the chosen values."""
    return [r for r in tables[name].rows if all(r[key] == x for key, x in chosen.items())]
