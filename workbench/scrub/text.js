/** Running text with the words that adaptation fixed, broke, left wrong or misspelled. */

import { FIXED, BROKEN, WRONG, MISSPELLED, RIGHT, formAt, isKnown, isUnseen, passes, qualityOf, statusAt, tagAt } from "./state.js";
import { element, setText } from "./dom.js";

const CLASSES = { [FIXED]: "fixed", [BROKEN]: "broken", [WRONG]: "wrong", [MISSPELLED]: "misspelled", [RIGHT]: "" };
const LONGEST_RUN = 30; // characters; a longer one may break, or it would be wider than a phone
const SETTLING = 8; // frames
const FLASH = { duration: 700, easing: "ease-out" };

/** Kinds of `Text` by what a decision is about, "unit" of a payload's wording; annexes add theirs. */
export const KINDS = {};

/** The sentences of a payload; `onAsk(position)` is told which word was clicked or entered. */
export class Text {
  constructor(onAsk) {
    this.list = element("ol", { class: "text" });
    this.note = element("p", { class: "note" });
    this.box = element("div", { class: "pane", role: "region", "aria-label": "Text", tabindex: 0 }, this.note, this.list);
    this.sentences = new Map();
    this.inSight = new Set();
    this.current = null;
    this._listen(onAsk);
    this.observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) this.inSight[isIntersecting ? "add" : "delete"](target);
    }, { root: this.box });
  }

  /** What a tag of a word looks like where there is little room. */
  form(word, i) {
    if (!this.payload.recases) return `${word.word}/${this.payload.tags[tagAt(word, i)]}`;
    return formAt(word, i, word.word);
  }

  /** A word in the case that a tag gives it; where that is not known, the tag's name. */
  named(word, tag) { return word.forms[tag] ?? (this.payload.recases && tag === word.gold ? word.word : this.payload.tags[tag]); }

  /** What reference and models make of a word, line by line. */
  lines(word, i) {
    const { tags, recases } = this.payload;
    const side = (form, tag) => (recases ? `${form} (${tags[tag]})` : tags[tag]);
    const status = statusAt(word, i) === RIGHT ? "right in both" : statusAt(word, i);
    return [
      isUnseen(this.payload, word, i) ? `${status} (invisible: the word is written right)`
        : status === MISSPELLED ? `${status} (the tag is right, the word is written wrong)` : status,
      `reference: ${side(word.word, word.gold)}`,
      `background: ${side(word.before, word.background)}`,
      `adapted: ${side(formAt(word, i, word.word), tagAt(word, i))}`,
    ];
  }

  /**
   * Take another payload: sentences that stay keep their elements, so nothing jumps. A sentence of
   * another text, or one with a word that is not told of any more, is made anew.
   */
  take(payload, i) {
    const isSame = this.payload?.text === payload.text;
    const told = new Set(payload.words.map((word) => word.position));
    const stays = (item) => isSame && item?.words.every((word) => told.has(word.position));
    this.payload = payload;
    const words = Map.groupBy(payload.words, (word) => word.sentence);
    const former = this.sentences, sentences = isSame ? this._withAsked(payload.sentences) : payload.sentences;
    this.sentences = new Map();
    for (const sentence of sentences) {
      const known = former.get(sentence.number);
      const item = stays(known) ? known : this._sentence(sentence);
      item.sentence = sentence;
      item.words = words.get(sentence.number) ?? [];
      const panel = item === known ? null : known?.line.querySelector(".why");
      if (panel) item.line.append(panel);
      this.sentences.set(sentence.number, item);
      for (const word of item.words) {
        this._stack(item, word);
        this._show(item, word, i);
      }
    }
    for (const [number, item] of former) {
      if (this.sentences.get(number) !== item) this._forget(item);
    }
    this._order();
    if (this.current && !this.current.isConnected) this.choose(Number(this.current.dataset.position));
  }

  /** Sentences and the one with an open answer, in order. */
  _withAsked(sentences) {
    const asked = [...this.sentences.values()].find((item) => item.line.querySelector(".why"))?.sentence;
    if (!asked || sentences.some((each) => each.number === asked.number)) return sentences;
    return [...sentences, asked].sort((a, b) => a.number - b.number);
  }

  _order() {
    let before = null;
    for (const { line } of this.sentences.values()) {
      const wanted = before ? before.nextSibling : this.list.firstChild;
      if (wanted !== line) this.list.insertBefore(line, wanted);
      before = line;
    }
  }

  _forget(item) {
    this.observer.unobserve(item.line);
    this.inSight.delete(item.line);
    item.line.remove();
  }

  _sentence(sentence) {
    const spans = sentence.words.map((written, place) => element("span", {
      class: "w", "data-position": sentence.start + place, tabindex: -1, role: "button",
    }, written.trimStart()));
    const line = element("li", { "data-sentence": sentence.number }, element("p", {}, joined(sentence.words, spans)));
    this.observer.observe(line);
    return { line, spans, start: sentence.start, variants: new Map(), written: sentence.words.map((word) => word.trimStart()) };
  }

  /**
   * Put all the forms that a word takes along the path on top of one another, so that it is as
   * wide as the widest of them but capitals, and hardly anything moves when it flips.
   */
  _stack(item, word) {
    const written = item.written[word.place], isCase = this.payload.recases;
    const variants = new Map();
    for (let i = 0; i < word.path.length; i += 1) {
      const tag = tagAt(word, i);
      const form = tag === -1 || !isCase ? written : formAt(word, i, written);
      const key = isCase ? form : tag;
      if (!variants.has(key)) {
        const label = isCase || tag === -1 ? null : element("sub", {}, this.payload.tags[tag]);
        const isWide = isCase && form.length > 1 && form !== form.toLowerCase() && form === form.toUpperCase();
        variants.set(key, element("span", { class: isWide ? "form wide" : "form" }, form, label));
      }
    }
    item.variants.set(word.place, { variants, shown: null });
    if (isCase) item.spans[word.place].dataset.gold = word.word;
    item.spans[word.place].replaceChildren(...variants.values());
  }

  _show(item, word, i) {
    const tag = tagAt(word, i), written = item.written[word.place];
    const form = tag === -1 ? written : formAt(word, i, written);
    const stack = item.variants.get(word.place);
    const next = stack.variants.get(this.payload.recases ? form : tag);
    this._mark(item, word, i);
    if (next === stack.shown) return;
    stack.shown?.classList.remove("shown");
    next.classList.add("shown");
    stack.shown = next;
  }

  /** Give a word the classes of its status; what else is marked about it stays. */
  _mark(item, word, i) {
    const span = item.spans[word.place], { payload, chosenBy } = this;
    const kept = ["current", "unpinned", "better", "worse"].filter((name) => span.classList.contains(name));
    if (isUnseen(payload, word, i)) kept.push("unseen");
    if (chosenBy && passes(payload, word, i, chosenBy)) kept.push("chosen");
    span.className = ["w", "word", CLASSES[statusAt(word, i)], ...kept].join(" ");
  }

  /** Show words that differ between two places of the grid as they are at the second. */
  flip(words, i) {
    for (const word of words) {
      const item = this.sentences.get(word.sentence);
      if (!item) continue;
      this._show(item, word, i);
      if (this.inSight.has(item.line)) {
        item.spans[word.place].animate([{ backgroundColor: "var(--flash)" }, {}], FLASH);
      }
    }
  }

  /** Show only sentences with a word that passes the filter; returns these words in order. */
  filter(i, filter) {
    const found = [];
    this.chosenBy = filter;
    this.box.dataset.show = filter.differing && !filter.flipped ? "pinned" : filter.pair || filter.only || filter.flipped ? "chosen" : filter.show;
    for (const item of this.sentences.values()) {
      const chosen = item.words.filter((word) => passes(this.payload, word, i, filter));
      const keeps = item.line.querySelector(".why") !== null;
      item.line.hidden = chosen.length === 0 && !keeps;
      for (const word of item.words) item.spans[word.place].classList.toggle("chosen", chosen.includes(word));
      found.push(...chosen);
    }
    const away = (filter.differing?.size ?? 0) - this.payload.words.filter(({ position }) => filter.differing?.has(position)).length; // they are in no payload of this cut-off
    setText(this.note, found.length ? (this.box.dataset.show === "pinned" ? `Above each of these words: how the pinned model writes it, or its tag; ▲ right now, ▼ right in the pin.${away ? ` ${away} more are right at this cut-off whatever σ² is, and not shown.` : ""}` : "") : isKnown(this.payload, i) && filter.differing ? "No word differs from the pinned state here: move σ² or the cut-off." : isKnown(this.payload, i) ? filter.only?.size === 0 ? "No word is in this part of the text: press × above or, if it is that of a weight, move σ²." : filter.only && !this.payload.words.some((word) => passes(this.payload, word, i, { ...filter, show: "all" })) ? "No word of this part of the text is wrong at this σ²." : `No such word at this σ²${filter.only ? " in this part of the text; “all” has the others" : ""}.` : "The words at this σ² are not known yet.");
    return found;
  }

  /** Mark the words on which a pinned model and the present one, at `i`, differ, which is better, and note what the pinned one writes. */
  markPinned(positions, pinned, i) {
    for (const item of this.sentences.values()) {
      for (const word of item.words) {
        const span = item.spans[word.place], tag = pinned?.tags[word.position] ?? word.gold;
        const gain = positions.has(word.position) ? qualityOf(word, tagAt(word, i)) - qualityOf(word, tag) : 0;
        for (const [name, holds] of [["unpinned", positions.has(word.position)], ["better", gain > 0], ["worse", gain < 0]]) span.classList.toggle(name, holds);
        span.dataset.pinned = this.named(word, tag);
      }
    }
  }

  /** The element of a word, if it is on the page, and the line it stands in. */
  find(position) {
    const span = this.list.querySelector(`[data-position="${position}"]`);
    return span && { span, line: span.closest("li") };
  }

  /** A word as written and its place in the text, as it stands in a link. */
  label(position) {
    const item = this.sentences.get(Number(this.find(position).line.dataset.sentence));
    return `${item.written[position - item.start]} · ${position}`;
  }

  /** Make a word the one that Tab reaches, and mark it. */
  choose(position, focus = false) {
    this.current?.setAttribute("tabindex", -1);
    this.current?.classList.remove("current");
    const found = position === null ? null : this.find(position);
    this.current = found?.span ?? null;
    if (!found) return null;
    found.line.hidden = false;
    found.span.setAttribute("tabindex", 0);
    found.span.classList.add("current");
    if (focus) found.span.focus({ preventScroll: true });
    return found;
  }

  /**
   * Scroll the pane, and only the pane, so that an element stands near its top. Some frames on end:
   * lines that come into sight are not as high as the room that was kept for them.
   */
  bring(made, frames = SETTLING) {
    if (frames) requestAnimationFrame(() => made.isConnected && this.bring(made, frames - 1));
    const box = this.box.getBoundingClientRect(), own = made.getBoundingClientRect();
    if (own.top < box.top || own.bottom > Math.min(box.bottom, innerHeight) - 40) {
      this.box.scrollTop += own.top - box.top - 12;
    }
  }

  /** Note where the open answer stands; returns what scrolls the pane so that it stands there again. */
  hold() {
    const panel = this.list.querySelector(".why");
    const top = () => panel.getBoundingClientRect().top - this.box.getBoundingClientRect().top;
    const before = panel && top();
    return () => { if (panel?.isConnected) this.box.scrollTop += top() - before; };
  }

  _listen(onAsk) {
    const ask = (event) => {
      const span = event.target.closest?.(".w");
      if (!span) return false;
      onAsk(Number(span.dataset.position));
      return true;
    };
    this.list.onclick = (event) => { ask(event); }; // "false" would undo a click on anything else
    this.list.onkeydown = (event) => {
      if ((event.key === "Enter" || event.key === " ") && ask(event)) event.preventDefault();
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const span = step && event.target.closest?.(".w");
      if (!span) return;
      const all = [...span.closest("li").querySelectorAll(".w")];
      all[all.indexOf(span) + step]?.focus();
      event.preventDefault();
    };
  }
}

/**
 * The elements of some words with the spaces between them. Those with no space between them stay
 * on one line: between boxes a browser would break it, whatever character stands there.
 */
function joined(words, spans) {
  const runs = [];
  words.forEach((written, place) => {
    if (!place || written.startsWith(" ")) runs.push([]);
    runs.at(-1).push(place);
  });
  const isShort = (run) => run.reduce((length, place) => length + words[place].length, 0) <= LONGEST_RUN;
  return runs.flatMap((run, i) => {
    const kept = run.map((place) => spans[place]);
    const isKept = run.length > 1 && isShort(run);
    return [i ? " " : "", ...(isKept ? [element("span", { class: "run" }, ...kept)] : kept)];
  });
}
