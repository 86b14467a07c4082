/**
 * The scrubber: slider, three errors, curve and running text that move together.
 *
 * `mount(root, send)` builds it in an element and returns `{ take(view), destroy() }`. A view is
 * what `make_view` in view.py returns: the payload of a path, the settings at which it
 * stands, and what is to be said. `send(message)` gets what the user has settled on, as a dict of
 * settings by name and text, and what is asked: `word`, `drop`, `restore`. While the slider moves nothing
 * is sent: all of the path is here. `find(cutoff)` gives what is here of another cut-off.
 */

import { Cards, MEANS } from "./cards.js";
import { Curve } from "./curve.js";
import { element, setText } from "./dom.js";
import { Grid } from "./grid.js";
import { bestOnDev, changes, count, flips, isJudged, isKnown, judgedBy, percent, sayWords, shareWrong, verdictAt, versusPinned } from "./state.js";
import { KINDS, Text } from "./text.js";
import { Tip } from "./tip.js";
import { Trail } from "./trail.js";
import { Why } from "./why.js";
import { Words } from "./words.js";

const FRAME = "scrub"; // what the browser's timeline calls the work of a frame
const PAUSE = 150; // milliseconds without a key before a place counts as settled on
const BRIEF = 30; // the same of the cut-off, which has few values
const TIGHT = 0.4; // of the height: where a lesson's step takes more, the stage has no cards
const KEYS = [
  ["← → Home End", "move σ², when the slider has the focus"], ["] [", "next, previous word or sentence"],
  ["Enter", "why this word or choice?"], ["Esc", "leave Lecture, else close the answer"], ["p", "pin this state, or unpin it"],
  ["s", "go to the slider"], ["n b 1 2 3", "in a lesson: next, back, answer; in its lecture → ←, Space or a presenter, too"], ["?", "show these keys"],
];
const PRESENTERS = { Space: "n", PageDown: "n", ArrowRight: "n", PageUp: "b", ArrowLeft: "b" }; // keys of a presenter, on the stage

export function mount(root, send, find = () => null) {
  const scrubber = new Scrubber(root, send, find);
  return { take: (view) => scrubber.take(view), destroy: () => scrubber.destroy() };
}

class Scrubber {
  constructor(root, send, find) {
    Object.assign(this, { root, send, find });
    this.i = null;
    this.filter = { show: "changed", pair: null, only: null };
    this.slice = ""; // names the part of the text that is shown, or a pair of tags
    this.found = [];
    this._build();
    this._listen();
  }

  // --- building ---------------------------------------------------------------------------

