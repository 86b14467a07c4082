/**
 * Errors against σ², as SVG: drawn when a fit arrives, then only its marker and crosshair move.
 *
 * Two panels over one axis of σ², each with a scale of its own: above the errors on dev, which
 * differ little along the path, below those on the adaptation text, which may fall to nothing.
 * Where a part of the text, or words of some tags, are shown alone, the lower panel has their
 * errors. Where a lesson compares the two texts there is one panel with one scale.
 */

import { BAR, KINDS, MEANS } from "./cards.js";
import { asGood, bestOnDev, isJudged, isKnown, percent, sayWords } from "./state.js";
import { setText, shape } from "./dom.js";
import { Labels } from "./labels.js";
import { drawPulls } from "./pull.js";
import { drawAmounts } from "./amounts.js";

export const LEFT = 52;
export const RIGHT = 14;
const TOP = 30, BOTTOM = 40, BETWEEN = 26; // pixels around and between the panels
const LOWER = 0.3, LEAST = 32, SHORT = 200; // the share of the adaptation text's panel, its least height, and the height of a drawing without it
const PER_TICK = 34, DOT = 2.5, NEXT = 2; // pixels: of height, and the radius of a point; and places between which a line is drawn, since every second is fitted first
const NARROW = 420; // pixels: there the crosshair's values need the room of the y axis' title
const MIDDLE = 480; // from here on there is room below for the name of the axis
const LABELLED = ["0.01", "0.1", "1", "10", "100"];

/** The curve of a payload; `onPlace(i, isDone)` is told where the pointer drags the marker. */
export class Curve {
  constructor(onPlace) {
    this.svg = shape("svg", { class: "curve", "aria-hidden": "true" });
    this.size = [0, 0];
    this.onPlace = onPlace;
    this._follow();
  }

  /** Horizontal place of a grid value, in pixels of the drawing. */
  x(i) { return LEFT + ((this.size[0] - LEFT - RIGHT) * i) / (this.payload.sigma2s.length - 1); }

  /** Vertical place of an error in the panel of a text, "dev" or "train". */
  y(error, text = "dev") {
    const { base, top, head, foot } = this.panels[text];
    return foot - ((foot - head) * (this.value(error) - base)) / (top - base);
  }

  /** What is drawn of an error: itself, or where quality is measured what is left to 1. */
  value(error) { return this.payload.quality ? 1 - error : error; }

  /** Draw all but the marker; `former`, its points and their name, is another curve to compare with, or it has `pulls`, `amounts` or `counts`, which are drawn in place of the curve; `payload.slice` names what its points have as "train" in place of the adaptation text, or is ""; `payload.elsewhere` names the text that its errors are of, if that is not dev; `errors` are those of a whole map, for which there is room, so that its cut-offs have one scale. */
  draw(payload, width, height, former = null, isOne = false, errors = []) {
    Object.assign(this, { payload, former, isOne, errors, hasBand: isJudged(payload) && payload.points.some((point) => point?.spread), rules: payload.rules ?? payload.models }); // of models whose errors do not move
    this.size = [width, height];
    this.panels = this._panels();
    this.svg.classList.toggle("sliced", payload.slice !== "");
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const upright = (kind) => shape("line", { class: kind, y1: TOP, y2: height - BOTTOM, visibility: "hidden" });
    this.marker = shape("line", { class: "marker", y1: TOP, y2: height - BOTTOM });
    this.rings = ["train", "dev"].map((text) => shape("circle", { class: `ring ${text}`, r: 7 }));
    this.ghost = [upright("ghost"), shape("circle", { class: "ghost", r: 5 })];
    this.gap = shape("g", { class: "gap" });
    this.cross = upright("cross");
    this.pins = shape("g");
    this.reading = shape("text", { class: "reading", x: width - RIGHT, y: 12, "text-anchor": "end" });
    this.title = shape("text", { class: "tick title", x: 0, y: 12 }, former?.counts ? former.name :
      `${payload.quality ? `${payload.quality} in %` : `% of ${payload.wording.units} wrong`}, ${payload.elsewhere ?? (payload.part === "test" ? "dev text (cards: test)" : "dev text")}${isJudged(payload) ? "" : ": no verdict"}${this.hasBand ? `; band: 95 % interval${width < MIDDLE ? "" : " of the change from background"}` : ""}`);
    this.svg.replaceChildren(this.title, ...this._axes(), ...(former?.counts ? this._counts() : [...this._good(), ...this._band(),
      ...this.rules.map(({ name, error }) => shape("line", { class: `rule ${KINDS[name] ?? "former"}`, x1: LEFT, x2: width - RIGHT, y1: this.y(error), y2: this.y(error) })),
      ...this._line(former?.points ?? [], "dev", "former"), ...this._line(payload.points, "train"),
      ...this._line(payload.points, "dev")]), this.cross, ...this.ghost, this.pins, this.marker,
      ...(former?.counts ? [] : [this.gap, ...this._names(), ...this.rings]), this.reading,
    );
    const box = { left: LEFT, right: width - RIGHT, top: TOP, foot: height - BOTTOM };
    this.pull = former?.pulls && drawPulls(this.svg, former, payload.sigma2s, box); // in its place
    if (former?.amounts) drawAmounts(this.svg, former, box);
    this.svg.classList.toggle("pulled", Boolean(former?.pulls ?? former?.amounts));
    this.svg.classList.toggle("counted", Boolean(former?.counts));
  }

