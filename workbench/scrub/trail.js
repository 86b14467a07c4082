/** The states pinned so far, as a table: what each does, and how the present one compares with it. */

import { element } from "./dom.js";
import { count, isKnown, percent, pinnedAt, sayChance, tally, versusPinned } from "./state.js";

const KEY = "workbench-pins", MOST = 6; // states of a text and model, the last pinned

/** What a browser's tab keeps through a reload; a frame made of a string keeps nothing. */
function store() { try { return sessionStorage; } catch { return {}; } }

/** The table; `go(i, cutoff)` goes back to a state. */
export class Trail {
  constructor(go) {
    Object.assign(this, { go, kept: JSON.parse(store()[KEY] ?? "{}") });
    this.box = element("div", { class: "trail", hidden: true });
  }

  /** Take a view: its pinned state is one of those of its text and model. */
  take({ payload, series, pinned }) {
    this.of = JSON.stringify([payload.text, { ...series, "cut-off": "any" }]);
    const name = pinned && `${pinned.sigma2}, ${pinned.cutoff}`, names = (this.kept[this.of] ??= []);
    if (name && !names.includes(name)) this._keep([...names, name].slice(-MOST));
  }

  /** Take out a state, named as in a link. */
  takeOut(name) { this._keep(this.kept[this.of].filter((each) => each !== name)); }

  _keep(names) {
    this.kept[this.of] = names;
    store()[KEY] = JSON.stringify(this.kept);
  }

  /** Draw the table for a place of the path; `find(cutoff)` gives that of a cut-off, if it is here. Returns where the states are on the curve: places and errors on dev. */
  draw(payload, i, find) {
    const { fixed, broken } = payload.wording, states = this.kept[this.of].map((name) => {
      const [sigma2, cutoff] = name.split(", "), own = find(cutoff), k = payload.sigma2s.indexOf(sigma2);
      return { name, sigma2, cutoff, own, k, point: own?.points[k] };
    });
    this.box.hidden = !states.length;
    this.box.replaceChildren(element("table", {},
      element("caption", {}, "States pinned so far: errors on dev, and how the words of the present state compare"),
      element("thead", {}, element("tr", {}, ["σ², cut-off", payload.quality || "wrong", fixed, broken, "new features", "here better", "worse", "p"].map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, states.map((state) => this._row(state, payload, i)))));
    return states.filter(({ point }) => point).map(({ k, point }) => [k, point.dev]);
  }

  _row({ name, sigma2, cutoff, own, k, point }, payload, i) {
    const isHere = own === payload && k === i, n = own && isKnown(own, k) && tally(own, k);
    const versus = n && !isHere && isKnown(payload, i) && versusPinned(payload, i, pinnedAt(own, sigma2));
    const cells = [point && percent(payload.quality ? 1 - point.dev : point.dev), n && count(n.fixed), n && count(n.broken), point && count(point.new_features),
      versus && count(versus.better), versus && count(versus.worse), versus && sayChance(versus.p)];
    const button = element("button", { class: "plain", type: "button", "aria-pressed": `${isHere}`, title: "Go back to this state", onclick: () => this.go(k, cutoff) }, name);
    return element("tr", { class: versus && versus.p < 0.05 ? "clear" : null }, element("th", { scope: "row" }, button), cells.map((text) => element("td", { class: "n" }, text || "–")));
  }
}