  _build() {
    this.curve = new Curve((i, isDone) => this._move(i, isDone));
    this.grid = new Grid((i, cutoff) => this._go(i, cutoff), (i, cutoff) => this._tellWords(i, cutoff));
    this.text = this._pane(Text);
    this.why = new Why((message) => this.send(message), () => this._close(), (made) => this.text.bring(made));
    this.intro = element("p", { class: "intro" });
    this.tags = element("p", { class: "tags" });
    this.cards = new Cards();
    this.slider = element("input", { type: "range", min: 0, step: 1, "aria-label": "Prior variance σ²" });
    this.value = element("output", { class: "value" });
    this.cutoff = element("input", { type: "range", min: 0, step: 1, "aria-label": "Cut-off of new features" });
    this.cutoffValue = element("output", { class: "value" });
    this.presets = element("div", { class: "presets" });
    this.words = new Words((filter) => this._filterBy(filter), (by) => this._step(by), () => this._filterBy({ show: this.filter.differing ? "changed" : "differ", pair: null }));
    this.status = element("p", { class: "status", "aria-live": "polite" });
    this.flipped = element("button", { class: "flipped", type: "button", title: "Show these words", onclick: () => this._showFlipped() });
    this.tip = new Tip();
    this.keys = element("dialog", { class: "keys", "aria-label": "Words and keys" }, element("form", { method: "dialog" }, element("button", { class: "plain" }, "Close")), element("h2", {}, "Words and keys"),
      element("dl", {}, [...Object.entries(MEANS), ...KEYS].flatMap(([key, what]) => [element("dt", {}, key), element("dd", {}, what)])));
    this.pin = this._button("Pin", "Keep this state, and compare the others with it (p)", () => this.trail.toggle(this._name()));
    this.lecture = this._button("Lecture", "Enlarge the type and hide the choices", () => this._toggleLecture());
    const tools = element("div", { class: "tools" }, this.lecture, this._button("?", "Words and keys", () => this.keys.showModal()));
    this.trail = new Trail((i, cutoff) => this._go(i, cutoff), (names) => this.send({ pin: names.join("; ") }));
    this.cutoffRow = element("div", { class: "row cut" },
      element("span", { class: "label" }, "cut-off ", this.cutoffValue), this.cutoff);
    this.example = element("p", { class: "example" });
    this.afloat = element("span", { class: "afloat" }, this.slider);
    this.sigma2 = element("label", { class: "sigma2" }, this.afloat);
    this.left = element("div", { class: "left" }, this.curve.svg, this.sigma2,
      element("div", { class: "row" }, element("span", { class: "label", title: MEANS["σ²"] }, "σ² = ", this.value), this.example, this.presets),
      this.cutoffRow, this.grid.box);
    this.right = element("div", { class: "right" },
      this.words.row, this.words.overview, this.trail.box, this.text.box);
    this.main = element("div", { class: "main" }, this.left, this.right);
    this.body = element("div", { class: "scrub" },
      this.intro, this.tags, this.cards.row, element("div", { class: "row says" }, this.flipped, this.cards.pinned, this.words.differ, this.status),
      this.main, tools, this.tip.box, this.keys);
    this.root.append(this.body);
  }

  _pane(Kind) { return new Kind((position) => this.ask(position)); }

  /** Have the pane that a payload needs: running text, unless an annex has another. */
  _fit(payload) {
    const Kind = KINDS[payload.wording.unit] ?? Text;
    if (this.text.constructor === Kind) return;
    const made = this._pane(Kind);
    this.text.observer.disconnect();
    this.text.box.replaceWith(made.box);
    this.text = made;
  }

  _button(text, title, onclick) { return element("button", { class: "plain", title, onclick, type: "button" }, text); }

  // --- what arrives -----------------------------------------------------------------------

  take(view) {
    const isFirst = !this.view, before = this.payload, from = this.i;
    const isOver = this.view?.lesson && !view.lesson, isOtherStep = view.lesson?.step !== this.view?.lesson?.step, wasLecture = this.view?.at.lecture;
    const changed = before?.text === view.payload.text ? changedIn(this.view, view) : undefined;
    this._remember(before, view, changed);
    if (isOtherStep) this.former = this.why.shown = null;
    if (isOtherStep && view.lesson?.isTask && view.at.lecture) this.slider.focus({ preventScroll: true }); // so that arrow keys move it
    this.trail.take(view);
    this.view = view;
    this.payload = view.payload;
    this._fit(this.payload);
    const putBack = this.text.hold();
    this.slider.max = this.payload.sigma2s.length - 1;
    this._say();
    const at = this.payload.sigma2s.indexOf(view.at.sigma2);
    if (isFirst || !this._isMoving()) this.i = at;
    this.slider.value = this.i;
    if (!before || before.id !== this.payload.id) {
      this.cards.take(this.payload);
      this.text.take(this.payload, this.i);
      this._draw();
    } else {
      if (from !== this.i) this._place(from);
      if (this.beside !== this._beside() || this.curve.isOne !== this._isOne() || this.curve.errors.length !== this._map().length) this._draw();
      else this._drawGrid();
    }
    if (changed || before?.id !== this.payload.id) this.filter.flipped = null;
    if (isOver || isOtherStep || before?.text !== this.payload.text) this.since = null;
    else if (changed) this.since = changed === "background" ? null : [before, from];
    this._sayFlipped(); // a first, quick fit may have been followed by a better one
    Object.assign(this.filter, { show: view.at.show, pair: view.at.pair ?? null });
    if (view.only || before?.text !== this.payload.text) this.like = null; // the server has heard of it, where there is one
    this._within(this.like ?? (view.only ? view : null));
    this._settle();
    putBack();
    this._answer();
    if (isOver) this.text.choose(null);
    if (isOver || (isOtherStep && view.at.word === null)) this.text.box.scrollTop = 0;
    if (view.lesson && view.at.lecture && (isOtherStep || !wasLecture)) // what it stands in begins with the lesson's strip
      for (let each = this.body; each; each = each.parentNode ?? each.host) if (each.scrollTop) each.scrollTop = 0;
  }

