/** A button that saves the curve as a picture, SVG, in the light theme's colours. */

import { Curve } from "./curve.js";
import { element, shape } from "./dom.js";

const WIDTH = 720, HEIGHT = 420; // pixels
const LIGHT = "--st-text-color: #20242c; --st-background-color: #ffffff; color-scheme: light;";
const INLINED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight",
  "paint-order", "visibility"];
const FONT = "'Source Sans 3', 'Source Sans Pro', Helvetica, Arial, sans-serif";

/**
 * What Streamlit calls when the component appears, and again whenever its data change.
 *
 * A call that was overtaken is taken away in the same task, and draws nothing; see streamlit.js.
 */
export default function ({ data, parentElement }) {
  const task = setTimeout(() => drawButton(parentElement.querySelector(".place"), data));
  return () => clearTimeout(task);
}

function drawButton(place, data) {
  const onclick = () => save(new Blob([draw(place, data)], { type: "image/svg+xml" }), `${data.file}.svg`);
  place.className = "scrub place";
  place.replaceChildren(element("div", { class: "tools" }, element("button", { class: "plain", type: "button", onclick }, "Curve, SVG")));
}

/** The curve as an SVG that needs no style sheet. */
export function draw(place, { payload, at, title }) {
  const curve = new Curve(() => {});
  curve.draw(payload, WIDTH, HEIGHT);
  curve.place(at);
  const host = element("div", { class: "scrub", "aria-hidden": "true",
    style: `position: absolute; left: -9999px; width: ${WIDTH}px; ${LIGHT}` }, curve.svg);
  place.append(host);
  const drawn = [...curve.svg.querySelectorAll("*")].map(styleOf);
  const made = curve.svg.cloneNode(true);
  [...made.querySelectorAll("*")].forEach((shape, i) => {
    shape.removeAttribute("class");
    for (const [name, value] of drawn[i]) shape.setAttribute(name, value);
  });
  host.remove();
  for (const name of ["class", "aria-hidden"]) made.removeAttribute(name);
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: WIDTH,
    height: HEIGHT, "font-family": FONT })) made.setAttribute(name, value);
  made.prepend(shape("title", {}, title), shape("rect", { width: WIDTH, height: HEIGHT, fill: "#ffffff" }));
  return new XMLSerializer().serializeToString(made);
}

function styleOf(shape) {
  const style = getComputedStyle(shape);
  return INLINED.map((name) => [name, style.getPropertyValue(name)])
    .filter(([, value]) => value && value !== "normal")
    .flatMap(([name, value]) => (["fill", "stroke"].includes(name) ? paint(name, value) : [[name, value]]));
}

/** A colour as every reader of SVG knows it: mixed colours are worked out, opacity is apart. */
function paint(name, value) {
  if (value === "none") return [[name, value]];
  const pen = element("canvas", { width: 1, height: 1 }).getContext("2d");
  pen.fillStyle = value;
  pen.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
  const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
  return [[name, `#${hex}`], [`${name}-opacity`, (alpha / 255).toFixed(2)]];
}

function save(blob, name) {
  const href = URL.createObjectURL(blob);
  element("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
