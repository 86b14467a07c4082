/** The path of a decision as a small picture: a word, its features, their weights, two tags. */

import { element, shape } from "./dom.js";
import { nats } from "./state.js";

const MOST = 4; // features with a line of their own
const TOP = 22, LETTER = 7.5, TYPE = 14; // pixels, where text is of size TYPE
const LEAST = 260, MOST_WIDE = 620, NARROW = 460; // where weights stand below their lines

/** A button that draws the path step by step, or at once where motion is not wanted; once drawn it moves with the weights. */
export class Flow {
  constructor() {
    this.button = element("button", { class: "plain", type: "button", onclick: (event) => this.toggle(event.isTrusted) });
    this.box = element("div", { class: "flow" }, this.button);
    Object.assign(this, { isOpen: false, names: [] });
    this._put();
  }

  /** Take a decision: what `why` says of it, in `gap` the weights, perhaps of another σ², and the largest weight, which is drawn thickest. The right tag is always the upper one, and while it is open its lines keep their order. */
  take(why, gap, most) {
    const before = this.isOpen ? this.names : [], rank = ({ words }) => (before.includes(words) ? before.indexOf(words) : before.length);
    const rows = gap.rows.filter((row) => row.adapted).sort((a, b) => rank(a) - rank(b) || Math.abs(b.adapted) - Math.abs(a.adapted)), own = { ...gap, rows };
    this.names = rows.map(({ words }) => words);
    Object.assign(this, { why, gap: gap.from === why.gold?.tag ? mirrored(own) : own, most });
    this._put("still");
  }

  /** Open or close the picture; `isOurs` where somebody asked for it, else the page keeps its place. */
  toggle(isOurs) {
    this.isOpen = !this.isOpen;
    this._put("");
    if (this.isOpen && isOurs) this.box.scrollIntoView({ block: "nearest" });
  }

  /** Put the picture, drawn anew, and what the buttons say; `name` is its class. */
  _put(name) {
    const { box, why, gap, most, isOpen } = this;
    this.button.setAttribute("aria-expanded", isOpen);
    this.button.textContent = isOpen ? "Hide the path" : "Show the path";
    this.picture?.remove();
    if (!isOpen) return;
    const size = parseFloat(getComputedStyle(box).fontSize) / TYPE;
    box.append(this.picture = draw(why.word, { ...gap, rows: strongest(gap.rows) }, most, box.clientWidth, size, name));
  }
}

/** The picture in a room of some pixels; what has the class `at2` appears in the third step. */
function draw(word, gap, most, room, size, name) {
  const width = Math.max(LEAST, Math.min(MOST_WIDE, room / size));
  const isNarrow = width < NARROW, high = isNarrow ? 40 : 30; // of a row
  const { rows } = gap, middle = TOP + (high * rows.length) / 2 + 4;
  const written = word.length > 12 ? `${word.slice(0, 11)}…` : word;
  const begin = LETTER * written.length + 4, end = width - LETTER * Math.max(gap.to.length, gap.from.length, 4) - 6;
  const first = begin + 0.09 * width, last = end - 0.11 * width;
  const text = (at, x, y, words, anchor = "start") => shape("text", { class: at, x, y, "text-anchor": anchor }, words);
  const curve = (x, y, toX, toY) => `C${(x + toX) / 2} ${y} ${(x + toX) / 2} ${toY} ${toX} ${toY}`;
  const vote = (y, weight, kind = weight < 0 ? "against" : "for") => shape("path", { class: `wire weight at2 ${kind}`, pathLength: 1,
    "stroke-width": 1 + 9 * Math.min(1.5, Math.abs(weight) / most), d: `M${first} ${y}H${last}${curve(last, y, end, middle + (weight < 0 ? high : -high))}` });
  const lines = rows.map((row, n) => {
    const y = TOP + high * (n + 0.7);
    return [
      shape("path", { class: "wire at1", pathLength: 1, d: `M${begin} ${middle}${curve(begin, middle, first, y)}` }), vote(y, row.background, "was"), vote(y, row.adapted),
      text("at1", first, y - 8, row.words), text("at2 n", last, isNarrow ? y + 16 : y - 8, `${nats(row.background)} → ${nats(row.adapted)}`, "end"),
    ];
  });
  const pro = gap.rows.reduce((total, row) => total + Math.max(0, row.adapted), 0).toFixed(2);
  const contra = (pro - gap.adapted.toFixed(2)).toFixed(2); // rounded so that the figures add up
  const tags = [[gap.to, -high, pro], [gap.from, high, contra]].flatMap(([tag, down, total]) => [
    text("at3 tag", width, middle + down + 5, tag, "end"), text("at3", width, middle + down + 21, total, "end")]);
  const says = `${pro} for ${gap.to} less ${contra} for ${gap.from}: the gap, ${nats(gap.adapted)}; before, ${nats(gap.background)}`;
  const height = TOP + high * rows.length + 30;
  return shape("svg", { class: name, width: width * size, height: height * size, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `From ${word} by its features and their weights to a tag: ${says}` },
  text("head at0", 0, 12, "word"), text("head at1", first, 12, "its features"),
  text("head at2", last, 12, `weights ${gap.to} − ${gap.from}, before → after`, "end"), text("head at3", width, 12, "tag", "end"),
  text("at0 tag", 0, middle + 5, written), lines.flat(), tags, text("at3", isNarrow ? 0 : first, height - 6, says));
}

/** A gap seen from the other tag. */
function mirrored({ from, to, background, adapted, rows }) { return { from: to, to: from, background: -background, adapted: -adapted, rows: rows.map((row) => ({ ...row, background: -row.background, adapted: -row.adapted })) }; }

/** The first rows, and the others as two: the word's own letters, and the rest. */
function strongest(rows) {
  if (rows.length <= MOST + 2) return rows;
  const others = rows.slice(MOST), letters = others.filter(({ words }) => /^(pre|suf)fix \S+$/.test(words)), rest = others.filter((row) => !letters.includes(row)), joined = (own, name) => { const sum = (side) => own.reduce((total, row) => total + row[side], 0); return own.length < 2 ? own : [{ words: `${own.length} ${name}`, background: sum("background"), adapted: sum("adapted") }]; };
  return [...rows.slice(0, MOST), ...joined(letters, "other prefixes and suffixes"), ...joined(rest, "others")];
}