  /** Keep the last curve of another model of the same text, and that of the pinned state; `changed` names what differs. */
  _remember(before, view, changed) {
    if (before?.text !== view.payload.text) this.former = this.ofPin = null;
    else if (before.points.filter(Boolean).length > before.points.length / 2) {
      const kept = { points: before.points }, was = seriesOf(this.view), pin = view.pinned?.cutoff;
      if (changed) this.former = { ...kept, name: nameOf(this.view, changed) };
      if (pin === was["cut-off"] && changed === "cut-off") this.ofPin = { ...kept, name: `curve of the pin, cut-off ${pin}` };
    }
    if (this.former?.name === nameOf(view, changed)) this.former = null; // it has come back
    if (!view.pinned || view.pinned.cutoff === view.at.cutoff) this.ofPin = null;
  }

  _say() {
    const { view } = this;
    setText(this.intro, view.intro);
    this.tags.replaceChildren(...view.tagNames.flatMap(([tag, means]) => [element("b", {}, tag), ` ${means}  `]));
    setText(this.status, view.status);
    this.cutoffRow.hidden = view.cutoffs.length < 2;
    this.grid.box.hidden = this.cutoffRow.hidden || Boolean((view.at.lecture || view.lesson) && view.ring !== "grid");
    this.cutoff.max = view.cutoffs.length - 1;
    if (!this._isMoving()) this.cutoff.value = view.cutoffs.indexOf(view.at.cutoff);
    this._showCutoff();
    const isTest = view.payload.part === "test", isLocked = this.slider.disabled = this.cutoff.disabled = Boolean(view.lesson?.asks) || isTest; // they would tell the answer
    const hasMap = isJudged(view.payload) && !this.grid.box.hidden;
    const map = this._map(), find = (kind) => (kind === "best" ? view.grid.cells : map).find((cell) => cell[kind] && (kind === "best" || !cell.best));
    const goTo = (cell, label, why) => Object.assign(this._button(label, why, () => this._go(cell.i, cell.cutoff)), { disabled: !cell || isLocked }); // always there, so that no button moves while the map is filled
    const ways = hasMap ? [goTo(find("best"), map.length ? "★ best" : "★ so far", "Go to the fewest errors of all σ² and cut-offs that are known"), goTo(find("simplest"), "☆ simplest", "Go to the fewest new features among the cells with ∙ to their left and right; of these to the fewest errors")] : [];
    const presets = view.presets.filter(({ sigma2 }) => sigma2 !== null || !hasMap).map(({ name, sigma2, reason }) => goTo(this._placeOf(sigma2), name, reason));
    this.presets.replaceChildren(...presets, ...ways, this.pin);
    this.lecture.setAttribute("aria-pressed", Boolean(view.at.lecture));
    setText(this.lecture, view.at.lecture ? "Leave (Esc)" : "Lecture");
    this.left.title = view.lesson?.asks ? "The sliders wait for the answer." : isTest ? "The sliders stand still: nothing is chosen on the test text." : "";
    this._ring(view.ring);
  }

  /** Tell the sheet what stands above the curve on the stage, so that the sliders below stay in sight. */
  _fitStage() {
    const { top } = this.main.getBoundingClientRect();
    this.body.style.setProperty("--above", `calc(${Math.max(0, top)}px - 1.2rem)`);
    this.body.classList.toggle("tight", this.body.getBoundingClientRect().top > TIGHT * innerHeight);
  }

