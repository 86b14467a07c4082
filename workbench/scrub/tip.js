/** What reference and models make of a word, in a box beneath it. */

import { MISSPELLED, RIGHT, formAt, isKnown, isUnseen, percent, qualityOf, statusAt, tagAt } from "./state.js";
import { element } from "./dom.js";

/** A box that is shown beneath the word that the pointer or the focus is on. */
export class Tip {
  constructor() {
    this.box = element("div", { class: "tip", role: "tooltip", hidden: true });
  }

  hide() {
    this.box.hidden = true;
  }

  /** Show a word of the payload, drawn in an element, at a place of the grid. */
  show(span, payload, word, i) {
    if (!word || !isKnown(payload, i)) return this.hide();
    this.box.replaceChildren(...lines(payload, word, i).map((line) => element("div", {}, line)));
    this.box.hidden = false;
    const own = this.box.parentElement.getBoundingClientRect(), at = span.getBoundingClientRect();
    const left = Math.min(at.left - own.left, own.width - this.box.offsetWidth - 4);
    this.box.style.transform = `translate(${Math.max(0, left)}px, ${at.bottom - own.top + 4}px)`;
  }
}

function lines(payload, word, i) {
  const { tags, recases, quality } = payload;
  if (quality) return choices(payload, word, i);
  const side = (form, tag) => (recases ? `${form} (${tags[tag]})` : tags[tag]);
  const status = statusAt(word, i) === RIGHT ? "right in both" : statusAt(word, i);
  return [
    isUnseen(payload, word, i) ? `${status} (invisible: the word is written right)`
      : status === MISSPELLED ? `${status} (the tag is right, the word is written wrong)` : status,
    `reference: ${side(word.word, word.gold)}`,
    `background: ${side(word.before, word.background)}`,
    `adapted: ${side(formAt(word, i, word.word), tagAt(word, i))}`,
  ];
}

function choices(payload, word, i) {
  const side = (n) => `candidate ${n + 1}, ${payload.quality} ${percent(qualityOf(word, n), 1)}`;
  return [`best: ${side(word.gold)}`, `background: ${side(word.background)}`, `adapted: ${side(tagAt(word, i))}`];
}
