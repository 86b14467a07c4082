"""The lesson that is open: which step, what it sets, and what has been answered."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from workbench.experiments.exploring.lesson_figures import LessonFigures
from workbench.experiments.exploring.session import Session
from workbench.settings import SETTINGS, Settings
from workbench.views import controls
from workbench.views.lessons.lesson_texts import LessonStep, LessonText, all_lessons

_FIGURES, _ANSWER, _FOLLOWED = "lesson figures", "lesson answer", "lesson step followed"


@dataclass(frozen=True)
class OpenLesson:
    """A lesson at a step; while the session lacks fits for its figures it is not ready."""

    text: LessonText
    steps: tuple[LessonStep, ...]
    number: int  # of the step, from 1
    figures: LessonFigures

    @property
    def is_ready(self) -> bool:
        """Whether the figures of the session are known."""
        return self.figures.n_missing == 0

    @property
    def step(self) -> LessonStep:
        """The step."""
        return self.steps[self.number - 1]

    @property
    def chosen(self) -> int | None:
        """The answer that was given at this step, from 0; None if none was."""
        lesson, number, answer = st.session_state.get(_ANSWER, ("", 0, None))
        return answer if (lesson, number) == (self.text.name, self.number) else None

    def answer(self, place: int) -> None:
        """Note an answer; for callbacks."""
        st.session_state[_ANSWER] = self.text.name, self.number, place

    @property
    def view(self) -> dict[str, Any]:
        """What the scrubber is told of the lesson; see ``make_view``."""
        if not self.is_ready:
            return {"ring": "", "veil": False}
        return {"ring": self.step.ring, "veil": self.step.veil and self.chosen is None}

    def fill(self, text: str) -> str:
        """Return a text with the session's figures instead of their names."""
        return text.format_map(self.figures)

    def follow(self, settings: Settings) -> Settings:
        """Set what the step sets, once, and run again; returns the settings if they are as it says.

        What a link names beside the lesson stays as the link has it, unless the step asks a
        question, which needs its own start. A lesson always speaks of the development text.
        """
        settings = replace(settings, part="dev")
        key = id(self.figures), self.text.name, self.number, self.chosen is not None
        if not self.is_ready or st.session_state.get(_FOLLOWED) == key:
            return settings
        texts = self.step.settings(self.figures, self.chosen is not None)
        if _FOLLOWED not in st.session_state and not self.step.ask:
            named = controls.linked().to_query()
            texts = {name: text for name, text in texts.items() if name not in named}
        st.session_state[_FOLLOWED] = key
        asked = {name: SETTINGS[name].text(getattr(settings, name)) for name in texts}
        if texts != asked:
            controls.put_and_rerun(texts)
        return settings


def find_open(settings: Settings, session: Session) -> OpenLesson | None:
    """Return the lesson that the settings name; None if they name none or the task is not case."""
    if not settings.lesson or not session.task.recases:
        st.session_state[_FOLLOWED] = None  # a lesson opened from now on was not in the link
        return None
    lesson, figures = all_lessons()[settings.lesson], _figures(session)
    is_ready = figures.n_missing == 0
    steps = lesson.fit_to(figures) if is_ready else lesson.steps
    return OpenLesson(lesson, steps, min(settings.step, len(steps)), figures)


def complaint(settings: Settings, session: Session, lesson: OpenLesson | None) -> str:
    """Return what is wrong with the lesson and the step that are asked for; "" if nothing is."""
    if settings.lesson and not session.task.recases:
        return f"lesson={settings.lesson}: the lessons are about capital letters alone"
    if lesson and settings.step > len(lesson.steps):
        n = len(lesson.steps)
        return f"step={settings.step}: lesson {settings.lesson} has {n} steps; the last is shown"
    return ""


def _figures(session: Session) -> LessonFigures:
    kept = st.session_state.get(_FIGURES)
    if kept is None or kept.session is not session:
        kept = st.session_state[_FIGURES] = LessonFigures(session)
    return kept


def go(lesson: str, step: int = 1) -> None:
    """Go to a step of a lesson, or with "" leave it; for callbacks."""
    st.session_state.pop(_ANSWER, None)
    values: Mapping[str, Any] = {"lesson": lesson, "step": step}
    controls.put({name: SETTINGS[name].text(value) for name, value in values.items()})