  /** Ring the part that a lesson speaks of, if it is one of these. */
  _ring(name) {
    const parts = { slider: this.sigma2, cutoff: this.cutoffRow, curve: this.curve.svg, cards: this.cards.row,
      text: this.text.box, tags: this.tags, grid: this.grid.box };
    for (const [part, made] of Object.entries(parts)) made.classList.toggle("ringed", part === name && !(this.slider.disabled && /slider|cutoff|grid/.test(name)));
    const { lesson, at } = this.view, { veil } = lesson ?? {};
    const is = { lectured: at.lecture, taught: lesson, stage: lesson && at.lecture, veiled: veil && veil !== "effects", effectless: veil === "effects", curveless: ["curve", "counts"].includes(veil) || (veil === "dev" && lesson.scale !== "one"), countless: veil === "counts", devless: veil === "dev", figure: this._isOne() || lesson?.beside, still: lesson?.beside?.pulls?.[0].others || lesson?.beside?.amounts, bare: lesson && !name, cutting: lesson && name === "cutoff", cutless: lesson && at.cutoff === "0" && !["cutoff", "grid"].includes(name) };
    for (const [kind, holds] of Object.entries(is)) this.body.classList.toggle(kind, Boolean(holds));
  }

  /** The place of a σ² at this cut-off, of null the best on dev; null if it is not known: the best of some would be another. */
  _placeOf(sigma2) {
    const { points, sigma2s } = this.payload, isThere = sigma2 !== null || points.every(Boolean);
    return isThere ? { i: sigma2 === null ? bestOnDev(this.payload) : sigma2s.indexOf(sigma2), cutoff: this.view.at.cutoff } : null;
  }

  _draw() {
    const box = this.curve.svg.getBoundingClientRect();
    if (!box.width || !this.payload) return;
    const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16; // of a lecture's type
    const { payload, slice, filter } = this, beside = this._beside(), judged = this._judged();
    const { elsewhere } = beside ?? {}; // a lesson has the errors on another text; those of a part that is shown stand in place of the adaptation text's
    const points = judged.points.map((point, i) => point && { ...point, ...(slice ? { train: shareWrong(payload, i, filter) } : {}), ...(elsewhere ? beside.points[i] : {}), ...(this.view.lesson?.scale === "dev" ? { train: null } : {}) });
    const { rules, label } = elsewhere ? beside : payload;
    this.beside = beside;
    this.curve.draw({ ...judged, points, rules, slice, elsewhere, label }, box.width / zoom, box.height / zoom, elsewhere ? beside.other : beside, this._isOne(), this._map().map(({ error }) => error));
    this.curve.place(this.i, this._former());
    this._drawGrid();
    this._drawTrail();
  }

  /** What is drawn beside the present curve: what a lesson speaks of, else the curve of the pinned state, else the last one; null: none so far. */
  _beside() { return this.view.lesson?.beside ?? this.ofPin ?? this.former ?? null; }

  /** Whether a lesson compares the errors on both texts, on one scale. */
  _isOne() { return this.view.lesson?.scale === "one" && !this.view.lesson.beside?.counts; }

  /** The cells of the map once it is filled, none where it is not shown. */
  _map() {
    const { cutoffs, grid: { cells } } = this.view;
    return !this.grid.box.hidden && cells.length >= cutoffs.length * this.payload.sigma2s.length ? cells : [];
  }

  /** The payload, judged by the map once that is filled. */
  _judged() { return judgedBy(this.payload, this._map(), this.view.at.cutoff); }

  /** The payload of a cut-off, null if it is not here. */
  _pathOf(cutoff) { return cutoff === this.view.at.cutoff ? this.payload : this.find(cutoff); }

  /** The payload of a cut-off if the model at this σ² is known, else null. */
  _known(cutoff) { return [this.find(cutoff)].find((payload) => payload && isKnown(payload, this.i)); }

  /** How many words adaptation fixes and breaks at a place of the map, and how many are other than now, if its path is here. */
  _tellWords(i, cutoff) {
    const payload = this._pathOf(cutoff);
    if (!payload || !isKnown(payload, i)) return "";
    return `; ${sayWords(payload, i)}; ${count(changes(this.payload, this.i, payload, i).length)} ${payload.wording.units} other than now`;
  }

