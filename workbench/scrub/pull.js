/** Two forces on a weight, or on a sum of weights, as SVG: what each gives for its values, and the top of their sum. */

import { shape } from "./dom.js";

const STEP = 3, APART = 16, ROOMY = 380, LINE = 16; // pixels

/** Draw pulls beside each other in place of all that an SVG has, within a box, with the names of the lines by kind, and without their sum where it has none; returns what shows them at a place of the path. */
export function drawPulls(svg, { pulls, lines, tellsSlopes }, sigma2s, box) {
  const each = (box.right - box.left + APART) / pulls.length, foot = box.foot - (each < ROOMY && LINE); // what is counted has a line of its own there
  const drawn = pulls.map((pull, k) => draw(pull, "sum" in lines, tellsSlopes, sigma2s, { ...box, foot, left: box.left + k * each, right: box.left + (k + 1) * each - APART }));
  svg.replaceChildren(shape("text", { y: 12 }, Object.entries(lines).map(([kind, name]) => shape("tspan", { class: `force ${kind}`, dx: 8 }, name))), ...drawn.flatMap(({ shapes }) => shapes));
  return (i) => drawn.forEach(({ place }) => place(i));
}

/** One of them: `gains` in nats over `moves` of its value, and `others`, or the prior's penalty; and a `parabola` if their sum has been forecast. */
function draw({ name, times, symbol, mean, moves, gains, others, parabola, best, ghosts, range: [low, high] }, hasSum, tellsSlopes, sigma2s, { left, right, top, foot }) {
  const [first, last] = [moves[0], moves.at(-1)];
  const x = (move) => left + ((right - left) * (move - first)) / (last - first), y = (nats) => foot - ((foot - top) * (nats - low)) / (high - low);
  const along = (values) => (move) => {
    const at = ((moves.length - 1) * (move - first)) / (last - first), i = Math.min(moves.length - 2, Math.floor(at));
    return values[i] + (at - i) * (values[i + 1] - values[i]);
  };
  const gain = along(gains), say = (move, digits = 2) => (mean + move).toFixed(digits).replace("-", "−");
  const line = (of) => Array.from({ length: Math.floor((right - left) / STEP) + 1 }, (_, k) => first + (k * STEP * (last - first)) / (right - left))
    .filter((move) => y(of(move)) <= foot && y(of(move)) >= top).map((move) => `${x(move).toFixed(1)},${y(of(move)).toFixed(1)}`).join(" ");
  const upright = (kind, at) => shape("line", { class: kind, y1: top, y2: foot, transform: `translate(${at} 0)` }), marker = upright("marker", 0);
  const lines = Object.fromEntries(["likelihood", "prior", "parabola", "sum"].map((kind) => [kind, shape("polyline", { class: `force ${kind}` })])), ring = shape("circle", { class: "ring dev", r: 7 });
  const tick = (at, y, text, anchor = "middle") => shape("text", { class: "tick", x: at, y, "text-anchor": anchor }, text), now = tick(0, top - 3, ""), isRoomy = right - left + APART >= ROOMY, seen = times ? `seen ${times}×` : "", under = tick(left, foot + 36, isRoomy && times ? `${name}, ${seen}` : name, "start"), counted = tick(left, foot + 36 + LINE, isRoomy ? "" : seen, "start");
  lines.likelihood.setAttribute("points", line(gain));
  if (parabola) lines.parabola.setAttribute("points", line(along(parabola)));
  const place = (i) => {
    const penalty = others ? along(others) : (move) => -(move ** 2) / (2 * sigma2s[i]), at = x(best[i]), slope = best[i] / sigma2s[i], digits = sigma2s[i] < 0.1 ? 4 : sigma2s[i] < 1 ? 3 : 2; // the prior's slope: at the top it is seen − expected
    lines.prior.setAttribute("points", line(penalty));
    lines.sum.setAttribute("points", line((move) => gain(move) + penalty(move)));
    marker.setAttribute("transform", `translate(${at} 0)`);
    ring.setAttribute("transform", `translate(${at} ${y(gain(best[i]) + penalty(best[i]))})`);
    now.setAttribute("x", at);
    now.textContent = `${symbol} ${say(best[i])}`;
    const expected = (times - slope).toFixed(times < 100 ? 2 : 1);
    if (hasSum && tellsSlopes) (isRoomy ? under : counted).textContent = !isRoomy ? `${seen}, expected ${expected}×` : `${name}: seen ${times} − expected ${expected} = (${say(best[i], digits)} − ${say(0, digits)}) / ${sigma2s[i]}`;
  };
  const shapes = [shape("line", { class: "grid", x1: left, x2: right, y1: y(0), y2: y(0) }), tick(left - 8, y(0) + 4.5, left < APART * 5 ? "0 nats" : "0", "end"), ...ghosts.flatMap(([move, text]) => [upright("ghost", x(move)), tick(x(move), foot + 18, `${text} ${say(move)}`)]),
    under, counted, lines.likelihood, lines.prior, lines.parabola, ...(hasSum ? [lines.sum, marker, ring, now] : [])];
  return { shapes, place };
}
