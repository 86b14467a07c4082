"""The lesson that is open: its step, what it sets, its strip.

Lessons are data, filled with a session's figures. One is open at a step, which sets the page's
settings once and may ask a question; its strip stands above the scrubber.
"""

from dataclasses import dataclass, replace
from html import escape
from typing import Any

import streamlit as st

from workbench.experiments.lessons.figures import LessonFigures
from workbench.experiments.lessons.steps import (
    FOUND,
    UNCHOSEN,
    LessonStep,
    LessonText,
    all_lessons,
    say_join,
    say_score,
)
from workbench.experiments.session import Session
from workbench.experiments.surface import Point
from workbench.settings import LESSONS, SETTINGS, Settings
from workbench.views import controls, uploads
from workbench.views.errors import plain

LIST = "list of lessons"  # key of the popover that has it
_FIGURES, _ANSWERS, _FOLLOWED = "lesson figures", "lesson answers", "lesson step followed"
_TRIED = "step and σ² that were chosen last"


@dataclass(frozen=True)
class OpenLesson:
    """A lesson at a step; while the session lacks fits for the step's figures it is not ready."""

    text: LessonText
    steps: tuple[LessonStep, ...]
    number: int  # of the step, from 1
    figures: LessonFigures

    @property
    def is_ready(self) -> bool:
        """Whether the figures that the step speaks of are known."""
        return not self.missing or self.step.names <= self.figures.texts.figures.keys()

    @property
    def missing(self) -> list[Point]:
        """The points of the grid that its figures still need."""
        return self.figures.missing(self.step.names)

    @property
    def step(self) -> LessonStep:
        """The step."""
        return self.steps[self.number - 1]

    @property
    def chosen(self) -> int | None:
        """The answer given at this step, from 0, or UNCHOSEN; None while its question is open."""
        return _answers_to(self.text).get(self.number)

    def answer(self, place: int) -> None:
        """Note an answer; for callbacks."""
        _answers_to(self.text)[self.number] = place
        self.figures.note_answer(self.text.name, self.number, place)

    def try_sigma2(self) -> None:
        """Take the σ² of the slider as the answer to a task, if it is one; for callbacks."""
        sigma2, at = st.session_state["sigma2"], (self.text.name, self.number)
        st.session_state[_TRIED] = *at, sigma2
        if sigma2 in self.step.solutions(self.figures):
            self.answer(FOUND)
            st.session_state[_FOLLOWED] = id(self.figures), *at, True  # which moves nothing

    @property
    def view(self) -> dict[str, Any]:
        """What the scrubber is told of the lesson; see ``make_view``."""
        veil = self.step.veil if self.chosen is None else self.step.veil_then
        is_open = bool(self.step.ask) and self.chosen is None
        beside = self.figures.beside(self.step.beside, is_open) if self.is_ready else None
        return {
            "ring": self.step.ring if self.is_ready else "", "veil": veil, "beside": beside,
            "scale": self.step.scale, "path": self.step.path, "step": self.number,
            "asks": is_open and not self.step.goal, "isTask": is_open and bool(self.step.goal),
        }  # fmt: skip

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
        if not self.is_ready:
            return settings
        if st.session_state.get(_FOLLOWED) == key:
            return settings
        texts = self.step.settings(self.figures, self.chosen is not None)
        if _FOLLOWED not in st.session_state and not self.step.ask:
            named = controls.linked().to_query()
            texts = {name: text for name, text in texts.items() if name not in named}
        st.session_state[_FOLLOWED] = key
        asked = {name: SETTINGS[name].text(getattr(settings, name)) for name in texts}
        if texts != asked:
            st.session_state[uploads.LATER] = texts  # the next run begins with them
            st.rerun()
        return settings


