"""A page for teachers to print: all lessons with their questions and right answers."""

from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

from workbench.evaluation.number_words import counted
from workbench.experiments.lesson_figures import LessonFigures
from workbench.experiments.lessons import LessonStep, LessonText, all_lessons
from workbench.experiments.session import Session

_SHEET = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Lessons, for a teacher</title>
<style>
body {{ font: 11pt/1.45 Georgia, serif; max-width: 44em; margin: 2em auto; padding: 0 1em; }}
h2 {{ margin: 1.6em 0 .3em; break-after: avoid; }}
h2 + p {{ break-after: avoid; }}
li {{ break-inside: avoid; margin: .5em 0; }}
ul {{ padding-left: 1.2em; margin: .2em 0; }}
ul li {{ margin: 0; }}
p {{ margin: .3em 0; }}
</style>
<h1>Lessons, for a teacher</h1>
<p>Background: {background}; adapted to: {domain}. All figures are of these texts; with others some
answers differ. ✓ marks the right answer; the lines in italics say when another one would be right.
“On the projector” opens a lesson on the stage of the page that made this sheet.</p>
{lessons}
</html>
"""


def teachers_sheet(session: Session, texts: Mapping[str, str], address: str | None) -> str:
    """Return an HTML page of all lessons: their minutes, steps, questions and right answers.

    Of a wrong answer it says what would have to be true for it to be right. Figures that are not
    known yet are worked out. ``address`` is that of the page, to which lessons are linked, None
    where it is not known, and ``texts`` are the settings that name the texts in such a link.
    """
    figures = LessonFigures(session)
    link = f"{address or ''}?{urlencode({**texts, 'lecture': 'on', 'lesson': ''})}"
    lessons = "\n".join(_lesson(lesson, figures, link) for lesson in all_lessons().values())
    names = {name: escape(figures[name]) for name in ("background", "domain")}
    return _SHEET.format(**names, lessons=lessons)


def _lesson(lesson: LessonText, figures: LessonFigures, link: str) -> str:
    minutes = f"About {counted(lesson.minutes, 'minutes')}"
    stage = f'<a href="{escape(link + lesson.name)}">On the projector</a>'
    says = f"{minutes} · {stage} · <b>Aim:</b> {escape(lesson.aim)}"
    steps = "".join(f"<li>{_step(step, figures)}</li>\n" for step in lesson.fit_to(figures))
    return f"<h2>{escape(lesson.title)}</h2>\n<p>{says}</p>\n<ol>\n{steps}</ol>"


def _step(step: LessonStep, figures: LessonFigures) -> str:
    text, asks, reveal = (
        escape(text.format_map(figures)) for text in (step.text, step.ask, step.reveal)
    )
    claims = step.say_points(figures).items()
    told = "".join(f"<p><b>{escape(claim)}</b> {escape(says)}</p>" for claim, says in claims)
    equation = f"<p>{escape(step.line)}</p>" if step.line else ""
    answers = "".join(f"<li>{_answer(step, figures, n)}</li>" for n in range(len(step.answers)))
    asked = f"<p><b>{asks}</b></p><ul>{answers}</ul><p>{reveal}</p>" if asks else ""
    return f"<p>{text}</p>{equation}{told}{asked}"


def _answer(step: LessonStep, figures: LessonFigures, n: int) -> str:
    text = escape(step.answers[n].format_map(figures))
    if step.is_right(figures, n):
        return f"<b>✓ {text}</b>"
    return f"{text}. <i>{escape(step.would[n].format_map(figures))}</i>" if step.would else text