  /** The panel of each text: the values at its foot and head, and where these are. */
  _panels() {
    const known = this.payload.points.filter(Boolean), others = this.former?.points ?? [];
    const fixed = this.rules.map((model) => model.error);
    const lines = [...fixed, ...this.errors, ...[...others.filter(Boolean), ...known].map((point) => point.dev)];
    const [low, high] = [Math.min(...lines), Math.max(...lines)], more = (high - low) / 5 || Infinity; // for the band, at most
    const dev = [...lines, ...(this.errors.length && high > low ? [low - more, high + more] : known.flatMap(({ dev: error, spread }) => [Math.max(error - spread, low - more), Math.min(error + spread, high + more)]))]; // with a map the same at every cut-off
    const lowest = this.size[1] - BOTTOM, whole = { head: TOP, foot: lowest }, room = lowest - TOP - BETWEEN;
    const middle = TOP + room - Math.max(LEAST, LOWER * room), train = [...known.map((point) => point.train).filter(Number.isFinite), this.payload.quality ? 1 : 0];
    const one = { ...this._range([...dev, ...train]), ...whole };
    const counted = Object.values(this.former?.counts ?? {}).flat();
    if (counted.length) return { dev: { base: Math.min(0, ...counted), top: 1.08 * Math.max(...counted), ...whole } };
    if (this.isOne) return { dev: one, train: one };
    if (this.size[1] < SHORT || this.payload.elsewhere || (known.length && !known.some((point) => Number.isFinite(point.train)))) return { dev: { ...this._range(dev), ...whole } };
    return {
      dev: { ...this._range(dev), head: TOP, foot: middle },
      train: { ...this._range(train), head: middle + BETWEEN, foot: lowest },
    };
  }

  /** The values at the foot and the head of a panel that has room for some errors. */
  _range(errors) {
    const values = errors.map((error) => this.value(error)), low = Math.min(...values), high = Math.max(...values);
    const more = 0.08 * (high - low) || 0.005;
    return { base: Math.max(0, low - more), top: high + more };
  }

  /** Places of what is known of some points. */
  _places(points, text) {
    return points.flatMap((point, i) => (this.panels[text] && Number.isFinite(point?.[text]) ? [[this.x(i), this.y(point[text], text)]] : []));
  }

