/** What a report does when it is opened: it mounts the scrubber on its own data. */

import { mount } from "./scrub.js";
import { pinnedAt } from "./state.js";
import { FOUND, Strip } from "./strip.js";

/**
 * The scrubber in a file of its own: what it would ask of Python it finds in the page, and its
 * settings stand in the address after "#", so that a link within the file shows them again.
 */
const data = JSON.parse(document.getElementById("scrubber-data").textContent);
const scrubber = mount(document.getElementById("scrubber"), settle, (cutoff) => data.payloads[cutoff]);
const strip = data.lesson && new Strip(data.lesson, go);
if (strip) document.getElementById("scrubber").before(strip.root);
const given = new Map(); // the answers to questions of the lesson, by step
let settled, status, chosen = null; // the answer at this step

/** Go to a step of the lesson, or to the answer of its question, and set what it sets. */
function go(number, answer) {
  given.set(number, chosen = answer ?? given.get(number) ?? null);
  const step = data.lesson.steps[number - 1];
  settle({ ...(chosen === null ? step.sets : chosen === FOUND ? {} : step.then), step: `${number}` });
}

/** The settings that an address need not name: those of the lesson's step, or of the file. */
function usual(step) {
  const sets = Object.entries(data.lesson?.steps[step - 1]?.sets ?? {});
  return { ...data.at, ...Object.fromEntries(sets.filter(([name]) => name in data.at)) };
}

function settle(message) {
  for (const [name, text] of Object.entries(message)) {
    if (name in data.at) settled[name] = `${text}`;
  }
  const base = usual(settled.step);
  const moved = Object.entries(settled).filter(([name, text]) => text !== base[name]);
  status = "";
  show();
  try {
    const hash = new URLSearchParams(moved).toString();
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  } catch {
    // A frame made of a string has no address that could hold the settings.
  }
}

/** Take the settings of the address; a value that is not in this file is said and left out. */
function read() {
  const asked = new URLSearchParams(location.hash.slice(1)), refused = [];
  chosen = null;
  settled = usual(data.lesson?.steps[asked.get("step") - 1] ? asked.get("step") : 1);
  for (const [name, text] of asked) {
    if (!(name in data.at)) continue;
    if (isHere(name, text)) settled[name] = text;
    else refused.push(`${name}=${text}`.slice(0, 40));
  }
  status = refused.length ? `Not in this file: ${refused.join(", ")}` : "";
}

function isHere(name, text) {
  const { sigma2s, tags } = data.payloads[data.at.cutoff];
  const isPlace = (name) => sigma2s.includes(name.split(", ")[0]) && name.split(", ")[1] in data.payloads;
  return {
    sigma2: () => sigma2s.includes(text),
    cutoff: () => Object.hasOwn(data.payloads, text),
    show: () => data.shows.includes(text),
    pair: () => !text || text.split(">").every((tag) => tags.includes(tag)),
    word: () => !text || / · \d+$/.test(text),
    pin: () => !text || text.split("; ").every(isPlace),
    lecture: () => ["", "on"].includes(text),
    step: () => Boolean(data.lesson.steps[text - 1]),
  }[name]();
}

function show() {
  const { sigma2, cutoff, show: shown, pair, word, pin, lecture } = settled;
  document.documentElement.classList.toggle("lecture", lecture === "on");
  const step = data.lesson?.steps[settled.step - 1];
  if (step) strip.draw(Number(settled.step), chosen, sigma2);
  const position = word ? Number(word.split(" · ").at(-1)) : null, at = pin && pin.split("; ").at(-1).split(", ");
  scrubber.take({
    ...data.view, status, payload: data.payloads[cutoff], explained: explain(position, cutoff),
    at: { sigma2, cutoff, show: shown, pair: pair ? pair.split(">") : null, word: position, pin, lecture },
    lesson: step && { step: settled.step, veil: chosen === null ? step.veil : step.veilThen, scale: step.scale, path: step.path, asks: step.answers.length > 0 && chosen === null, beside: step.ask && chosen === null ? step.besideAsk : step.beside }, ring: step?.ring ?? "",
    pinned: at ? { cutoff: at[1], ...pinnedAt(data.payloads[at[1]], at[0]) } : null,
  });
}

/** The answer about a word, which holds at the place that the page starts with. */
function explain(position, cutoff) {
  const found = data.answers[position];
  if (!found || cutoff !== data.at.cutoff) return null;
  const sentence = `At σ² = ${data.at.sigma2}: ${found.why.sentence}`;
  return { ...found, why: { ...found.why, sentence }, sigma2: data.at.sigma2 };
}

addEventListener("hashchange", () => { read(); show(); });
read();
show();