def find_open(settings: Settings, session: Session) -> OpenLesson | None:
    """Return the lesson that the settings name; None if they name none or the task is not case."""
    if not settings.lesson or not session.task.recases:
        st.session_state[_FOLLOWED] = None  # a lesson opened from now on was not in the link
        return None
    lesson, figures = all_lessons()[settings.lesson], _figures(session)
    steps = lesson.steps if figures.missing() else lesson.fit_to(figures)
    return OpenLesson(lesson, steps, min(settings.step, len(steps)), figures)


def complaint(settings: Settings, session: Session, lesson: OpenLesson | None) -> str:
    """Return what is wrong with the lesson and the step that are asked for; "" if nothing is."""
    if settings.lesson and not session.task.recases:
        return f"lesson={settings.lesson}: the lessons are about capital letters alone"
    if lesson and settings.step > len(lesson.steps):
        return f"step={settings.step}: the lesson has {len(lesson.steps)}; the last is shown"
    return ""


def _figures(session: Session) -> LessonFigures:
    kept, session = st.session_state.get(_FIGURES), session.whole or session
    if kept is None or kept.session is not session:
        kept = st.session_state[_FIGURES] = LessonFigures.of(session)
        st.session_state.pop(_ANSWERS, None)  # they were about other texts
    return kept


def go(lesson: str, step: int = 1, opens_own_text: bool = False) -> None:
    """Go to a step of a lesson, which keeps its answers, or with "" leave it; for callbacks."""
    uploads.show(opens_own_text or uploads.is_open())
    if step == 1 and st.session_state.get("lesson") != lesson:  # it begins anew
        st.session_state.get(_ANSWERS, {}).pop(lesson, None)
    st.session_state[LIST] = False
    names = ("view",) if lesson else ("view", "show", "word", "pair", "slice", "without", "lecture")
    values = {name: SETTINGS[name].default for name in names} | {"lesson": lesson, "step": step}
    controls.put({name: SETTINGS[name].text(value) for name, value in values.items()})


def draw_list() -> None:
    """Draw the lessons as buttons that open them, at their first step."""
    with st.container(key="lessons", gap=None):
        for name, lesson in all_lessons().items():
            label = f"{lesson.title} · {lesson.minutes} min"
            key, aim = f"lesson {name}", lesson.aim
            st.button(label, key=key, help=aim, type="tertiary", on_click=go, args=(name,))
        st.caption("For teachers: *take away*, below the curve, has a sheet to print.")


def draw(lesson: OpenLesson) -> None:
    """Draw the step of a lesson that is open, and the ways to the others."""
    if lesson.is_ready:  # its figures first, so that all of the strip changes at once
        names = () if lesson.step.opens and lesson.chosen is None else lesson.step.names
        _ = lesson.view, [lesson.figures[name] for name in names]
    with st.container(key="strip", border=True, gap="small"):
        _draw_head(lesson)
        if not lesson.is_ready:
            says = f"Working out figures: {len(lesson.missing)} values of σ² to go …"
            st.html(f'<p class="wb wb-step">{says}</p>')
            return
        if lesson.number == 1 and (warning := lesson.figures["too_few"]):
            st.html(f'<p class="wb wb-ask">{warning}</p>')
            usual = {name: SETTINGS[name].default for name in ("background", "domain")}
            st.button("Use the default texts", key="lesson texts", on_click=controls.put,
                      args=(usual,))  # fmt: skip
        step = lesson.step
        st.html(f'<p class="wb wb-step">{escape(lesson.fill(step.text))}</p>')
        if step.equation:
            st.latex(step.equation)
            st.html(f'<p class="wb wb-source">{escape(step.source)}</p>')
        if points := step.say_points(lesson.figures).items():
            told = (f"<li><b>{escape(claim)}</b> {escape(text)}</li>" for claim, text in points)
            st.html(f'<ul class="wb wb-step">{"".join(told)}</ul>')
        if step.ask:
            _draw_question(lesson, step)


def _answers_to(lesson):
    """Return the visitor's answers to a lesson's questions, by number of the step; a live dict."""
    return st.session_state.setdefault(_ANSWERS, {}).setdefault(lesson.name, {})


