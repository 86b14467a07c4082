/** The pinned states, as a table: what each does, and how the present one compares with it. */

import { element } from "./dom.js";
import { count, isKnown, percent, pinnedAt, sayChance, tally, versusPinned } from "./state.js";

const MOST = 6; // states, those pinned last

/** The table. `go(i, cutoff)` goes to a state; `pin(names)` pins others, named as in a link. Text and cards compare with the last of them. */
export class Trail {
  constructor(go, pin) {
    Object.assign(this, { go, pin, names: [], letters: new Map(), box: element("div", { class: "trail", hidden: true }) });
  }

  take({ at: { pin } }) {
    this.names = pin ? pin.split("; ") : [];
    const kept = this.names.map((name) => this.letters.get(name)), free = [..."ABCDEF"].filter((letter) => !kept.includes(letter));
    this.letters = new Map(this.names.map((name, n) => [name, kept[n] ?? free.shift()])); // one keeps its letter while others come and go
  }

  /** Pin a state, or take it out. */
  toggle(name) {
    const others = this.names.filter((each) => each !== name);
    this.pin(others.length < this.names.length ? others : [...others, name].slice(-MOST));
  }

  /** Draw the table for a place of the path. `find(cutoff)` returns the payload of a cut-off, if it is here; `cells` of the map have errors where it is not. Returns the states: of each its letter, its cut-off, its place, and its point where that is known. */
  draw(payload, i, find, cells) {
    const { fixed, broken } = payload.wording, states = this.names.map((name) => {
      const [sigma2, cutoff] = name.split(", "), own = find(cutoff), k = payload.sigma2s.indexOf(sigma2);
      const point = own?.points[k], error = point?.dev ?? cells.find((cell) => cell.i === k && cell.cutoff === cutoff)?.error;
      return { name, letter: this.letters.get(name), sigma2, cutoff, own, k, point, error };
    });
    const rows = [...states].sort((a, b) => a.k - b.k || parseInt(a.cutoff) - parseInt(b.cutoff)).map((state) => this._row(state, payload, i));
    const buttons = () => [...this.box.querySelectorAll("button")], focused = buttons().indexOf(this.box.getRootNode().activeElement); // each button is made anew
    this.box.hidden = !states.length;
    this.box.replaceChildren(element("table", {},
      element("caption", {}, "Pinned states: errors on dev, and how the words of the present state compare"),
      element("thead", {}, element("tr", {}, ["σ², cut-off", payload.quality || "wrong", fixed, broken, "new features", "here better", "worse", "p"].map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, rows)));
    buttons()[focused]?.focus({ preventScroll: true });
    return states;
  }

  _row({ name, letter, sigma2, cutoff, own, k, point, error }, payload, i) {
    const isHere = own === payload && k === i, n = own && isKnown(own, k) && tally(own, k);
    const versus = n && !isHere && isKnown(payload, i) && versusPinned(payload, i, pinnedAt(own, sigma2));
    const cells = [error !== undefined && percent(payload.quality ? 1 - error : error), n && count(n.fixed), n && count(n.broken), point && count(point.new_features),
      versus && count(versus.better), versus && count(versus.worse), versus && sayChance(versus.p)];
    const button = (text, title, isOn, onclick) => element("button", { class: "plain", type: "button", title, "aria-label": `${title}: ${name}`, "aria-pressed": isOn, onclick }, text);
    const others = this.names.filter((each) => each !== name);
    return element("tr", { class: versus && versus.p < 0.05 ? "clear" : null },
      element("th", { scope: "row" }, element("b", {}, letter, " "), button(name, "Go to this state", `${isHere}`, () => this.go(k, cutoff))), cells.map((text) => element("td", { class: "n" }, text || (isHere ? "–" : "…"))),
      element("td", {}, button("≠", "Compare text and cards with this state", `${name === this.names.at(-1)}`, () => this.pin([...others, name])), button("×", "Take out", null, () => this.pin(others))));
  }
}
