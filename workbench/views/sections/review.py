"""The section of the review: one word after the other, and a decision on each."""

from html import escape
from typing import NamedTuple

import streamlit as st

from workbench.evaluation.task import find_task
from workbench.experiments.movers import find_subset
from workbench.experiments.review import (
    ACCEPT,
    CORRECT,
    REFERENCE,
    Group,
    Review,
    corrected_file,
    decide,
    decisions_csv,
    describe_group,
    queue,
)
from workbench.experiments.session import Session, Snapshot
from workbench.scrub.view import find_word
from workbench.settings import Settings
from workbench.text.characters import spaces_before
from workbench.text.errors import InputError
from workbench.views import controls
from workbench.views.errors import plain
from workbench.views.sections import OF_WORDS, Section
from workbench.views.tune import held_back

_ERROR = "refused in the review"
_DEV = "dev"


class _Item(NamedTuple):
    """A word of the queue: its number, its group and its row of the diff."""

    number: int  # in the queue, from 0
    queue: tuple[int, ...]  # positions
    group: Group
    row: dict  # of the diff


def draw(settings: Settings, session: Session, snapshot: Snapshot) -> None:
    """Draw the current word of the queue, and what can be decided about it."""
    if snapshot.part != _DEV:
        st.caption("The review is of the development text: choose dev under “Report on”.")
        return
    diff, only = snapshot.diff, find_subset(session, snapshot, settings.slice)
    groups = queue(diff if only is None else diff[diff["position"].isin(only)])
    if not groups:
        st.caption("Nothing to review: no word that is shown is changed or wrong at this σ².")
    else:
        _draw_item(_find_item(settings, session, snapshot, groups), snapshot)
    _draw_files(held_back.current())


def _find_item(settings, session, snapshot, groups):
    """Return the item of the word in the settings; the first if that is none of the queue."""
    order = tuple(position for group in groups for position in group.positions)
    position = find_word(session, settings)
    number = order.index(position) if position in order else 0
    group = next(group for group in groups if order[number] in group.positions)
    row = snapshot.diff[snapshot.diff["position"] == order[number]].iloc[0].to_dict()
    return _Item(number, order, group, row)


def _draw_item(item, snapshot):
    review, position = held_back.current(), item.queue[item.number]
    _draw_steps(item, review)
    st.html(_sentence_html(review.session.corpora[_DEV], item.row))
    if refused := st.session_state.pop(_ERROR, None):
        st.error(plain(refused))
    if decision := review.by_place.get(review.origin(position)):
        changed = "" if decision.kind == ACCEPT else f": {decision.before} → {decision.value}"
        st.caption(plain(f"Decided: {decision.kind}{changed}"))
    _draw_decisions(item, snapshot, review)


def _draw_steps(item, review):
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, by in (("‹ Previous", -1), ("Next ›", 1)):
            there = item.queue[(item.number + by) % len(item.queue)]
            st.button(label, on_click=_go_to, args=(review, there))
        st.markdown(f"**{item.number + 1:,} of {len(item.queue):,}**")
        st.caption(plain(describe_group(item.group)))


def _sentence_html(corpus, row):
    """Return a word's sentence as text, the word marked, then its form by each model; HTML."""
    words = corpus.sentence(row["sentence"])
    parts = [
        " " * gap + (f"<b><mark>{escape(word)}</mark></b>" if i == row["place"] else escape(word))
        for i, (gap, word) in enumerate(zip(spaces_before(words), words, strict=True))
    ]
    said = [
        f"{name} {_form_html(row[key], row[key] == row['gold'])}"
        for name, key in (("background", "before"), ("adapted", "after"))
    ]
    says = " · ".join([*said, f"reference <b>{escape(row['gold'])}</b>", escape(row["status"])])
    return f'<div class="wb wb-context">{"".join(parts)}<p>{says}</p></div>'


def _form_html(form, is_right):
    """Return a form or tag in the colour and with the mark of what is right or wrong; HTML."""
    status, mark = ("fixed", "✓") if is_right else ("broken", "✗")
    return f'<b style="--hue: var(--{status})">{escape(form)} {mark}</b>'


def _ask_form(review, gold, key):
    """Draw the right form or tag, which is the reference's unless another is given."""
    corpus = review.session.corpora[_DEV]
    if find_task(corpus).recases:
        st.text_input("Right form", gold, key=key, max_chars=200)
        return "form"
    names = list(corpus.tag_names)
    st.selectbox("Right tag", names, index=names.index(gold), key=key)
    return "tag"


def _draw_decisions(item, snapshot, review):
    """Draw the widget of the right answer, and a button for each decision."""
    position = item.queue[item.number]
    key = "right form of {} {}".format(*review.origin(position))
    what = _ask_form(review, item.row["gold"], key)
    deeds = {
        ACCEPT: ("Leave as it is", "The adapted model is right, or it does not matter."),
        CORRECT: ("Correct", f"The sentence, with this {what}, is learnt, and no longer measured."),
        REFERENCE: ("Reference is wrong", f"The reference becomes the {what} above or, if that is "
                    f"the reference's own, the adapted model's: {item.row['after']}."),
    }  # fmt: skip
    with st.container(horizontal=True):
        for kind, (label, text) in deeds.items():
            args = (item, snapshot, kind, key)
            st.button(label, on_click=_decide, args=args, help=plain(text), key=f"review {kind}")


def _decide(item, snapshot, kind, key):
    """Keep a decision on the current word and go to the next of another sentence or place."""
    review, position = held_back.current(), item.queue[item.number]
    later = [*item.queue[item.number + 1 :], *item.queue[: item.number]]
    places = [review.origin(other) for other in later]
    try:
        decision = decide(review, snapshot, position, kind, st.session_state.get(key, ""))
        after = held_back.add(decision)
    except InputError as error:
        st.session_state[_ERROR] = str(error)
        return
    open_places = [place for place in places if place not in after.by_place]
    found = (after.position(place) for place in [*open_places, *places])
    _go_to(after, next((place for place in found if place is not None), None))


def _go_to(review: Review, position: int | None) -> None:
    """Make a word of the dev text the current one, here and in the text above."""
    name = "" if position is None else review.session.names_of(_DEV, position)[0]
    st.session_state["word"] = name and f"{name} · {position}"


def _draw_files(review):
    if not review.decisions:
        return
    name = review.opened.corpora["train"].name
    with st.container(horizontal=True):
        if file := corrected_file(review):
            controls.offer_file("Corrected sentences", file.content, f"{name}-corrected{file.end}",
                                help="To train on, in the format of adaptation data.")  # fmt: skip
        table = decisions_csv(review.decisions)
        controls.offer_file("Decisions, CSV", table, f"{name}-decisions.csv", "text/csv")
        st.button("Undo all decisions", on_click=held_back.take_back)


SECTION = Section("review", OF_WORDS, draw)
