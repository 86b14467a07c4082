"""All that the scrubber shows, as one dict for the browser: a path and what is said of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pandas as pd

from workbench.evaluation.number_words import counted
from workbench.experiments.movers import describe_subset
from workbench.experiments.session import Session
from workbench.experiments.surface import Point, describe_grid, grid_points
from workbench.scrub.slider import make_payload
from workbench.settings import PRESETS, SETTINGS, SIGMA2_GRID, Settings
from workbench.text.errors import InputError

TAG_NAMES = (
    ("LOC", "lower case"), ("CAP", "Capitalized"), ("MXC", "miXed"), ("AUC", "ALL CAPITALS"),
    ("PNC", "punctuation"),
)  # fmt: skip


def make_view(
    session: Session, settings: Settings, *, explained: Mapping | None = None,
    only: Collection[int] | None = None, status: str = "", lesson: Mapping | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return what the browser module takes, ready for JSON.

    Parameters
    ----------
    settings : Settings
        Where the sliders stand, which words are shown, which one is explained, what is pinned.
    explained : dict, optional
        ``why``, ``path`` and ``because`` of the word in the settings.
    only : collection of int, optional
        Positions of the words of the part of the text that the settings name.
    status : str
        What the page is busy with, in a few words.
    lesson : dict, optional
        Of the lesson's step: ``ring``, the part of the scrubber that it speaks of ("slider",
        "cutoff", "curve", "cards", "text", "because", "tags", "grid" or ""); ``veil``,
        what is hidden because it answers a question: "curve", "counts", the curve and how many
        words change, "dev", the figures of the dev text, "effects" of sentences, or "";
        ``scale``, "one" where both texts have one, "dev" where dev is drawn alone; ``beside``,
        what is drawn in place of the curve, or None; ``asks``, whether its question is open;
        ``path``, whether an answer shows the path to a tag; ``step``, its number.
    """
    names, text = ("sigma2", "cutoff", "show", "lecture"), SETTINGS["sigma2"].text
    pins = parse_pins(settings.pin)
    at: dict[str, Any] = {name: SETTINGS[name].text(getattr(settings, name)) for name in names}
    at |= {
        "pair": settings.pair.split(">") if ">" in settings.pair else None,
        "word": find_word(session, settings),
        "pin": "; ".join(f"{text(p.sigma2)}, {SETTINGS['cutoff'].text(p.cutoff)}" for p in pins),
    }  # fmt: skip
    return {
        "payload": make_payload(session, settings.cutoff, settings.part, settings.sigma2),
        "at": at, "lesson": lesson, "ring": lesson["ring"] if lesson else "",
        "grid": make_grid(session, SETTINGS["cutoff"].allowed),
        "series": {
            "cut-off": at["cutoff"], "model": session.background.kind.upper(),
            "background": session.background.info["name"], "templates": settings.templates,
            "sentences": "with " + counted(
                session.corpora["train"].n_sentences - len(session.dropped), "sentences"
            ),
        },
        "cutoffs": [SETTINGS["cutoff"].text(value) for value in SETTINGS["cutoff"].allowed],
        "presets": [asdict(p) | {"sigma2": p.sigma2 and text(p.sigma2)} for p in PRESETS],
        "tagNames": TAG_NAMES if session.task.recases else (),
        "intro": session.introduction, "status": status, "explained": explained,
        "only": None if only is None else [int(position) for position in only],
        "onlyName": describe_subset(settings.slice),
        "pinned": _pinned(session, settings),
    }  # fmt: skip


def make_grid(session: Session, cutoffs: Sequence[int | None]) -> dict[str, Any]:
    """Return the map of sigma^2 and some cut-offs: what it ``says``, and its ``cells``.

    Cells are the points that are fitted, each with its ``error`` on dev, whether it is the ``best``
    of them, ``p`` and whether it is ``near`` that, and the ``simplest``; see ``grid_points``.
    """
    text, points = SETTINGS["cutoff"].text, grid_points(session, cutoffs)
    known = points.dropna(subset="error")
    names = "cutoff", "sigma2", "error", "p", "near_best", "best", "simplest"
    columns = (known[name].tolist() for name in names)
    cells = [
        {"cutoff": text(None if cutoff is pd.NA else cutoff), "i": SIGMA2_GRID.index(sigma2),
         "error": error, "p": p, "near": near, "best": best, "simplest": simplest}
        for cutoff, sigma2, error, p, near, best, simplest in zip(*columns, strict=True)
    ]  # fmt: skip
    return {"says": describe_grid(points, session.quality_name), "cells": cells}


def find_word(session: Session, settings: Settings) -> int | None:
    """Return the position of the word that a link names; None if it names none that is here."""
    form, _, number = settings.word.rpartition(" · ")
    n_units = len(session.background_tags(settings.part))
    if not (number.isdecimal() and len(number) < 10 and int(number) < n_units):
        return None
    position = int(number)
    return position if form in session.names_of(settings.part, position) else None


def parse_pins(text: str) -> list[Point]:
    """Return the pinned states of a text such as "0.1, 0; 10, none"; none of an empty one.

    InputError if one of them is no state.
    """
    values = [each.partition(",") for each in text.split(";") if text]
    sigma2, cutoff = (SETTINGS[name].parse for name in ("sigma2", "cutoff"))
    try:
        return [Point(cutoff(right.strip()), sigma2(left.strip())) for left, _, right in values]
    except ValueError:
        says = "allowed are a σ² and a cut-off of the sliders, as in “0.1, 5”; nothing is pinned"
        raise InputError(f"pin={text[:40]}: {says}") from None


def _pinned(session, settings):
    """Return the state pinned last: what it gets wrong, its tags of that, and its error on dev."""
    if not (pins := parse_pins(settings.pin)):
        return None
    place = pins[-1]
    fit, part = session.adaptation(place.cutoff).at(place.sigma2), settings.part
    tags = fit.tags[part]
    return {
        "sigma2": SETTINGS["sigma2"].text(place.sigma2),
        "cutoff": SETTINGS["cutoff"].text(place.cutoff),
        "wrong": int(session.is_wrong(part, tags).sum()), "dev": fit.describe()["dev_error_rate"],
        "tags": session.tags_by_position(part, tags),
    }  # fmt: skip