  _drawGrid() {
    const [width] = this.curve.size;
    if (!width || this.grid.box.hidden) return;
    this.grid.draw(this.view, this.payload, width);
    this.grid.place(this.i, this.view.at.cutoff);
  }

  // --- moving -----------------------------------------------------------------------------

  _isMoving() { return this.wanted !== undefined || this.pause !== undefined; }

  /** Go to a place of the grid at the next frame; `isDone` once the user has settled on it. */
  _move(i, isDone) {
    if (this.slider.disabled) return;
    if (this.wanted === undefined) requestAnimationFrame(() => this._frame());
    this.wanted = i;
    if (isDone) this._commitSoon(0);
    else if (!isKnown(this.payload, i)) this._commitSoon(PAUSE);
  }

  /** Go to a place and a cut-off at once. */
  _go(i, cutoff) {
    if (this.slider.disabled) return;
    this.cutoff.value = this.view.cutoffs.indexOf(cutoff);
    this._showCutoff();
    this._move(i, true);
  }

  _frame() {
    const began = performance.now(), { i } = this;
    this.i = this.wanted ?? i; // a commit may have been before this frame
    this.wanted = undefined;
    if (i === this.i) return;
    if (Number(this.slider.value) !== this.i) this.slider.value = this.i;
    this._place(i);
    performance.measure(FRAME, { start: began });
  }

  _place(from) {
    if (from !== this.i && from !== null) this.since = [this.payload, this.began ?? from]; // the slider stood still there
    this._showValue();
    this.cards.place(this.i, this.view.pinned);
    this.afloat.dataset.says = `σ² = ${this.payload.sigma2s[this.i]}: ${this.cards.figures}`;
    this.curve.place(this.i, this._former());
    this.grid.place(this.i, this.view.at.cutoff);
    this.why.place(this.i);
    this._sayExample();
    if (from === this.i || from === null) return;
    this.text.flip(flips(this.payload, from, this.i), this.i);
    this._sayFlipped();
    this.filter.flipped = null; // others have flipped by now
    this.words.count(this.payload, this.i, this.filter);
    setText(this.words.counter, "");
  }

  /** Say which words flipped since `since`, a payload of this text and a place on its slider; nothing where a model is unknown. */
  _sayFlipped() {
    const [before, from] = this.since ?? [], say = (text) => { setText(this.flipped, text); this.afloat.dataset.flips = text; };
    this.flips = [];
    if (!before || !isKnown(before, from) || !isKnown(this.payload, this.i)) return say("");
    const flipped = before === this.payload ? flips(before, from, this.i).map((word) => [word, word])
      : changes(before, from, this.payload, this.i);
    this.flips = flipped.map(([, now]) => now.position);
    const forms = flipped.map(([then, now]) => [this.text.form(then, from), this.text.form(now, this.i)]).filter(([was, is]) => was !== is);
    const n = flipped.length, more = n > Math.min(3, forms.length) ? ", …" : "", { unit, units } = this.payload.wording;
    const shown = forms.length ? `: ${forms.slice(0, 3).map((pair) => pair.join(" → ")).join(", ")}${more}` : ": only tags changed, no letters";
    return say(n ? `${count(n)} ${n === 1 ? unit : units} just flipped${shown}` : `No ${unit} flipped.`);
  }

  /** Beside σ² write the word that a lesson's figure is about, as the adapted model writes it; without a lesson, how good this σ² is. */
  _sayExample() {
    const { near } = this.view.lesson?.beside ?? {}, word = near && isKnown(this.payload, this.i) && this.payload.words.find(({ position }) => position === near.position);
    const form = word && this.text.form(word, this.i), isRight = form === word?.word, verdict = this.view.lesson ? "" : verdictAt(this._judged(), this.i);
    this.example.replaceChildren(...(word ? [near.before, element("b", { class: isRight ? "fixed" : "" }, `${form}${isRight ? "\u00a0✓" : ""}`), near.after, element("small", {}, `all weights: ${near.sure[this.i]}`)] : verdict ? [element("small", {}, verdict)] : []));
  }

