"""The strip of a lesson above the scrubber, and the list of lessons in the sidebar."""

from html import escape

import streamlit as st

from workbench.settings import SIGMA2_GRID, Settings
from workbench.views.error_messages import plain
from workbench.views.lessons.lesson_texts import LessonStep, all_lessons
from workbench.views.lessons.open_lesson import OpenLesson, go

_RING = (
    "<style>.st-key-below { outline: 3px solid #c47f22; outline-offset: 6px; "
    "border-radius: .35rem; }</style>"
)


def draw_list(settings: Settings) -> None:
    """Draw the lessons as buttons that open them."""
    with st.container(key="lessons", gap=None):
        st.caption("Lessons")
        for name, lesson in all_lessons().items():
            st.button(
                lesson.title, key=f"lesson {name}", type="tertiary", on_click=go, args=(name,),
                disabled=name == settings.lesson,
            )  # fmt: skip


def draw(lesson: OpenLesson) -> None:
    """Draw the step of a lesson that is open, and the ways to the others."""
    with st.container(key="strip", border=True, gap="small"):
        _draw_head(lesson)
        if not lesson.is_ready:
            n = len(SIGMA2_GRID)
            known = f"{n - lesson.figures.n_missing} of {n}"
            st.html(_say(f"Working out the figures of this session: {known} values of σ² …"))
            return
        step = lesson.step
        st.html(_say(lesson.fill(step.text)))
        if step.equation:
            st.latex(step.equation)
            st.html(f'<p class="wb wb-source">{escape(step.source)}</p>')
        if step.ask:
            _draw_question(lesson, step)
    if step.ring == "section":
        st.html(_RING)


def _draw_head(lesson):
    name, number, n = lesson.text.name, lesson.number, len(lesson.steps)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        title = f"<b>{escape(lesson.text.title)}</b> step {number} of {n}"
        st.html(f'<p class="wb wb-lesson-title">{title}</p>')
        st.button("Back", key="lesson back", shortcut="B", on_click=go, args=(name, number - 1),
                  disabled=number == 1)  # fmt: skip
        st.button("Next", key="lesson next", shortcut="N", on_click=go, args=(name, number + 1),
                  disabled=number == n, type="primary")  # fmt: skip
        st.button("End lesson", key="lesson end", on_click=go, args=("",))


def _draw_question(lesson: OpenLesson, step: LessonStep) -> None:
    """Draw the question with its answers as buttons; once one is chosen, what is true."""
    question, answers = lesson.fill(step.ask), [lesson.fill(text) for text in step.answers]
    if lesson.chosen is None:
        st.html(f'<p class="wb wb-ask">{escape(question)}</p>')
        with st.container(horizontal=True, gap="small"):
            for place, text in enumerate(answers):
                st.button(
                    plain(text), key=f"lesson answer {place + 1}", shortcut=str(place + 1),
                    on_click=lesson.answer, args=(place,),
                )  # fmt: skip
        return
    truth = int(lesson.figures[step.truth]) - 1
    is_right = lesson.chosen == truth
    right = "That is right." if is_right else f"The right answer is: {answers[truth]}."
    verdict = f"Your answer: {answers[lesson.chosen]}. {right}"
    reveal = f"<b>{escape(lesson.fill(step.reveal))}</b>"
    st.html(f'<p class="wb wb-ask">{escape(question)} {escape(verdict)}</p>')
    st.html(f'<p class="wb wb-reveal">{reveal}</p>')


def _say(text):
    return f'<p class="wb wb-step">{escape(text)}</p>'
