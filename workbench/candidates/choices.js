/** Sentences with the candidate that is chosen of each: better or worse than the background's. */

import { element } from "../scrub/dom.js";
import { percent, qualityOf, tagAt } from "../scrub/state.js";
import { KINDS, Text } from "../scrub/text.js";

/** The sentences of a payload of candidate sets; each is one "word", whose tags are candidates. */
export class Choices extends Text {
  form(word, i) { return `${word.position + 1}: ${this.named(word, tagAt(word, i))}`; }

  named(word, n) { return `candidate ${n + 1}`; }

  lines(word, i) {
    const side = (n) => `candidate ${n + 1}, ${this.payload.quality} ${percent(qualityOf(word, n), 1)}`;
    return [`best: ${side(word.gold)}`, `background: ${side(word.background)}`, `adapted: ${side(tagAt(word, i))}`];
  }

  _sentence(sentence) {
    const span = element("div", { class: "w", "data-position": sentence.start, tabindex: -1, role: "button" });
    const about = [sentence.document, `sentence ${sentence.start + 1}`].filter(Boolean).join(" · ");
    const line = element("li", { class: "choice", "data-sentence": sentence.number },
      element("p", { class: "about" }, about),
      sentence.text ? element("p", {}, sentence.text) : null, span);
    this.observer.observe(line);
    return { line, spans: [span], start: sentence.start, variants: new Map(), written: sentence.words };
  }

  /** All candidates that are chosen along the path lie on top of one another, so that nothing moves. */
  _stack(item, word) {
    const chosen = new Set([...word.path].map((_, i) => tagAt(word, i)));
    const variants = new Map([...chosen].map((n) => [n, this._variant(word, n)]));
    item.variants.set(word.place, { variants, shown: null });
    item.spans[0].replaceChildren(...variants.values());
  }

  /** The background's choice, and below it candidate n where that is another one. */
  _variant(word, n) {
    const own = this._candidate(word, word.background, n);
    const isOther = n !== -1 && n !== word.background;
    return element("div", { class: "form" }, own, isOther ? this._candidate(word, n, word.background) : null);
  }

  _candidate(word, n, other) {
    const { quality } = this.payload, best = qualityOf(word, word.gold);
    const isAdapted = n !== word.background, isSame = other === n || other === -1;
    const who = isAdapted ? "adapted" : isSame ? "both" : "background";
    const rest = qualityOf(word, n) === best ? "the best there is" : `the best has ${percent(best, 1)}`;
    const head = element("p", { class: "head-of" }, element("b", { class: who }, who),
      ` candidate ${n + 1}, ${quality} ${percent(qualityOf(word, n), 1)}`,
      isAdapted || isSame ? element("span", { class: "quiet" }, `, ${rest}`) : null);
    return element("div", { class: `of-${who}` }, head, ...details(word.candidates[n]));
  }
}

/** The features that tell a candidate from the background's choice. */
function details(candidate) {
  const list = (sign, names) => names.map((name) => element("code", { class: sign === "+" ? "gained" : "lost" }, `${sign} ${name}`));
  const found = [...list("+", candidate?.gained ?? []), ...list("−", candidate?.lost ?? [])];
  return found.length ? [element("p", { class: "features" }, found)] : [];
}

KINDS.sentence = Choices;
