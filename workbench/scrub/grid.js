/** A small map of σ² and cut-off: the errors on dev that are known, and a click goes there. */

import { LEFT, RIGHT } from "./curve.js";
import { element, setText, shape } from "./dom.js";
import { count, isJudged, percent, sayChance } from "./state.js";

const ROW = 13; // pixels

/** The map; `onPick(i, cutoff)` is told the place of the σ² and the cut-off that were clicked; `tell` of them returns what the pointer is told besides. */
export class Grid {
  constructor(onPick, tell) {
    this.svg = shape("svg", { role: "img", onclick: ({ target: { dataset } }) => { if (dataset.cutoff !== undefined) onPick(Number(dataset.i), dataset.cutoff); },
      onpointerover: ({ target: { dataset } }) => (dataset.says ? setText(this.caption, dataset.says + tell(Number(dataset.i), dataset.cutoff)) : this._say()), onpointerleave: () => this._say() });
    this.key = []; // what the caption says while nothing is pointed at
    this.caption = element("figcaption", { class: "quiet" });
    this.box = element("figure", { class: "grid-map" }, this.svg, this.caption);
  }

  draw({ cutoffs, grid }, payload, width) {
    const height = ROW * cutoffs.length, last = payload.sigma2s.length - 1;
    this.across = (i) => LEFT + ((width - LEFT - RIGHT) * Math.min(last, Math.max(0, i))) / last;
    this.cutoffs = cutoffs;
    const known = (this.cells = grid.cells.filter(({ cutoff }) => cutoffs.includes(cutoff))), isFull = known.length === cutoffs.length * (last + 1);
    const errors = known.map(({ error }) => error), low = Math.min(...errors), high = Math.max(...errors), range = high - low || 1;
    const name = ({ i, cutoff }) => `σ²\u00a0${payload.sigma2s[i]}, cut-off\u00a0${cutoff}`, say = (kind) => known.filter((cell) => cell[kind] && (kind === "best" || !cell.best)).map(name)[0];
    const figure = (error) => (payload.quality ? `${payload.quality} ${percent(1 - error)}` : `${percent(error)} wrong`), beside = ({ error, p }) => `${(100 * (error - low)).toFixed(2)}\u00a0points from\u00a0★ (p:\u00a0${sayChance(p)})`;
    const cell = known.find((each) => each.simplest && !each.best), simplest = cell && `${say("simplest")} (p:\u00a0${sayChance(cell.p)})`, share = Math.floor((100 * known.length) / (cutoffs.length * (last + 1)));
    const marks = `; ★\u00a0lowest${isFull ? "" : ` so far (${share}\u00a0% done)`}: ${say("best")}${isFull ? "; ∙\u00a0no clear difference from it" : ""}${simplest ? `; ☆\u00a0fewest features with a\u00a0∙ left and right: ${simplest}` : ""}`;
    this.key = known.length ? [payload.quality ? figure(low) : percent(low), element("span", { class: "ramp" }), `${figure(high)}${isJudged(payload) ? marks : ""}`] : [];
    this._say();
    const label = (row) => shape("text", { class: "tick", x: LEFT - 8, y: ROW * (row + 1) - 2.5, "text-anchor": "end" }, cutoffs[row]);
    this.here = shape("rect", { class: "here", width: ROW, height: ROW, rx: 2 });
    this.pins = shape("g");
    this.within = (i) => Math.min(width - RIGHT - ROW, Math.max(LEFT, this.across(i) - ROW / 2)); // of a mark, its left edge
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("aria-label", grid.says);
    this.svg.style.height = `${height / 16}rem`; // as the type of a lecture
    this.svg.replaceChildren(
      shape("rect", { class: "all", x: LEFT, y: 0, width: width - LEFT - RIGHT, height }), ...cutoffs.map((_, row) => label(row)),
      ...cutoffs.flatMap((cutoff, row) => this._row(this.cells.filter((cell) => cell.cutoff === cutoff), row,
        (error) => 1 - (error - low) / range, payload, figure, isFull && beside)), this.pins, this.here);
  }

  _row(cells, row, shareOf, payload, figure, beside) {
    return cells.flatMap(({ i, cutoff, error, p, near: isNear, best, simplest }) => {
      const near = isNear && beside, isLowest = shareOf(error) === 1; // of another best those near would be others
      const [from, to] = [this.across(i - 0.5), this.across(i + 0.5)];
      const cell = shape("rect", { class: "cell", x: from, y: ROW * row, width: to - from, height: ROW - 1,
        "fill-opacity": (0.08 + 0.84 * shareOf(error) ** 2).toFixed(2), "data-i": i, "data-cutoff": cutoff,
        "data-says": `σ² ${payload.sigma2s[i]}, cut-off ${cutoff}: ${figure(error)}${best ? ", ★" : isLowest ? ", as low as ★" : beside ? `, ${beside({ error, p })}` : ""}${simplest ? ", the fewest features among those with a ∙ to their left and right" : ""}` });
      const middle = { cx: (from + to) / 2, cy: ROW * row + (ROW - 1) / 2 };
      if (!isJudged(payload)) return [cell];
      if (simplest || best) return [cell, shape("text", { class: simplest && !best ? "near simplest" : "near", x: middle.cx, y: middle.cy + 4, "text-anchor": "middle" }, "★")];
      return near ? [cell, shape("circle", { class: "near", ...middle, r: 1.6 })] : [cell];
    });
  }

  /** Have the caption say what colours and marks mean. */
  _say() { this.caption.replaceChildren(...this.key); }

  /** Mark pinned states, each a `letter`, a place `k` and a `cutoff`. */
  mark(states) {
    const isStar = (k, cutoff) => this.cells.some((cell) => (cell.best || cell.simplest) && cell.i === k && cell.cutoff === cutoff); // beside which it stands
    this.pins?.replaceChildren(...states.map(({ letter, k, cutoff }) => shape("text", { class: "letter", x: this.within(k) + (isStar(k, cutoff) ? 1.5 : 0.5) * ROW, y: ROW * (this.cutoffs.indexOf(cutoff) + 1) - 2.5, "text-anchor": "middle" }, letter)));
  }

  /** Mark where the sliders stand. */
  place(i, cutoff) { this.here?.setAttribute("transform", `translate(${this.within(i)} ${ROW * this.cutoffs.indexOf(cutoff) - 0.5})`); }
}