def _draw_head(lesson):
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        own, is_last = _answers_to(lesson.text), lesson.text.name == LESSONS[-1]
        given = st.session_state[_ANSWERS] if is_last else {lesson.text.name: own}
        score = say_score(given, lesson.figures)
        address = st.context.url if st.session_state.get("lecture") else ""
        join = say_join(address, st.query_params, lesson.text.name)
        at = escape(f"step {lesson.number} of {len(lesson.steps)}{score}{join}")
        st.html(f'<p class="wb wb-lesson-title"><b>{escape(lesson.text.title)}</b> {at}</p>')
        before = _before(lesson)
        st.button("Back", key="lesson back", shortcut="B", on_click=go, args=before,
                  disabled=not before)  # fmt: skip
        label, act, args = _following(lesson)
        key = "N" if args[0] else None  # none ends the lessons before an audience
        st.button(label, key="lesson next", shortcut=key, on_click=act, args=args, type="primary",
                  disabled=not lesson.is_ready)  # fmt: skip
        st.button("Lecture", key="lesson stage", on_click=controls.put, args=({"lecture": "on"},))
        st.button("End lesson", key="lesson end", on_click=go, args=("",))


def _before(lesson):
    """Return lesson and number of the step before, at a first step in the lesson before; or ()."""
    name = lesson.text.name
    if lesson.number > 1:
        return name, lesson.number - 1
    if name == LESSONS[0] or lesson.figures.missing():
        return ()
    earlier = all_lessons()[LESSONS[LESSONS.index(name) - 1]]
    return earlier.name, len(earlier.fit_to(lesson.figures))


def _following(lesson):
    """Return the label of what comes next, what does it, and its arguments."""
    if lesson.is_ready and lesson.step.ask and lesson.chosen is None:
        return "Show answer", lesson.answer, (UNCHOSEN,)
    if lesson.number < len(lesson.steps):
        return "Next", go, (lesson.text.name, lesson.number + 1)
    if lesson.text.name == LESSONS[-1]:
        return "End: bring your own text", go, ("", 1, True)
    following = LESSONS[LESSONS.index(lesson.text.name) + 1]
    title = "next lesson" if st.session_state.get("lecture") else all_lessons()[following].title
    return f"Next: {title}", go, (following,)


def _draw_question(lesson: OpenLesson, step: LessonStep) -> None:
    """Draw the question with its answers as buttons; once it is answered, what is true."""
    question, figures, chosen = lesson.fill(step.ask), lesson.figures, lesson.chosen
    *at, tried = st.session_state.get(_TRIED, (None, None))
    hint = step.hint(figures, tried) if at == [lesson.text.name, lesson.number] else ""
    says = (hint or "\u00a0" * bool(step.goal)) if chosen is None else step.verdict(figures, chosen)
    st.html(f'<p class="wb wb-ask">{escape(question)} <b>{escape(says)}</b></p>')
    given = figures.answers(lesson.text.name, lesson.number)
    with st.container(horizontal=True, gap="small"):
        if step.goal and chosen is None:
            st.button("I choose this σ²", key="lesson try", shortcut="1",
                      on_click=lesson.try_sigma2)  # fmt: skip
        for place, text in enumerate(map(lesson.fill, step.answers)):
            label, is_over = plain(step.mark(figures, place, chosen) + text), chosen is not None
            if is_over and len(given) > 1 and st.session_state.get("lecture"):  # a class's hands
                label += f" · {given.count(place)} of {len(given)} votes"
            st.button(label, key=f"lesson answer {place + 1}", shortcut=str(place + 1),
                      on_click=lesson.answer, args=(place,), disabled=is_over)  # fmt: skip
    if chosen is not None:
        first, dot, rest = escape(lesson.fill(step.reveal)).partition(". ")
        st.html(f'<p class="wb wb-reveal"><b>{first}{dot}</b>{rest}</p>')