  /** Put the marker on a grid value, and the ghost of `former`, a value and its error on dev, on its own. */
  place(i, former = null) {
    if (!this.payload) return; // not drawn yet: there is no room so far
    this.pull?.(i);
    const x = this.x(i), point = this.payload.points[i];
    this.marker.setAttribute("transform", `translate(${x} 0)`);
    for (const [ring, text] of [[this.rings[0], "train"], [this.rings[1], "dev"]]) {
      const isThere = this.panels[text] && Number.isFinite(point?.[text]);
      ring.setAttribute("visibility", isThere ? "visible" : "hidden");
      if (isThere) ring.setAttribute("transform", `translate(${x} ${this.y(point[text], text)})`);
    }
    this._drawGap(x, point);
    const { head, foot } = this.panels.dev, y = former ? this.y(former.error) : NaN;
    this.ghost[1].setAttribute("cy", y || 0);
    show(this.ghost[0], former && this.x(former.i));
    show(this.ghost[1], y >= head && y <= foot ? this.x(former.i) : null);
  }

  /** Draw the gap between the errors on both texts, where they have one scale, at `x` pixels; `point` has the errors, if they are known. */
  _drawGap(x, point) {
    const isThere = this.isOne && Number.isFinite(point?.dev - point?.train), [y1, y2] = isThere ? [this.y(point.train), this.y(point.dev)] : [], [by, anchor] = x < this.size[0] / 2 ? [12, "start"] : [-12, "end"];
    this.gap.replaceChildren(...(isThere ? [shape("line", { class: "apart", x1: x, x2: x, y1, y2 }),
      shape("text", { class: "name", x: x + by, y: (y1 + y2) / 2 + 4, "text-anchor": anchor }, `gap ${percent(point.dev - point.train).slice(0, -2)} points`)] : []));
  }

  /** Mark pinned states of this path, each a `letter`, a place `k` and a `point`. */
  mark(states) {
    this.pins.replaceChildren(...states.flatMap(({ letter, k, point }) => [shape("rect", { class: "pin", x: this.x(k) - 4, y: this.y(point.dev) - 4, width: 8, height: 8 }), shape("text", { class: "letter", x: this.x(k), y: this.y(point.dev) - 8, "text-anchor": "middle" }, letter)]));
  }

  /** Put the crosshair on a grid value and say what stands there; null: take it away. */
  _read(i) {
    show(this.cross, i === null ? null : this.x(i));
    const point = this.payload.points[i], figure = (text) => percent(this.value(point[text]));
    const words = this.size[0] >= MIDDLE && isKnown(this.payload, i) ? ` · ${sayWords(this.payload, i)}` : "";
    const { counts } = this.former ?? {}, says = counts ? Object.entries(counts).map(([name, values]) => `${values[i]} ${name}`).join(" · ") : point ? `dev ${figure("dev")} · ${this.payload.slice ? "part" : "adaptation"} ${figure("train")}${words}` : "not fitted yet";
    setText(this.reading, i === null ? "" : `σ² ${this.payload.sigma2s[i]} · ${says}`);
    this.title.setAttribute("visibility", i === null ? "visible" : "hidden"); // they share a line
  }

