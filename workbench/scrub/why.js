/** Why a word has its tag: a sentence, weights as signed bars, p(tag) along σ², sentences. */

import { element, shape } from "./dom.js";
import { Flow } from "./flow.js";
import { count, nats, percent } from "./state.js";

const WIDTH = 260, HEIGHT = 120, LEFT = 34, BOTTOM = 22, TOP = 6;
const AROUND = 6; // words of a sentence, on either side of the one that is marked
const AT_ONCE = 2; // sentences of a list; the others of it come on demand
const LINES = 3; // tags of the small curve: the most probable ones

const sum = (sentences) => sentences.reduce((total, { effect }) => total + effect, 0), linkedFirst = (sentences) => [...sentences].sort((a, b) => b.link.is_shared - a.link.is_shared); // of an indirect effect a reader sees no reason
const CHANGE = "By how much the gap changed, in nats: as estimated while the sentence was there, and after fitting without it";

/**
 * The panel of an explanation; `send(message)` drops a sentence or shows the words of a feature,
 * `close` removes the panel, and `bring(made)` scrolls to an element of it that is out of sight.
 */
export class Why {
  constructor(send, close, bring) {
    Object.assign(this, { send, close, bring, seek: (subset) => send({ slice: subset }) });
    this.panel = element("div", { class: "why", role: "group", "aria-label": "Why this tag" });
  }

  /** Say that the explanation is being worked out, or where it can be had. */
  wait(text) {
    this.marker = this.shown = null;
    this.panel.replaceChildren(this._closer(), element("p", { class: "quiet" }, text));
  }

  /** Draw an explanation, a dict of `why`, `path` and `because`, and perhaps `tries`, a text to be changed, unless it is there already; `opens`, in a lesson, its path to a tag. */
  show(explained, payload, i, opens) {
    const { why, path, because, leftOut, tries } = explained, shown = JSON.stringify(explained);
    if (this.shown !== shown) {
      this.shown = shown;
      const active = this.panel.getRootNode().activeElement, hadFocus = this.panel.contains(active);
      const lists = () => [...this.panel.querySelectorAll("details")], open = this.position === why.position ? lists().map((list) => list.open) : [];
      const isOpen = opens ?? this.flow?.isOpen; // as that of the word before
      if (this.position !== why.position) this.flow = new Flow();
      const gaps = path?.gaps ?? [], most = Math.max(1e-9, ...[why.gap.rows.flatMap((row) => [row.background, row.adapted]), ...gaps].flat().map(Math.abs));
      this.along = new Map(gaps.map((values, n) => [payload.sigma2s.indexOf(path.sigma2s[n]), values]));
      Object.assign(this, { why, path, most, drawn: i, bars: bars(why.gap, most, this.seek) });
      const isTold = this.isDropping || (hadFocus && active.closest(".left-out"));
      this.panel.replaceChildren(
        this._closer(),
        why.read ? element("p", { class: "read" }, why.read) : "", element("p", { class: "said" }, because?.says ? `${because.says} ` : "", why.sentence),
        ...(leftOut ? [this._leftOut(leftOut, payload.wording)] : []),
        element("div", { class: "ways" }, this.flow.box, tries ? element("button", { class: "plain tries", type: "button", title: "Change a word of it in “try a text”, and see what becomes of the others", onclick: () => this.send({ section: "try a text", try: tries }) }, "Edit this sentence") : null),
        ...(because ? [this._because(because, why)] : []),
        element("div", { class: "parts" }, this.bars,
          path ? this._path(path, payload.sigma2s, why) : null),
      );
      this.flow.take(why, why.gap, most);
      if (isOpen && !this.flow.isOpen) this.flow.toggle();
      this.position = why.position;
      lists().forEach((list, n) => { list.open = Boolean(open[n]); });
      const told = isTold && this.panel.querySelector(".left-out");
      // What had the focus is gone.
      if (hadFocus) this.panel.querySelector(told ? ".left-out button" : ".close").focus({ preventScroll: true });
      if (told) {
        this.isDropping = false;
        this.bring(told);
      }
    }
    this.at = i;
    this.place(i);
  }

  /** Go to a grid value: the weights are those there, where they are known; what else is said of another one turns pale. */
  place(i) {
    const values = this.shown && this.panel.isConnected && this.along.get(i);
    this.panel.classList.toggle("stale", Boolean(this.shown) && i !== this.at);
    this.panel.classList.toggle("live", Boolean(values));
    if (values && i !== this.drawn) this._weigh(i, values);
    if (i !== null) this.marker?.setAttribute("transform", `translate(${this.x(i)} 0)`);
  }

  /** Draw the weights as they are at a grid value. */
  _weigh(i, values) {
    const { gap } = this.why, rows = gap.rows.map((row, n) => ({ ...row, adapted: values[n] }));
    const there = i === this.at ? gap : { ...gap, rows, adapted: values.reduce((total, value) => total + value, 0) };
    const before = this.bars;
    Object.assign(this, { drawn: i, bars: bars(there, this.most, this.seek) });
    before.replaceWith(this.bars);
    this.flow.take(this.why, there, this.most);
  }

