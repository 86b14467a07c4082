/** What a report does when it is opened: it mounts the scrubber on its own data. */

import { mount } from "./scrub.js";
import { pinnedAt } from "./state.js";

/**
 * The scrubber in a file of its own: what it would ask of Python it finds in the page, and its
 * settings stand in the address after "#", so that a link within the file shows them again.
 */
const data = JSON.parse(document.getElementById("scrubber-data").textContent);
const scrubber = mount(document.getElementById("scrubber"), settle);
let settled, status;

function settle(message) {
  for (const [name, text] of Object.entries(message)) {
    if (name in data.at) settled[name] = `${text}`;
  }
  const moved = Object.entries(settled).filter(([name, text]) => text !== data.at[name]);
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
  settled = { ...data.at };
  const refused = [];
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    if (!(name in data.at)) continue;
    if (isHere(name, text)) settled[name] = text;
    else refused.push(`${name}=${text}`.slice(0, 40));
  }
  status = refused.length ? `Not in this file: ${refused.join(", ")}` : "";
}

function isHere(name, text) {
  const { sigma2s, tags } = data.payloads[data.at.cutoff];
  const isPlace = (sigma2, cutoff) => sigma2s.includes(sigma2) && cutoff in data.payloads;
  return {
    sigma2: () => sigma2s.includes(text),
    cutoff: () => Object.hasOwn(data.payloads, text),
    show: () => data.shows.includes(text),
    pair: () => !text || text.split(">").every((tag) => tags.includes(tag)),
    word: () => !text || / · \d+$/.test(text),
    pin: () => !text || isPlace(...text.split(", ")),
    lecture: () => ["", "on"].includes(text),
  }[name]();
}

function show() {
  const { sigma2, cutoff, show: shown, pair, word, pin, lecture } = settled;
  document.documentElement.classList.toggle("lecture", lecture === "on");
  const position = word ? Number(word.split(" · ").at(-1)) : null;
  scrubber.take({
    ...data.view, status, payload: data.payloads[cutoff], explained: explain(position, cutoff),
    at: { sigma2, cutoff, show: shown, pair: pair ? pair.split(">") : null, word: position, pin, lecture },
    pinned: pin ? pinned(...pin.split(", ")) : null,
  });
}

/** The answer about a word, which holds at the place that the page starts with. */
function explain(position, cutoff) {
  const found = data.answers[position];
  if (!found || cutoff !== data.at.cutoff) return null;
  const sentence = `At σ² = ${data.at.sigma2}: ${found.why.sentence}`;
  return { ...found, why: { ...found.why, sentence } };
}

function pinned(sigma2, cutoff) {
  return { cutoff, ...pinnedAt(data.payloads[cutoff], sigma2) };
}

addEventListener("hashchange", () => { read(); show(); });
read();
show();
