/** Which words are shown: by what adaptation did, by tag confusions, and steps through them. */

import { BROKEN, FIXED, MISSPELLED, WRONG, confusion, count, groups, isKnown, tally } from "./state.js";
import { element, setText } from "./dom.js";

const MOST = 40; // words of the overview

/**
 * A row of buttons; `onFilter({show, pair, like})`, `like` null for the whole text, `onStep(by)` and `onDiffering()`, for the words that
 * differ from the pinned state, are told what was asked for.
 */
export class Words {
  constructor(onFilter, onStep, onDiffering) {
    this.onFilter = onFilter;
    this.counter = element("span", { class: "counter" });
    this.overview = element("div", { class: "overview", hidden: true });
    this.opener = element("button", { class: "plain opener", type: "button", "aria-expanded": false, title: "Which words are shown, how often, and their tags", onclick: () => this._toggle() }, "overview");
    const step = (text, title, by) => element("button", { class: "plain", type: "button", title, "aria-label": title, onclick: () => onStep(by) }, text);
    const steps = element("div", { class: "steps" }, step("[", "Previous word", -1), this.counter, step("]", "Next word", 1));
    this.differ = element("button", { class: "chip differ", type: "button", title: "Show the words that differ", onclick: onDiffering });
    this.row = element("div", { class: "row" }, this._chips(), this.only, element("div", { class: "finer" }, this.opener, steps));
  }

  /** Say how many words differ from the pinned state, and whether these are shown alone. */
  sayPinned(n, isOn) {
    setText(this.differ, `${count(n)} differ from the pin`);
    this.differ.hidden = !n && !isOn;
    this.differ.setAttribute("aria-pressed", isOn);
  }

  _chips() {
    this.chips = new Map();
    const made = ["changed", FIXED, BROKEN, WRONG, MISSPELLED, "all"].map((name) => {
      const number = element("b"), label = element("span", {}, name), parts = [label, " ", number];
      const onclick = () => this.onFilter({ show: name, pair: null });
      const chip = element("button", { class: `chip ${name.split(" ")[0]}`, type: "button", onclick }, parts);
      if (name === MISSPELLED) chip.title = "The tag is right, but the word is written wrong.";
      this.chips.set(name, { chip, label, number });
      return chip;
    });
    const onclick = () => this.onFilter({ show: this.filter.show, pair: null, like: null });
    this.only = element("button", { class: "chip part", type: "button", title: "Show all of the text again", "aria-pressed": "true", hidden: true, onclick });
    return element("div", { class: "chips", role: "group", "aria-label": "Which words" }, made);
  }

  _toggle() {
    this.overview.hidden = !this.overview.hidden;
    this.opener.setAttribute("aria-expanded", !this.overview.hidden);
    this._drawOverview();
  }

  /** Count the words of each kind at a place of the grid. */
  count(payload, i, filter) {
    Object.assign(this, { payload, i, filter });
    this.opener.hidden = payload.tags.length === 0;
    const counts = tally(payload, i, filter.only);
    counts.changed = counts[FIXED] + counts[BROKEN];
    counts.all = counts.changed + counts[WRONG] + counts[MISSPELLED];
    this.chips.get(MISSPELLED).chip.hidden = !payload.recases;
    for (const [name, { chip, label, number }] of this.chips) {
      setText(label, this._called(name));
      setText(number, isKnown(payload, i) ? count(counts[name]) : "–");
      chip.setAttribute("aria-pressed", name === filter.show && !filter.pair && !filter.flipped);
    }
    this._drawOverview();
  }

  /** What a status is called in this task. */
  _called(status) {
    const { fixed, broken, wrong } = this.payload.wording;
    return { [FIXED]: fixed, [BROKEN]: broken, [WRONG]: wrong }[status] ?? status;
  }

  /** Name the part of the text that is shown; "" for all of it. */
  nameOnly(name) {
    setText(this.only, `${name} ×`);
    this.only.hidden = name === "";
  }

