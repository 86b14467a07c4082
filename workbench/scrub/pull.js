/** One weight between adaptation text and prior, as SVG: what each says of its values, and the top of their sum. */

import { shape } from "./dom.js";

const STEP = 3; // pixels
const KINDS = [["likelihood", "text: Σ log p(y | x)"], ["prior", "prior: −(λ − λ⁰)² / 2σ²"], ["sum", "sum"]];

/** Draw `gains` in nats over `moves` of a weight in place of all that an SVG has, within a box; returns what shows it at a place of the path. */
export function drawPull(svg, { name, mean, moves, gains, best }, sigma2s, { left, right, top, foot }) {
  const [first, last] = [moves[0], moves.at(-1)], most = Math.max(...gains);
  const x = (move) => left + ((right - left) * (move - first)) / (last - first), y = (nats) => foot - ((foot - top) * (nats + 0.6 * most)) / (1.7 * most);
  const gain = (move) => {
    const at = ((moves.length - 1) * (move - first)) / (last - first), i = Math.min(moves.length - 2, Math.floor(at));
    return gains[i] + (at - i) * (gains[i + 1] - gains[i]);
  };
  const line = (of) => Array.from({ length: Math.floor((right - left) / STEP) + 1 }, (_, k) => first + (k * STEP * (last - first)) / (right - left))
    .filter((move) => y(of(move)) <= foot).map((move) => `${x(move).toFixed(1)},${y(of(move)).toFixed(1)}`).join(" ");
  const upright = (kind) => shape("line", { class: kind, y1: top, y2: foot }), ring = shape("circle", { class: "ring dev", r: 7 });
  const lines = Object.fromEntries(KINDS.map(([kind]) => [kind, shape("polyline", { class: `force ${kind}` })])), marker = upright("marker"), from = upright("ghost");
  const tick = (move, text, anchor = "middle") => shape("text", { class: "tick", x: x(move), y: foot + 18, "text-anchor": anchor }, text);
  from.setAttribute("transform", `translate(${x(0)} 0)`);
  lines.likelihood.setAttribute("points", line(gain));
  svg.replaceChildren(shape("line", { class: "grid", x1: left, x2: right, y1: y(0), y2: y(0) }), shape("text", { class: "tick", x: left - 8, y: y(0) + 4.5, "text-anchor": "end" }, "0 nats"),
    shape("text", { y: 14 }, KINDS.map(([kind, text]) => shape("tspan", { class: `force ${kind}`, dx: 8 }, text))), tick(0, `λ⁰ ${mean.toFixed(2)}`),
    shape("text", { class: "tick", x: left, y: foot + 36 }, name), from, ...Object.values(lines), marker, ring);
  const now = svg.appendChild(tick(0, ""));
  return (i) => {
    const penalty = (move) => -(move ** 2) / (2 * sigma2s[i]);
    lines.prior.setAttribute("points", line(penalty));
    lines.sum.setAttribute("points", line((move) => gain(move) + penalty(move)));
    const move = best[i], near = Math.abs(x(move) - x(0)) < 70;
    marker.setAttribute("transform", `translate(${x(move)} 0)`);
    ring.setAttribute("transform", `translate(${x(move)} ${y(gain(move) + penalty(move))})`);
    now.setAttribute("transform", `translate(${x(move) - x(0) + (near ? 70 : 0)} 0)`);
    now.textContent = `λ ${(mean + move).toFixed(2)}`;
  };
}
