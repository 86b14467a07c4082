"""Lessons on texts that lack what a step speaks of: the step differs or is left out."""

import pytest

from workbench.views.lessons.lessons import all_lessons

NOTHING = {"fixed_link": "", "broken_link": ""}


@pytest.mark.parametrize(("name", "n_left_out"), [("tags", 0), ("leash", 0), ("transfer", 1)])
def test_without_changed_words_a_lesson_is_told_otherwise(name, n_left_out):
    lesson = all_lessons()[name]
    steps = lesson.fit_to(NOTHING)
    assert len(steps) == len(lesson.steps) - n_left_out
    assert not any(step.needs for step in steps)
    told = {name for step in steps for name in step.names}
    assert not {name for name in told if name.startswith(("fixed_", "broken_"))}
    assert not any(step.sets.get("word") for step in steps)


def test_a_step_that_is_told_otherwise_asks_nothing():
    (told,) = [
        step for step in all_lessons()["transfer"].fit_to(NOTHING)
        if "no broken word" in step.text
    ]  # fmt: skip
    assert not told.ask
    assert told.ring == "text"
