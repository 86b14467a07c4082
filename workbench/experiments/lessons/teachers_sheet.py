"""A page for teachers to print: all lessons with their questions and right answers."""

from collections.abc import Mapping, Sequence
from html import escape
from operator import itemgetter
from urllib.parse import urlencode

import numpy as np

from workbench.evaluation.number_words import counted, per_cent
from workbench.experiments.lessons.figures import LessonFigures
from workbench.experiments.lessons.fits import CUTOFF
from workbench.experiments.lessons.steps import LessonStep, LessonText, all_lessons
from workbench.experiments.session import Session
from workbench.settings import SIGMA2_GRID

# Lessons that end with a curve, and the texts that it has.
_CURVES = {"leash": ("dev",), "overfitting": ("dev", "train")}
_NAMES = {"dev": "dev", "train": "adaptation text"}
_WIDE, _TALL = 440, 150  # of a curve
_LEFT, _RIGHT, _TOP, _FOOT = 40, 90, 18, 34  # what its labels take
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
svg {{ display: block; width: 100%; margin: .8em 0; break-inside: avoid; font-size: 10px; }}
svg * {{ stroke-width: 1.5; }} svg text {{ stroke: none; }}
</style>
<h1>Lessons, for a teacher</h1>
<p>Background: {background}; adapted to: {domain}. All figures are of these texts; with others some
answers differ. ✓ marks the right answer; the lines in italics say when another one would be right.
“On the projector” opens a lesson on the stage of the page that made this sheet. Where a class opens
the same address, the stage counts its answers. In three quarters of an hour there is time for the
leash, over-fitting and how little text. For a room without network, open a lesson on the page and
take its report along.</p>
{lessons}
</html>
"""


def teachers_sheet(session: Session, texts: Mapping[str, str], address: str | None) -> str:
    """Return an HTML page of all lessons: their minutes, steps, questions and right answers.

    Of a wrong answer it says what would have to be true for it to be right. Figures that are not
    known yet are worked out. ``address`` is that of the page, to which lessons are linked, None
    where it is not known, and ``texts`` are the settings that name the texts in such a link.
    """
    figures = LessonFigures.of(session)
    link = f"{address or ''}?{urlencode({**texts, 'lecture': 'on', 'lesson': ''})}"
    lessons = "\n".join(_lesson(lesson, figures, link) for lesson in all_lessons().values())
    names = {name: escape(figures[name]) for name in ("background", "domain")}
    return _SHEET.format(**names, lessons=lessons)


def _lesson(lesson: LessonText, figures: LessonFigures, link: str) -> str:
    minutes = f"About {counted(lesson.minutes, 'minutes')}"
    stage = f'<a href="{escape(link + lesson.name)}">On the projector</a>'
    says = f"{minutes} · {stage} · <b>Aim:</b> {escape(lesson.aim)}"
    steps = "".join(f"<li>{_step(step, figures)}</li>\n" for step in lesson.fit_to(figures, False))
    texts = _CURVES.get(lesson.name, ())
    curve = _curve(figures.session, texts) if texts else ""
    return f"<h2>{escape(lesson.title)}</h2>\n<p>{says}</p>\n<ol>\n{steps}</ol>{curve}"


def _curve(session: Session, texts: Sequence[str]) -> str:
    """Return the errors on some texts along sigma^2 as SVG, those of the background dashed."""
    fits = [session.adaptation(CUTOFF).at(sigma2) for sigma2 in SIGMA2_GRID]
    errors = {text: [fit.wrong[text] / len(session.corpora[text]) for fit in fits]
              for text in texts}  # fmt: skip
    background = float(session.is_wrong("dev", session.background_tags("dev")).mean())
    low, high = (edge(background, *(v for own in errors.values() for v in own))
                 for edge in (min, max))  # fmt: skip

    def x(i):
        return _LEFT + (_WIDE - _LEFT - _RIGHT) * i / (len(SIGMA2_GRID) - 1)

    def y(error):
        return _TALL - _FOOT - (_TALL - _TOP - _FOOT) * (error - low) / ((high - low) or 1)

    def text(x, y, says, anchor="start"):
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(says)}</text>'

    end = x(len(SIGMA2_GRID) - 1)
    drawn = [f'<path d="M{_LEFT} {y(background):.1f}H{end}" stroke="#555" stroke-dasharray="4 3"/>']
    names = {f"background {per_cent(background)}": y(background)}
    for name, own in errors.items():
        line = " ".join(f"{x(i):.1f},{y(error):.1f}" for i, error in enumerate(own))
        drawn += [f'<polyline points="{line}" fill="none" stroke="#000"/>']
        names[_NAMES[name]] = y(own[-1])
        best = min(range(len(own)), key=own.__getitem__)
        drawn += [f'<circle cx="{x(best):.1f}" cy="{y(own[best]):.1f}" r="3"/>']
        drawn += [text(x(best), y(own[best]) + 15, per_cent(own[best]), "middle")]
    free = 0.0
    for name, height in sorted(names.items(), key=itemgetter(1)):  # none over another
        drawn += [text(end + 8, max(height, free) + 3, name)]
        free = max(height, free) + 11
    decades = [(i, s) for i, s in enumerate(SIGMA2_GRID) if np.log10(s).is_integer()]
    drawn += [text(x(i), _TALL - 3, f"{sigma2:g}", "middle") for i, sigma2 in decades]
    drawn += [text(0, _TALL - 3, "σ²"), text(0, 9, "% of words wrong")]
    says = f"Errors along σ² on {' and '.join(_NAMES[name] for name in errors)}"
    return (
        f'<svg viewBox="0 0 {_WIDE} {_TALL}" role="img" aria-label="{says}">{"".join(drawn)}</svg>'
    )


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