  _closer() { return element("button", { class: "close", onclick: this.close, "aria-label": "Close" }, "×"); }

  _path(path, sigma2s, why) {
    const wanted = [why.after.tag, why.before.tag, why.gold?.tag];
    const last = sigma2s.length - 1;
    this.x = (i) => LEFT + ((WIDTH - LEFT - 8) * i) / last;
    const y = (p) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - p);
    this.marker = shape("line", { class: "marker", y1: TOP, y2: HEIGHT - BOTTOM });
    const at = new Map(path.sigma2s.map((sigma2, place) => [sigma2, place]));
    const highest = (tag) => {
      const place = wanted.indexOf(path.tags[tag]);
      return place === -1 ? Math.max(...path.p.map((p) => p[tag])) : 9 - place;
    };
    const tags = path.tags.map((_, tag) => tag).sort((a, b) => highest(b) - highest(a)).slice(0, LINES);
    const lines = tags.map((tag, n) => {
      const points = sigma2s.flatMap((sigma2, i) => (at.has(sigma2)
        ? [`${this.x(i).toFixed(1)},${y(path.p[at.get(sigma2)][tag]).toFixed(1)}`] : []));
      return shape("polyline", { class: `line tag${n}`, points: points.join(" ") });
    });
    const axis = [0, 0.5, 1].flatMap((p) => [
      shape("line", { class: "grid", x1: LEFT, x2: WIDTH - 8, y1: y(p), y2: y(p) }),
      shape("text", { class: "tick", x: LEFT - 6, y: y(p) + 4.5, "text-anchor": "end" }, `${p}`),
    ]);
    const ends = [0, last].map((i) => shape("text", { class: "tick", x: this.x(i), y: HEIGHT - 4, "text-anchor": i ? "end" : "start" }, sigma2s[i]));
    const names = tags.map((tag) => path.tags[tag]);
    const key = names.map((name, n) => element("span", { class: `key tag${n}` }, name));
    return element("figure", { class: "path" },
      element("figcaption", { title: "At each σ² after the tags that the model gives there before the word: where these change, p may jump." }, `${why.probability} along σ² `, key),
      shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Probability of ${names.join(", ")} along σ²` }, axis, lines, ends, this.marker));
  }

  _because(because, why) {
    const lines = (found) => element("ol", {}, found.map((sentence) => this._evidence(sentence)));
    const more = (found) => (found.length ? element("details", {}, element("summary", {}, `${found.length} more`), lines(found)) : null);
    const list = (title, found) => element("div", {}, element("h3", {}, title, found.length ? `, the strongest ${found.length}` : "", found.length ? element("span", { class: "total" }, `: ${nats(sum(found))}\u00a0nats`) : ""),
      found.length ? lines(found.slice(0, AT_ONCE)) : element("p", { class: "quiet" }, "No sentence with a notable influence."), more(found.slice(AT_ONCE)));
    return element("div", { class: "because" },
      element("p", { class: "quiet" }, `Estimated: what each sentence adds to the gap between ${because.to} and ${because.from}, in nats`),
      list(`Sentences that pushed towards ${why.gap.to}`, linkedFirst(because.pushed)),
      list("Sentences that resisted", linkedFirst(because.resisted)));
  }

  _evidence(sentence) {
    const { link, effect } = sentence, rest = effect - link.effect;
    const canDrop = sentence.sentence !== undefined; // there is a session that can adapt without it
    const drop = (event) => {
      Object.assign(event.target, { textContent: "adapting without it …", onclick: null });
      this.isDropping = true;
      this.send({ drop: sentence.sentence });
    };
    return element("li", {}, written(sentence.words, link.places),
      element("p", { class: "link", title: `Estimated: ${nats(link.effect)} nats through the weights of this feature, ${nats(rest)} through others` },
        element("span", { class: "effect" }, `${nats(effect)} nats`), " ", ...sayLink(link, sentence.words), link.effect / effect < 0.5 ? ", among others" : ""),
      canDrop ? element("button", { class: "plain", type: "button", title: "Adapt without this sentence", onclick: drop }, "drop") : null);
  }

  /** What the dropped sentences did: the decision and the words around it with them and without, and buttons that take them back. */
  _leftOut({ sentences, before, after, forecast, true: found, flipped, context_differs: isMoved }, { unit, units }) {
    const which = sentences.length === 1 ? "this sentence" : `these ${sentences.length} sentences`;
    const others = (before.words ?? []).flatMap((word, place) => (word === after.words[place] ? [] : [place]));
    const sides = others.length ? [["with it", before], ["without", after]] : [];
    const tag = after.tag === before.tag ? "" : `${after.tag} `, sure = (p) => (p > 0.99 && p < 1 ? "over 99\u00a0%" : percent(p, 0));
    const restore = (sentence) => element("button", { class: "plain", type: "button", onclick: () => this.send({ restore: sentence }) }, "take it back");
    return element("div", { class: "left-out", role: "status" },
      element("p", {}, `Without ${which}: `,
        element("strong", {}, `${before.tag} ${sure(before.p)} → ${tag}${sure(after.p)}`),
        element("span", { title: CHANGE }, ` (forecast ${nats(forecast)}, true ${nats(found)} nats${isMoved ? "; its neighbours' tags changed, too" : ""})`),
        `; ${flipped ? count(flipped) : "no"} other ${flipped === 1 ? unit : units} flipped.`),
      sides.map(([name, { words }]) => element("div", { class: "side" }, element("span", {}, name), written(words, others))),
      element("ol", {}, sentences.map(({ sentence, words }) => element("li", {}, written(words, [], words.length), restore(sentence)))));
  }
}

/** A sentence of the adaptation text, some words of it marked: `most` of its words, around the first of them; its tip has all. */
function written(words, places, most = 2 * AROUND + 1) {
  const from = Math.max(0, (places[0] ?? 0) - AROUND), to = from + most;
  const shown = words.slice(from, to).flatMap((word, k) => {
    const text = word.trimStart();
    return [word.slice(0, word.length - text.length), places.includes(from + k) ? element("mark", {}, text) : text];
  });
  return element("p", { title: words.join("").trim() }, from ? "… " : "", shown, to < words.length ? " …" : "");
}

/** What links a sentence to the decision: a word that shares a feature, tags, or other weights. */
function sayLink({ words, places, is_shared: isShared }, sentence) {
  const feature = element("i", {}, words), of = (one, many) => ` ${others.length ? many : one} `;
  if (!isShared) return ["indirectly, by the weight of ", feature];
  if (!places.length) return ["linked by ", feature];
  const [first, ...others] = [...new Set(places.map((place) => sentence[place].trimStart()))];
  const more = others.length === 1 ? ` and ${others[0]}` : others.length ? ` and ${others.length} others` : "";
  const shown = words === "the word itself" ? [of("is", "are"), element("i", {}, "the same word")] : words.startsWith("the ") ? [of("has the same", "have the same"), element("i", {}, words.slice(4))] : [of("shares", "share"), feature];
  return [element("strong", {}, first, more), ...shown];
}

/** The weights that make up the gap between two tags, as signed bars that sum to it; `most` is as wide as a side. `seek` shows the words that have a feature, where there is a session. */
function bars(gap, most, seek) {
  const shown = gap.rows.filter((row) => row.background || row.adapted);
  const line = (row) => element("tr", {},
    element("th", { scope: "row" }, row.subset ? element("button", { class: "seek", type: "button", title: "Show all words that have this feature", onclick: () => seek(row.subset) }, row.words) : row.words, row.new ? element("em", {}, " new") : null),
    element("td", { class: "n" }, nats(row.background)), element("td", { class: "n" }, nats(row.adapted)),
    element("td", { class: "n change" }, nats(row.adapted - row.background)),
    element("td", { class: "bar" }, bar(row, most)));
  const sum = element("tr", { class: "sum" }, element("th", { scope: "row" }, "sum: the gap"),
    element("td", { class: "n" }, nats(gap.background)), element("td", { class: "n" }, nats(gap.adapted)),
    element("td", { class: "n change" }, nats(gap.adapted - gap.background)),
    element("td", { class: "quiet" }, `${gap.to} : ${gap.from} = ${odds(gap.adapted)}`));
  return element("table", { class: "bars" },
    element("caption", {}, `Score of ${gap.to} minus score of ${gap.from}, in nats`, legend(gap)),
    element("thead", {}, element("tr", {}, ["feature", "background", "adapted", "change", ""].map((heading) => element("th", { scope: "col" }, heading)))),
    element("tbody", {}, shown.map(line), sum));
}

/** What the two bars of a row are, and what their sides mean. */
function legend({ from, to }) {
  const sample = (name, ...parts) => element("span", { class: "sample" },
    shape("svg", { viewBox: "0 0 26 12", width: 26, height: 12, "aria-hidden": "true" }, ...parts), name);
  const rect = (name, x, width, y, height) => shape("rect", { class: name, x, width, y, height });
  return element("span", { class: "legend" },
    sample("background", rect("before", 1, 24, 1, 10)),
    sample(`adapted, to the right: for ${to}`, rect("for", 1, 24, 3.5, 5)),
    sample(`to the left: for ${from}`, rect("against", 1, 24, 3.5, 5)));
}

function bar(row, most) {
  const width = (value) => (50 * Math.abs(value)) / most;
  const left = (value) => (value < 0 ? 50 - width(value) : 50);
  return shape("svg", { viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
    shape("rect", { class: "before", x: left(row.background), width: width(row.background), y: 1, height: 10 }),
    shape("rect", { class: row.adapted < 0 ? "against" : "for", x: left(row.adapted), width: width(row.adapted), y: 3.5, height: 5 }),
    shape("line", { x1: 50, x2: 50, y1: 0, y2: 12, class: "zero" }));
}

function odds(gap) {
  const ratio = Math.exp(Math.abs(gap));
  const text = ratio >= 1000 ? "over 1,000" : ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(1);
  return gap >= 0 ? `${text} : 1` : `1 : ${text}`;
}