  /** Show the words alone that just flipped, whatever they are now, or all that were shown before. */
  _showFlipped() {
    this.filter.flipped = this.filter.flipped || !this.flips.length ? null : new Set(this.flips);
    this._settle();
    this.text.box.scrollTop = 0;
  }

  _showValue() {
    const text = this.payload.sigma2s[this.i];
    setText(this.value, text);
    this.slider.setAttribute("aria-valuetext", text);
  }

  _showCutoff() {
    const text = this.view.cutoffs[this.cutoff.value];
    this.body.classList.toggle("waits", text !== this.view.at.cutoff);
    const point = String(this.payload.cutoff ?? "none") === text && this.payload.points.find(Boolean); // of a cut-off that is here
    setText(this.cutoffValue, text === "none" ? "none: no new feature" : point ? `${text}: ${count(point.new_features)} new features` : text);
    this.cutoff.setAttribute("aria-valuetext", text);
  }

  _commitSoon(pause) {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => {
      this.pause = undefined;
      if (this.wanted !== undefined) this._frame();
      const { at, cutoffs } = this.view;
      const sigma2 = this.payload.sigma2s[this.i], cutoff = cutoffs[this.cutoff.value] ?? at.cutoff;
      // In one message: of two at once Streamlit would know the second alone.
      const moved = { ...(sigma2 === at.sigma2 ? {} : { sigma2 }), ...(cutoff === at.cutoff ? {} : { cutoff }) };
      const payload = moved.cutoff && this._known(cutoff), { show, pair, only } = this.filter;
      const here = { ...at, ...moved, show, pair, word: this.asked ?? null }; // of which the server may not have heard yet
      if (payload) this.take({ ...this.view, payload, at: here, only: this.like ? null : only, explained: null }); // which settles, too
      else this._settle();
      if (Object.keys(moved).length) this.send(moved);
    }, pause);
  }

  /** Show all that need not move with the pointer: which sentences, and the counts. */
  _settle() {
    if (!this._isMoving()) this.began = this.i;
    this._place(null);
    const differing = this._differing();
    this.filter.differing = this.view.pinned && this.filter.show === "differ" ? differing : null;
    this.words.count(this.payload, this.i, this.filter);
    this.found = this.text.filter(this.i, this.filter);
    this.flipped.setAttribute("aria-pressed", Boolean(this.filter.flipped));
    const slice = this.view.lesson || this.like ? "" : [this.filter.pair?.join(" taken for "), this.partName].filter(Boolean).join(", "); // of what is like a word only the server knows all
    if (slice !== this.slice) {
      this.slice = slice;
      this._draw();
    }
    this.text.markPinned(differing, this.view.pinned, this.i);
    this.pin.setAttribute("aria-pressed", this.trail.names.includes(this._name()));
    this.words.sayPinned(differing.size, Boolean(this.filter.differing));
    this._drawTrail();
    this._sayPlace();
  }

  // --- words ------------------------------------------------------------------------------

  /** Show the words that a filter asks for, within the same part of the text, or that which `like` is: some `positions` of words of some `forms`, null for all. */
  _filterBy({ show, pair, like }) {
    const pattern = (form) => form.replace(/[*?[]/g, "[$&]").replaceAll(",", "?"); // of fnmatch, in a list
    const slice = like ? `words like: ${like.forms.map(pattern).join(", ")}` : "", isOther = like !== undefined;
    if (isOther) this._within(this.like = like && { only: like.positions, onlyName: slice });
    Object.assign(this.filter, { show, pair, flipped: null });
    this._settle();
    this.text.box.scrollTop = 0;
    this.send({ show, pair: pair?.join(">") ?? "", ...(isOther ? { slice } : {}) });
  }

  /** Show a part of the text alone, which `onlyName` names; null: all of it. */
  _within(part) {
    this.filter.only = part && new Set(part.only);
    const name = part?.onlyName ?? "";
    if (name !== this.partName) this.text.box.scrollTop = 0;
    this.words.nameOnly((this.partName = name));
  }

  _step(by) {
    if (!this.found.length) return;
    const n = this.found.length, now = this._placeOfAsked();
    const next = now === -1 ? (by > 0 ? 0 : n - 1) : (now + by + n) % n;
    this.ask(this.found[next].position);
  }

  _placeOfAsked() { return this.found.findIndex((word) => word.position === this.asked); }

  _sayPlace() { this.words.sayPlace(this._placeOfAsked(), this.found.length); }

  // --- why --------------------------------------------------------------------------------

  /** Open the explanation of a word beneath its sentence. */
  ask(position, isOurs = true) {
    const found = this.text.choose(position, isOurs);
    this.asked = found ? position : null;
    this.tip.hide(); // it would lie on the answer
    this._sayPlace();
    if (!found) return;
    found.line.append(this.why.panel);
    this.body.classList.add("asks");
    this.why.wait("Working it out …");
    this.text.bring(found.line);
    if (isOurs) this.send({ word: this.text.label(position) });
  }

  _answer() {
    const { explained, at } = this.view;
    if (at.word === null || at.word === undefined) {
      if (this.asked !== null && this.asked !== undefined) this._close(false);
      return;
    }
    if (this.asked !== at.word || !this.why.panel.isConnected) this.ask(at.word, false);
    if (this.asked === null) return;
    if (explained?.why.position === this.asked) {
      const isNew = !this.why.shown;
      this.why.show(explained, this.payload, this.payload.sigma2s.indexOf(explained.sigma2 ?? at.sigma2), this.view.lesson?.path);
      this.why.place(this.i);
      this.why.panel.querySelector(".because")?.classList.toggle("ringed", this.view.ring === "because");
      if (isNew) this.text.bring(this.why.panel.querySelector(".ringed") ?? this.why.panel.parentNode);
    }
    else if (this.view.cannotExplain) this.why.wait(this.view.cannotExplain);
    else this.why.place(null); // another is being worked out
  }

  _close(isOurs = true) {
    const { asked } = this;
    this.why.panel.remove();
    this.body.classList.remove("asks");
    this.asked = null;
    this.text.current?.focus({ preventScroll: true });
    this._sayPlace();
    if (isOurs && asked !== null) this.send({ word: "" });
  }

  // --- a pinned state ---------------------------------------------------------------------

  /** What names the present state in a link. */
  _name() { return `${this.payload.sigma2s[this.i]}, ${this.view.at.cutoff}`; }

  _drawTrail() {
    const states = this.trail.draw(this.payload, this.i, (cutoff) => this._pathOf(cutoff), this.view.grid.cells);
    if (!this.curve.size[0]) return;
    this.curve.mark(this.view.lesson ? [] : states.filter(({ own, point }) => own === this.payload && point));
    this.grid.mark(states);
  }

  /** Where the pinned state stands, whatever its cut-off, or in a lesson where the slider stood before the last move; null: nowhere. */
  _former() {
    const { pinned, lesson } = this.view, [before, from] = this.since ?? [];
    if (pinned) return { i: this.payload.sigma2s.indexOf(pinned.sigma2), error: pinned.dev };
    return lesson && before && !lesson.beside?.elsewhere ? { i: from, error: NaN } : null;
  }

  /** Positions of the words on which the pinned state and the present one differ. */
  _differing() {
    const { pinned } = this.view;
    return pinned && isKnown(this.payload, this.i) ? versusPinned(this.payload, this.i, pinned).positions : new Set();
  }

  _toggleLecture() { this.send({ lecture: this.view.at.lecture ? "" : "on" }); }

  // --- listening --------------------------------------------------------------------------

  _listen() {
    this.slider.oninput = () => { this._move(Number(this.slider.value), false); this._commitSoon(PAUSE); };
    this.slider.onpointerup = () => this._commitSoon(0);
    this.cutoff.oninput = () => { this._showCutoff(); if (this._known(this.view.cutoffs[this.cutoff.value])) this._commitSoon(BRIEF); };
    this.cutoff.onchange = () => this._commitSoon(BRIEF);
    this.resize = new ResizeObserver(() => this._draw());
    this.fit = new ResizeObserver(() => this._fitStage()); // what stands above grows with the lesson's step
    for (let at = this.root; at; at = at.parentElement ?? at.getRootNode().host) this.fit.observe(at);
    this.resize.observe(this.curve.svg);
    this.sight = new IntersectionObserver((seen) => {
      const { isIntersecting, boundingClientRect: { top, height } } = seen.at(-1); // several at once where the page scrolled as soon as it was there
      const isPassed = this.body.classList.toggle("passed", !isIntersecting && top < 0);
      this.main.style.minHeight = isPassed ? `${height}px` : ""; // what goes along leaves its room
    }, { rootMargin: "-20% 0px 0px" }); // what is left of it would be too little to read
    this.sight.observe(this.main);
    this.body.onpointerover = (event) => this._showTip(event.target);
    this.body.onfocusin = (event) => this._showTip(event.target);
    this.onKey = (event) => this._key(event);
    document.addEventListener("keydown", this.onKey);
  }

  _key(event) {
    const at = event.composedPath()[0];
    const isTyping = at instanceof HTMLElement && (at.isContentEditable || (at.matches("input, textarea, select") && at.type !== "range"));
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || this.keys.open) return;
    const isOfStage = this.view.lesson && this.view.at.lecture && !(at.type === "range" && event.key.startsWith("Arrow"));
    const isFree = event.key !== " " || !at.closest?.("button, summary, a, .pane, [role=radio], [role=button]"); // else it is theirs
    const isUnheard = this.view.lesson && at.type === "range" && at.getRootNode() !== document && /^[nb1-9]$/.test(event.key), // Streamlit hears no key of an input
      letter = isUnheard ? event.key : isOfStage && isFree ? PRESENTERS[event.code] : undefined;
    const act = letter ? () => press(letter, event.code) : {
      "]": () => this._step(1), "[": () => this._step(-1), p: () => this.trail.toggle(this._name()),
      s: () => this.slider.focus({ preventScroll: Boolean(isOfStage) }), "?": () => this.keys.showModal(),
      Escape: () => {
        if (this.view.at.lecture) this._toggleLecture();
        else if (this.asked !== null && this.asked !== undefined) this._close();
      },
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  }

  _showTip(target) {
    const span = target.closest?.(".w"), position = span && Number(span.dataset.position);
    if (!this.payload || !span || position === this.asked) return this.tip.hide();
    const word = this.payload.words.find((w) => w.position === position);
    if (!word || !isKnown(this.payload, this.i)) return this.tip.hide();
    const pinned = span.classList.contains("unpinned") ? [`pinned: ${span.dataset.pinned}`] : [];
    this.tip.show(span, [...this.text.lines(word, this.i), ...pinned]);
  }

  destroy() {
    clearTimeout(this.pause);
    document.removeEventListener("keydown", this.onKey);
    for (const each of [this.resize, this.fit, this.sight, this.text.observer]) each.disconnect();
    this.body.remove();
  }
}

/** Press the key of a letter in place of one that is down: Streamlit's shortcuts are of keys that are down alone, and it knows Space by its code. */
function press(letter, down) {
  for (const [kind, key] of [["keyup", down], ["keydown", letter], ["keyup", letter]]) {
    document.dispatchEvent(new KeyboardEvent(kind, { key, bubbles: true }));
  }
}

/** What names the curve of a view. */
function seriesOf({ series, at }) { return { ...series, "cut-off": at.cutoff }; }

/** What a curve of a view is called, that differs from another in one of its series. */
function nameOf(view, changed) { return `${changed === "cut-off" ? "cut-off " : ""}${seriesOf(view)[changed]}`; }

/** The first name in their series in which two views differ; undefined if there is none. */
function changedIn(was, is) {
  const [before, after] = [was, is].map(seriesOf);
  return Object.keys(after).find((name) => after[name] !== before[name]);
}
