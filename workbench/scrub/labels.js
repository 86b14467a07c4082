/** Names of lines in a drawing: each lies on no other name, and on lines where it cannot but. */

import { shape } from "./dom.js";

const LETTER = 6.5; // pixels that a letter takes
const RISE = 11, FALL = 4; // pixels above and below its foot
const OUTSIDE = 16; // pixels that a name may stand above or below its panel
const STEP = 5; // pixels between two places of a line that names should not lie on
const SHIFTS = { start: 0, middle: 0.5, end: 1 }; // what share of a text is left of its anchor

export class Labels {
  /** Of names between a left and a right end. */
  constructor(left, right) { Object.assign(this, { ends: [left, right], boxes: [], ink: [] }); }

  /** Keep free what lies along a line of points. */
  avoid(points) {
    points.slice(1).forEach(([x, y], k) => {
      const [fromX, fromY] = points[k], n = Math.ceil(Math.hypot(x - fromX, y - fromY) / STEP);
      for (let s = 0; s <= n; s += 1) this.ink.push([fromX + ((x - fromX) * s) / n, fromY + ((y - fromY) * s) / n]);
    });
  }

  /** A name at the best of some places `[x, y, anchor]` of a panel, the first of equals. */
  name(text, kind, panel, places) {
    const boxes = places.map(([x, y, anchor]) => {
      const width = LETTER * text.length, left = x - SHIFTS[anchor] * width;
      return [left, y - RISE, left + width, y + FALL];
    });
    const costs = boxes.map((box) => this._cost(box, panel));
    const best = costs.indexOf(Math.min(...costs)), [x, y, anchor] = places[best];
    this.boxes.push(boxes[best]);
    return shape("text", { class: `name ${kind}`, x, y, "text-anchor": anchor }, text);
  }

  _cost([left, top, right, bottom], { head, foot }) {
    const [first, last] = this.ends, covers = 1000;
    const others = this.boxes.filter((box) => left < box[2] && right > box[0] && top < box[3] && bottom > box[1]);
    const lines = this.ink.filter(([x, y]) => x > left && x < right && y > top && y < bottom);
    return covers * (others.length + (left < first) + (right > last) + (top < head - OUTSIDE) + (bottom > foot + OUTSIDE)) + lines.length;
  }
}
