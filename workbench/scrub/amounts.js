/** A learning curve, as SVG: the lowest error on dev against the number of words that were learnt. */

import { shape } from "./dom.js";
import { percent } from "./state.js";

/** Draw the lowest error of each of `amounts`, where it is known, in place of all that an SVG has, and that of the background. */
export function drawAmounts(svg, { amounts, background }, { left, right, top, foot }) {
  const known = amounts.filter(({ error }) => error !== null), errors = [background, ...known.flatMap(({ low, high }) => [low, high])], low = Math.min(...errors), range = Math.max(...errors) - low || 0.01;
  const [first, last] = [amounts[0], amounts.at(-1)].map(({ words }) => Math.log(words)), edge = 40; // pixels, for half a label
  const x = (words) => left + edge + ((right - left - 2 * edge) * (Math.log(words) - first)) / (last - first), y = (error) => foot - ((foot - top) * ((error - low) / range + 0.25)) / 1.5; // a quarter of the range is free above and below
  const text = (kind, at, y, says, anchor = "middle") => shape("text", { class: kind, x: at, y, "text-anchor": anchor }, says);
  svg.replaceChildren(text("tick title", 0, 12, "% of words wrong, dev text: the lowest of all σ²", "start"), shape("line", { class: "rule background", x1: left, x2: right, y1: y(background), y2: y(background) }),
    text("name background", right, y(background) - 6, `background ${percent(background)}`, "end"), shape("path", { class: "line dev", d: known.map(({ words, error }, k) => `${k ? "L" : "M"}${x(words)} ${y(error)}`).join("") }),
    ...known.flatMap(({ words, error, low, high }) => [shape("line", { class: "line dev", x1: x(words), x2: x(words), y1: y(low), y2: y(high) }), shape("circle", { class: "dot dev", cx: x(words), cy: y(error), r: 4 }), text("name dev", x(words), y(low) + 20, percent(error))]),
    ...amounts.map(({ words }) => text("tick", x(words), foot + 18, words.toLocaleString("en"))), text("tick", left, foot + 36, "words of the domain that were learnt (log)", "start"));
}
