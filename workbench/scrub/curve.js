/** Errors against σ², as SVG: drawn when a fit arrives, then only its marker moves. */

import { bestOnDev, percent } from "./state.js";
import { shape } from "./dom.js";

const LEFT = 52, RIGHT = 14, TOP = 14, BOTTOM = 40;
const BESIDE = 56; // pixels between the middles of "best" and "dev text" where both can be read
const NAMED = 175; // pixels that the name of a rule and half of another one take
const NARROW = 320; // pixels: there the longer name would lie under a ring
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
  x(i) {
    const last = this.payload.sigma2s.length - 1;
    return LEFT + ((this.size[0] - LEFT - RIGHT) * i) / last;
  }

  y(error) {
    const share = (this.value(error) - this.base) / (this.top - this.base);
    return TOP + (this.size[1] - TOP - BOTTOM) * (1 - share);
  }

  /** What is drawn of an error: itself, or where quality is measured what is left to 1. */
  value(error) {
    return this.payload.quality ? 1 - error : error;
  }

  /** Draw all but the marker. */
  draw(payload, width, height) {
    this.payload = payload;
    this.size = [width, height];
    const fixed = this._ruled().map((model) => model.error);
    const known = payload.points.filter(Boolean).flatMap((point) =>
      [point.dev, point.train, ...(typeof point.error === "number" ? [point.error] : [])]);
    [this.base, this.top] = bounds([...fixed, ...known].map((error) => this.value(error)), this.payload.quality);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.marker = shape("line", { class: "marker", y1: TOP, y2: height - BOTTOM });
    this.rings = ["train", "dev"].map((text) => shape("circle", { class: `ring ${text}`, r: 7 }));
    this.ghost = shape("line", { class: "ghost", y1: TOP, y2: height - BOTTOM, visibility: "hidden" });
    const still = [...this._axes(), ...this._rules(), ...this._line("train"), ...this._line("dev"),
      ...this._best(), ...this._looked()];
    const isName = (part) => part.classList.contains("name"); // read over the marker, not under it
    this.svg.replaceChildren(
      ...still.filter((part) => !isName(part)), this.ghost, this.marker, ...still.filter(isName), ...this.rings,
    );
  }

  /** Models whose errors do not move: on dev, as the curve. */
  _ruled() {
    return this.payload.rules ?? this.payload.models;
  }

  _isTest() {
    return this.payload.part === "test";
  }

  /** The one point of the test text that is told, if any is. */
  _looked() {
    if (!this._isTest()) return [];
    return this.payload.points.flatMap((point, i) => {
      if (typeof point?.wrong !== "number") return [];
      const x = this.x(i), y = this.y(point.error), isLeft = i > this.payload.points.length / 2;
      const side = isLeft ? { x: x - 12, "text-anchor": "end" } : { x: x + 12 };
      return [
        shape("path", { class: "looked", d: `M${x - 8} ${y + 6} L${x} ${y - 8} L${x + 8} ${y + 6} Z` }),
        shape("text", { class: "name looked", y: y + 20, ...side }, `test text ${percent(this.value(point.error))}`),
      ];
    });
  }

  /** Put the marker on a grid value, and the ghost of a pinned one, or null, on its own. */
  place(i, pinned = null) {
    if (!this.payload) return; // not drawn yet: there is no room so far
    const x = this.x(i), point = this.payload.points[i];
    this.marker.setAttribute("transform", `translate(${x} 0)`);
    for (const [ring, text] of [[this.rings[0], "train"], [this.rings[1], "dev"]]) {
      ring.setAttribute("visibility", point ? "visible" : "hidden");
      if (point) ring.setAttribute("transform", `translate(${x} ${this.y(point[text])})`);
    }
    this.ghost.setAttribute("visibility", pinned === null ? "hidden" : "visible");
    if (pinned !== null) this.ghost.setAttribute("transform", `translate(${this.x(pinned)} 0)`);
  }

  _axes() {
    const [width, height] = this.size, made = [];
    for (const value of ticks(this.base, this.top)) {
      const y = this.y(this.value(value)); // its own inverse
      made.push(
        shape("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }),
        shape("text", { class: "tick", x: LEFT - 8, y: y + 4.5, "text-anchor": "end" },
          `${+(100 * value).toFixed(1)} %`),
      );
    }
    this.payload.sigma2s.forEach((sigma2, i) => {
      if (LABELLED.includes(sigma2)) {
        made.push(shape("text", { class: "tick", x: this.x(i), y: height - BOTTOM + 18,
          "text-anchor": "middle" }, sigma2));
      }
    });
    made.push(shape("text", { class: "tick", x: (LEFT + width - RIGHT) / 2, y: height - 4,
      "text-anchor": "middle" }, "prior variance σ² (log scale)"));
    return made;
  }

  _rules() {
    const right = this.size[0] - RIGHT;
    const clash = this._ruled().map((model) => this.y(model.error));
    return this._ruled().flatMap((model, place) => {
      const y = clash[place], kind = model.name === "background" ? "background" : "unigram";
      const below = clash.some((other, o) => o !== place && other < y && y - other < 18);
      return [
        shape("line", { class: `rule ${kind}`, x1: LEFT, x2: right, y1: y, y2: y }),
        shape("text", { class: `name ${kind}`, x: right, y: below ? y + 15 : y - 5,
          "text-anchor": "end" }, `${model.name} ${percent(this.value(model.error))}`),
      ];
    });
  }

  _line(text) {
    const known = this.payload.points.flatMap((point, i) => (point ? [[this.x(i), this.y(point[text])]] : []));
    const points = known.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    const dots = known.map(([x, y]) => shape("circle", { class: `dot ${text}`, cx: x, cy: y, r: 2.5 }));
    return [shape("polyline", { class: `line ${text}`, points }), ...dots, ...this._named(text)];
  }

  /**
   * The name of a line, above it where the two are farthest apart, below it where a rule's name is;
   * not beside "best" if it can be.
   */
  _named(text) {
    const { points } = this.payload, best = text === "dev" ? bestOnDev(this.payload) : -1;
    // Where quality is drawn the dev line may run along the rules, whose names stand at the right.
    const end = this.payload.quality && text === "dev" ? this.size[0] - NAMED : Infinity;
    const isFree = (i) => this.x(i) < end && (best === -1 || Math.abs(this.x(i) - this.x(best)) > BESIDE);
    const gaps = points.map((point, i) =>
      (point && i > 2 && i < points.length - 3 ? Math.abs(point.dev - point.train) - !isFree(i) : -Infinity));
    const i = gaps.indexOf(Math.max(...gaps));
    if (!points[i] || gaps[i] === -Infinity) return [];
    const [name, half] = text === "dev" ? ["dev text", 26]
      : this.size[0] < NARROW ? ["adaptation", 36] : ["adaptation text", 50];
    const y = this.y(points[i][text]), isAtNames = this.x(i) > this.size[0] - NAMED;
    const isUnderRule = isAtNames && this._ruled().some((model) => Math.abs(y - this.y(model.error) - 17) < 17);
    return [shape("text", { class: `name ${text}`, x: Math.min(this.x(i), this.size[0] - RIGHT - half),
      y: isUnderRule ? y + 18 : y - 10, "text-anchor": "middle" }, name)];
  }

  /** Above the line, as the rings of the adaptation text are below it. */
  _best() {
    const best = bestOnDev(this.payload);
    if (best === -1) return [];
    const y = this.y(this.payload.points[best].dev);
    return [shape("text", { class: "name dev", x: this.x(best), y: y < TOP + 30 ? y + 22 : y - 12,
      "text-anchor": "middle" }, "best")];
  }

  _follow() {
    const tell = (event, isDone) => {
      const box = this.svg.getBoundingClientRect();
      const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      const last = this.payload.sigma2s.length - 1;
      this.onPlace(Math.round(Math.min(1, Math.max(0, share)) * last), isDone);
    };
    this.svg.onpointerdown = (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.svg.onpointermove = (moved) => tell(moved, false);
      tell(event, false);
    };
    this.svg.onpointerup = this.svg.onpointercancel = (event) => {
      if (!this.svg.onpointermove) return;
      this.svg.onpointermove = null;
      tell(event, true);
    };
  }
}

/** The values at the lower and the upper end: errors are drawn from 0, quality where it changes. */
function bounds(values, quality) {
  const low = Math.min(...values), high = Math.max(...values);
  if (!quality) return [0, 1.08 * high];
  const more = 0.1 * (high - low) || 0.01;
  return [Math.max(0, low - more), Math.min(1, high + more)];
}

/** Round values, four or five, from `base` to at most `top`. */
function ticks(base, top) {
  const rough = (top - base) / (base ? 6 : 4), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const made = [];
  for (let n = Math.ceil(base / step); n * step <= top * 1.0001; n += 1) made.push(n * step);
  return made;
}