  /** Say which of the words that are shown is the one asked about, -1 for none. */
  sayPlace(place, n) {
    const { unit, units } = this.payload.wording;
    setText(this.counter, !isKnown(this.payload, this.i) ? "" : place === -1 ? `${count(n)} ${n === 1 ? unit : units}` : `${place + 1} of ${count(n)}`);
  }

  /** Draw which words are shown, and the table of tags, if it is open and they are others than before. */
  _drawOverview() {
    if (this.overview.hidden) return;
    const found = groups(this.payload, this.i, this.filter), cells = confusion(this.payload, this.i);
    const { pair, only } = this.filter, drawn = JSON.stringify([pair, only && [...only], found.map(({ name, counts }) => [name, counts]), cells]);
    if (this.drawn === drawn) return;
    const buttons = () => [...this.overview.querySelectorAll("button")], at = buttons().indexOf(this.overview.getRootNode().activeElement), { scrollTop } = this.overview;
    this.overview.replaceChildren(this._types(found), this._confusion(cells));
    Object.assign(this.overview, { scrollTop });
    buttons()[at]?.focus({ preventScroll: true });
    this.drawn = drawn;
  }

  _types(found) {
    const { unit, units } = this.payload.wording, { show, only } = this.filter, most = found[0]?.words.length;
    const n = found.reduce((total, { words }) => total + words.length, 0);
    const within = only ? found.filter(({ words }) => words.some(({ position }) => only.has(position))) : [];
    const all = [FIXED, BROKEN, WRONG, MISSPELLED], kinds = all.filter((status) => found.some(({ counts }) => counts[status]));
    const line = (group) => {
      const { name, words, counts } = group, isOn = within.length === 1 && within[0] === group;
      const like = { positions: words.map(({ position }) => position), forms: [...new Set(words.map(({ word }) => word))] }, own = all.filter((status) => counts[status]).map((status) => [status, counts[status]]);
      const title = own.map(([status, number]) => `${count(number)} ${this._called(status)}`).join(", ");
      return element("li", {}, element("button", { type: "button", title, "aria-pressed": `${isOn}`, onclick: () => this.onFilter({ show, pair: null, like: isOn ? null : like }) },
        element("span", {}, name), element("b", {}, count(words.length)),
        element("span", { class: "share" }, own.map(([status, number]) => {
          const bar = element("i", { class: status.split(" ")[0] });
          bar.style.width = `${(100 * number) / most}%`; // a report's policy lets no attribute set it
          return bar;
        }))));
    };
    return element("div", {}, element("p", { class: "quiet" }, `${this._called(show)}${only ? ", in the whole text" : ""}: ${count(n)} ${n === 1 ? unit : units}, ${count(found.length)} different${found.length > MOST ? `; the first ${MOST}` : ""} `, kinds.map((status) => element("span", { class: "share" }, element("i", { class: status.split(" ")[0] }), this._called(status)))),
      element("ol", { class: "types" }, found.slice(0, MOST).map(line)));
  }

  _confusion(cells) {
    const { tags } = this.payload;
    const isUsed = (t) => cells.some((row, r) => r !== t && (row[t] || cells[t][r]));
    const used = tags.map((_, t) => t).filter(isUsed);
    const heads = used.map((t) => element("th", { scope: "col" }, tags[t]));
    const rows = used.map((gold) => element("tr", {}, element("th", { scope: "row" }, tags[gold]),
      used.map((given) => this._cell([tags[gold], tags[given]], cells[gold][given]))));
    return element("table", {}, element("caption", {}, `${this.filter.only ? "The whole text: words" : "Words"} by reference tag (row) and adapted tag (column)`),
      element("thead", {}, element("tr", {}, element("td"), heads)), element("tbody", {}, rows));
  }

  _cell(pair, n) {
    if (pair[0] === pair[1] || !n) return element("td", { class: "n quiet" }, count(n));
    const isOn = this.filter.pair?.join(">") === pair.join(">");
    const title = `The words that should be ${pair[0]} and were given ${pair[1]}`, onclick = () => this.onFilter({ show: this.filter.show, pair: isOn ? null : pair });
    return element("td", { class: "n" }, element("button", { class: "plain", type: "button", "aria-pressed": `${isOn}`, title, onclick }, count(n)));
  }
}