  _axes() {
    const [width, height] = this.size, made = [];
    for (const [text, { base, top, head, foot }] of Object.entries(this.panels).slice(this.isOne ? 1 : 0)) {
      if (text === "train" && !this.isOne) made.push(shape("rect", { class: "other", x: LEFT, y: head, width: width - LEFT - RIGHT, height: foot - head }));
      for (const value of ticks(base, top, (foot - head) / PER_TICK)) {
        const y = this.y(this.value(value), text); // its own inverse
        made.push(shape("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }),
          shape("text", { class: "tick", x: LEFT - 8, y: y + 4.5, "text-anchor": "end" }, this.former?.counts ? value : `${+(100 * value).toFixed(2)} %`));
      }
    }
    this.payload.sigma2s.forEach((sigma2, i) => {
      if (LABELLED.includes(sigma2)) made.push(shape("text", { class: "tick", x: this.x(i), y: height - BOTTOM + 18, "text-anchor": "middle" }, sigma2));
    });
    const part = (name, says) => shape("tspan", { class: `force ${name}` }, says), isNarrow = width < NARROW;
    made.push(shape("text", { class: "tick", x: width < MIDDLE ? 0 : LEFT, y: height - 4 }, shape("title", {}, MEANS["σ²"]), isNarrow ? "σ² (log)" : `σ²${width < MIDDLE ? "" : " (log)"}: `,
      isNarrow ? null : [part("likelihood", "Σ log p"), " − ", part("prior", "Σ (λ − λ⁰)² / 2σ²")])); // what is maximised, in the colours of the lessons
    return made;
  }

  /** A bar below the values that are as good as the lowest of the curve, or ★ of the map, and what it says. */
  _good() {
    const [width, height] = this.size, good = asGood(this.payload), y = this.panels.dev.foot;
    if (!good.length) return [];
    const firsts = good.filter((i) => !good.includes(i - 1)), lasts = good.filter((i) => !good.includes(i + 1));
    return [shape("g", {}, shape("title", {}, MEANS[BAR]), firsts.map((i, n) => shape("line", { class: "good", x1: this.x(i) - DOT, x2: this.x(lasts[n]) + DOT, y1: y, y2: y })),
      shape("text", { class: "tick good", x: width - RIGHT, y: height - 4, "text-anchor": "end" },
        shape("tspan", { class: "sign" }, "━━ "), `no clear difference from ${this.payload.star === undefined ? "lowest" : "★"}`))];
  }

  /** The 95 % interval of the difference from the background: whose line is outside of it where they differ clearly. */
  _band() {
    const known = [...this.payload.points.keys()].filter((i) => this.payload.points[i]);
    if (!this.hasBand || known.some((i, k) => i - known[k - 1] > NEXT)) return [];
    const { head, foot } = this.panels.dev, within = (y) => Math.min(foot, Math.max(head, y)).toFixed(1);
    const edge = (sign) => this.payload.points.flatMap((point, i) => (point ? [`${this.x(i).toFixed(1)},${within(this.y(point.dev + sign * point.spread))}`] : []));
    return [shape("polygon", { class: "band dev", points: [...edge(1), ...edge(-1).reverse()].join(" ") })];
  }

  /** What a lesson has counted at each value: one thing as bars, several as lines with their names. */
  _counts() {
    const all = Object.entries(this.former.counts), wide = (this.x(1) - this.x(0)) / 2, { foot } = this.panels.dev; // pixels
    if (all.length === 1) return all[0][1].map((n, i) => shape("rect", { class: "times", x: this.x(i) - wide / 2, width: wide, y: this.y(n), height: foot - this.y(n) }));
    return all.flatMap(([name, values]) => [shape("polyline", { class: `line ${name}`, points: values.map((n, i) => `${this.x(i)},${this.y(n)}`).join(" ") }),
      shape("text", { class: `name ${name}`, x: this.x(values.length - 1), y: this.y(values.at(-1)) - 8, "text-anchor": "end" }, name)]);
  }

  _line(all, text, kind = text) {
    const known = this._places(all, text), apart = this.x(NEXT + 0.5) - this.x(0);
    const path = known.map(([x, y], k) => `${k && x - known[k - 1][0] < apart ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const dots = kind === text ? known.map(([cx, cy]) => shape("circle", { class: `dot ${kind}`, cx, cy, r: DOT })) : [];
    return [shape("path", { class: `line ${kind}`, d: path }), ...dots];
  }

  /** The names of all lines: first of those that do not move, at an end of theirs. */
  _names() {
    const { points } = this.payload, [left, right] = [LEFT + 4, this.size[0] - RIGHT], best = points.every(Boolean) && isJudged(this.payload) ? bestOnDev(this.payload) : -1;
    const others = this.former?.points ?? [], labels = new Labels(LEFT, right + 1), { dev } = this.panels;
    const across = (y) => [[LEFT, y], [right, y]];
    for (const known of [this._places(points, "dev"), this._places(points, "train"), this._places(others, "dev"),
      ...[-2, 0, 2].map((by) => across(dev.foot + by)), ...this.rules.map((model) => across(this.y(model.error)))]) labels.avoid(known);
    const made = this.isOne || !this.panels.train ? [] : [labels.name(`${this.payload.slice || "adaptation text"} (a scale of its own)`, "train", this.panels.train, [[LEFT, this.panels.train.head - 5, "start"]])];
    const told = this.rules.map(({ name, error }) => ({ error, kind: KINDS[name] ?? "former", says: `${name} ${percent(this.value(error))}` })), all = { error: Math.max(...told.map(({ error }) => error)), kind: "former", says: told.map(({ says }) => says).join(" · ") };
    made.push(...(this.isOne && told.length ? [all] : told).map(({ error, kind, says }) => { // on one scale no name has room between the lines
      const y = this.y(error);
      const ends = [[right, "end"], [left, "start"], [0.3 * left + 0.7 * right, "middle"], [0.7 * left + 0.3 * right, "middle"]];
      return labels.name(says, kind, dev,
        ends.flatMap(([x, anchor]) => [[x, y - 5, anchor], [x, y + 16, anchor]]));
    }));
    if (best !== -1) {
      const [x, y] = [this.x(best), this.y(points[best].dev)], there = this.payload.elsewhere && others[best]; // what became of it on another text
      if (there) made.push(shape("line", { class: "apart", x1: x, x2: x, y1: y, y2: this.y(there.dev) }), shape("circle", { class: "ghost", cx: x, cy: this.y(there.dev), r: 5 }));
      made.push(shape("circle", { class: "dot dev", cx: x, cy: y, r: 4.5 }), labels.name("lowest", "dev", dev, [[x + 8, y - 8, "start"], [x - 8, y - 8, "end"], [x + 8, y + 18, "start"], [x - 8, y + 18, "end"], [x, y - 12, "middle"], [x, y + 22, "middle"], [x, y - 12, "start"], [x, y - 12, "end"], [x, y + 36, "middle"],
        [x, y + 22, "start"], [x, y + 22, "end"], [x + 10, y + 4, "start"], [x - 10, y + 4, "end"]]));
    }
    const along = (all, name, kind, text = "dev") => {
      if (all.filter(Boolean).length <= all.length / 2) return; // it would move with every fit
      const apart = (i) => Math.abs(all[i].dev - (all[i].train ?? 0));
      const order = [...all.keys()].filter((i) => all[i]).sort((i, k) => apart(k) - apart(i));
      const near = (...by) => order.flatMap((i) => by.map((away) => [this.x(i), this.y(all[i][text], text) + away, "middle"]));
      made.push(labels.name(name, kind, dev, [...near(-10, 19), ...near(-26, 35)]));
    };
    along(points, this.payload.label ?? "adapted", "dev");
    if (this.isOne) along(points, "adaptation text", "train path", "train");
    along(others, this.former?.name, "former");
    return made;
  }

  _follow() {
    let isDown = false;
    const placeOf = (event) => {
      const box = this.svg.getBoundingClientRect();
      const [width] = this.size, x = ((event.clientX - box.left) * width) / box.width;
      const share = (x - LEFT) / (width - LEFT - RIGHT);
      return Math.round(Math.min(1, Math.max(0, share)) * (this.payload.sigma2s.length - 1));
    };
    this.svg.onpointerdown = (event) => {
      this.svg.setPointerCapture(event.pointerId);
      isDown = true;
      this.onPlace(placeOf(event), false);
    };
    this.svg.onpointermove = (event) => {
      if (!this.payload) return;
      this._read(placeOf(event));
      if (isDown) this.onPlace(placeOf(event), false);
    };
    this.svg.onpointerleave = () => { if (this.payload) this._read(null); };
    this.svg.onpointerup = this.svg.onpointercancel = (event) => {
      if (isDown) this.onPlace(placeOf(event), true);
      isDown = false;
    };
  }
}

/** Put what stands upright at a place, or hide it where that is null. */
function show(line, x) {
  line.setAttribute("visibility", x === null ? "hidden" : "visible");
  if (x !== null) line.setAttribute("transform", `translate(${x} 0)`);
}

/** Round values from `base` to at most `top`, some `n` of them and at least two where there are two. */
function ticks(base, top, n) {
  const rough = (top - base) / Math.max(2, n), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((each) => each >= rough);
  const first = Math.ceil(base / step), last = Math.floor((top * 1.0001) / step);
  return Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step);
}
