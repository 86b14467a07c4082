"""The title of a page and sentences on it, as HTML; every text of the user's is escaped."""

from collections.abc import Sequence
from html import escape

from workbench.experiments.exploring.session import Session, Snapshot


def title_html(background: str, *domains: str, facts: Sequence[str] = ()) -> str:
    """Return what is adapted to what, one after the other, and facts about it, as HTML."""
    line = f"<p>{' · '.join(escape(fact) for fact in facts)}</p>" if facts else ""
    names = ", then to ".join(f"<em>{escape(domain)}</em>" for domain in domains)
    title = f"<em>{escape(background)}</em> adapted to {names}"
    return f'<div class="wb wb-title"><h1>{title}</h1>{line}</div>'


def facts(session: Session, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the sizes of a session and of an adaptation, in words."""
    part, wording = snapshot.part, session.task.wording
    n_units = len(session.background_tags(part))
    return (
        f"measured on {n_units:,} {wording.units} ({part})",
        f"{snapshot.point['new_features']:,} new features",
        f"{snapshot.point['free_weights']:,} trainable weights",
    )


def summary_html(summary: str) -> str:
    """Return what happened, in words, as HTML."""
    return f'<p class="wb wb-summary">{escape(summary)}</p>'
