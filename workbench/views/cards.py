"""Title and the three models side by side, as HTML; every text of the user's is escaped."""

from html import escape

_HUES = {"1-gram": "--unigram", "background": "--background", "adapted": "--adapted"}
_SIGNS = {"1-gram": "◆", "background": "■", "adapted": "●"}  # as in the charts
NOTHING = "–"


def percent(fraction, digits=2):
    """Return a fraction as per cent; a dash where it is undefined.

    >>> percent(0.0141)
    '1.41 %'
    """
    return NOTHING if fraction is None else f"{100 * fraction:.{digits}f} %".replace("-", "−")


def title_html(background, domain, facts=()):
    """Return what is adapted to what, and facts about it, as HTML."""
    line = " · ".join(escape(fact) for fact in facts) or "&nbsp;"
    title = f"<em>{escape(background)}</em> adapted to <em>{escape(domain)}</em>"
    return f'<div class="wb wb-title"><h1>{title}</h1><p>{line}</p></div>'


def facts(session, snapshot):
    """Return the sizes of a session and of an adaptation, in words."""
    words = {part: f"{len(corpus):,}" for part, corpus in session.corpora.items()}
    return (
        f"background {session.background.info['words']:,} words",
        f"adaptation {words['train']} words",
        f"measured on {words[snapshot.part]} words ({snapshot.part})",
        f"{snapshot.point['new_features']:,} new features",
        f"{snapshot.point['free_weights']:,} weights that can move",
    )


def cards_html(models):
    """Return the cards of the models, each a dict as in ``Snapshot.models``, as HTML."""
    return f'<div class="wb wb-cards">{"".join(map(_card, models))}</div>'


def _card(row):
    name = row["name"]
    number, _, unit = percent(row["error_rate"]).partition(" ")
    return (
        f'<section class="wb-card" style="--hue: var({_HUES[name]})">'
        f"<h3><span>{_SIGNS[name]}</span>{name}</h3>"
        f'<p class="error">{number}<small>{unit}</small></p>'
        f"<p>{row['wrong']:,} of {row['words']:,} words wrong</p>"
        f"<p>{change_html(row.get('versus'))}</p></section>"
    )


def change_html(versus):
    """Say how a model's error compares with the background's; None for the background itself."""
    if versus is None:
        return "the reference of the other two"
    low, high = versus["interval"]
    if versus["relative_change"] is None or low is None:
        return "no error to compare with"
    interval = f"95 % interval {_signed(low)} to {_signed(high)}"
    if low <= 0 <= high:
        return f"no clear difference ({interval})"
    return f"<b>{_signed(versus['relative_change'])}</b> errors ({interval})"


def _signed(fraction):
    return f"{100 * fraction:+.0f} %".replace("-", "−")


def forms_html(forms):
    """Return one text in the case of each model, dict of name to text, as HTML."""
    rows = (
        f'<b style="--hue: var({_HUES[name]})">{_SIGNS[name]} {name}</b><span>{escape(text)}</span>'
        for name, text in forms.items()
    )
    return f'<div class="wb wb-forms">{"".join(rows)}</div>'


def summary_html(summary):
    """Return what happened, in words, as HTML."""
    return f'<p class="wb wb-summary">{escape(summary)}</p>'
