"""The title and one card for each model, as HTML; every text of the user's is escaped."""

from collections.abc import Mapping, Sequence
from html import escape

from workbench.evaluation.task import task_of_row
from workbench.experiments.exploring.session import Session, Snapshot

_HUES = {"1-gram": "--unigram", "background": "--background", "adapted": "--adapted"}
_SIGNS = {"1-gram": "◆", "background": "■", "adapted": "●"}  # as in the charts
NOTHING = "–"


def percent(fraction: float | None, digits: int = 2) -> str:
    """Return a fraction as per cent; a dash where it is undefined.

    >>> percent(0.0141)
    '1.41 %'
    """
    return NOTHING if fraction is None else f"{100 * fraction:.{digits}f} %".replace("-", "−")


def headline(row: Mapping) -> str:
    """Return the figure of a model that its task puts first: its errors, or F1 of chunks."""
    column = task_of_row(row).headline
    return f"{column.heading} {percent(column.value(row))}".lstrip()


def title_html(background: str, domain: str, facts: Sequence[str] = ()) -> str:
    """Return what is adapted to what, and facts about it, as HTML."""
    line = f"<p>{' · '.join(escape(fact) for fact in facts)}</p>" if facts else ""
    title = f"<em>{escape(background)}</em> adapted to <em>{escape(domain)}</em>"
    return f'<div class="wb wb-title"><h1>{title}</h1>{line}</div>'


def facts(session: Session, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the sizes of a session and of an adaptation, in words."""
    n_words = len(session.corpora[snapshot.part])
    return (
        f"measured on {n_words:,} words ({snapshot.part})",
        f"{snapshot.point['new_features']:,} new features",
        f"{snapshot.point['free_weights']:,} trainable weights",
    )


def cards_html(models: Sequence[Mapping]) -> str:
    """Return the cards of the models, each a dict as in ``Snapshot.models``, as HTML."""
    return f'<div class="wb wb-cards">{"".join(map(_card, models))}</div>'


def _card(row):
    name = row["name"]
    column = task_of_row(row).headline
    number, _, unit = f"{percent(column.value(row))} {column.heading}".strip().partition(" ")
    return (
        f'<section class="wb-card" style="--hue: var({_HUES[name]})">'
        f"<h3><span>{_SIGNS[name]}</span>{name}</h3>"
        f'<p class="error">{number}<small>{unit}</small></p>'
        f"<p>{row['wrong']:,} of {row['words']:,} words wrong</p>"
        f"<p>{change_html(row.get('versus'))}</p></section>"
    )


def change_html(versus: Mapping | None) -> str:
    """Return how a model's errors compare with the background's, whose own ``versus`` is None."""
    if versus is None:
        return "the reference"
    low, high = versus["interval"]
    if versus["relative_change"] is None or low is None:
        return "no error to compare with"
    interval = f"95 % interval {_signed(low)} to {_signed(high)}"
    if low <= 0 <= high:
        return f"no clear difference ({interval})"
    return f"<b>{_signed(versus['relative_change'])}</b> errors ({interval})"


def _signed(fraction):
    return f"{100 * fraction:+.0f} %".replace("-", "−")


def forms_html(forms: Mapping[str, str]) -> str:
    """Return one text in the case of each model, dict of name to text, as HTML."""
    rows = (
        f'<b style="--hue: var({_HUES[name]})">{_SIGNS[name]} {name}</b><span>{escape(text)}</span>'
        for name, text in forms.items()
    )
    return f'<div class="wb wb-forms">{"".join(rows)}</div>'


def summary_html(summary: str) -> str:
    """Return what happened, in words, as HTML."""
    return f'<p class="wb wb-summary">{escape(summary)}</p>'
