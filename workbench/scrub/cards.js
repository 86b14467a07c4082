/** The errors of the models side by side; the adapted one's moves with σ². */

import { comparison, count, countUnseen, isKnown, outcome, percent, sayChance, versusPinned } from "./state.js";
import { element, setText } from "./dom.js";

const SIGNS = { "1-gram": "◆", "first-best": "◆", background: "■", adapted: "●" };
export const KINDS = { "1-gram": "unigram", "first-best": "unigram", background: "background", adapted: "adapted" };
const ADAPTED = "adapted";
export const BAR = "bar; ★ ∙ ☆";
/** What words of the page mean. */
export const MEANS = {
  "σ²": "variance of the prior: adaptation finds the weights λ that make Σ log p(y | x) − Σ (λ − λ⁰)² / 2σ² largest, λ⁰ the background's (Chelba & Acero, eq. 3)",
  "1-gram": "gives each word the case that it had most often, whatever stands beside it",
  background: "the model before its adaptation", adapted: "the background after its adaptation, at this σ²",
  "dev text": "held back from the adaptation, to measure on and to choose σ² by",
  "new features": "what only the adaptation text has: a property of the context, paired with a tag",
  "cut-off": "new features that occur less often than this are left out",
  band: "of the curve: where, with 95 % confidence, its distance from the background lies",
  [BAR]: "★ has the fewest errors of the map, ∙ do not clearly differ from it (p ≥ 0.05, each tested by itself). The bar below the curve is under such values, too; until the map is filled it compares with the lowest of this curve. ☆ is the simplest of these: the fewest new features among those with a ∙ to their left and right",
  "grey line": "a curve to compare with: of the last cut-off or model, or of the pin", nats: "units of log-probability: a gap of 1 makes odds of 2.7 : 1, of 2 makes 7.4 : 1",
  wrong: "the word's tag differs from that of the text, as the paper counts errors; misspelled words are not counted", invisible: "the tag is wrong, but the word is written right", misspelled: "the tag is right, but the word is written wrong",
};

/** A row of cards. */
export class Cards {
  constructor() {
    this.row = element("div", { class: "cards" });
    this.cards = new Map();
    /** How the adapted model compares with a pinned state: beside the cards, not in one, which would grow. */
    this.pinned = element("p", { class: "pinned", title: "p: how often chance alone would make as large a difference between two equally good models (McNemar's test)" });
  }

  /** Take another payload: its models that do not move are drawn, the adapted one has a place. */
  take(payload) {
    this.payload = payload;
    this.cards = new Map([...payload.models, { name: ADAPTED }].map(({ name }) => [name, {
      number: element("span"), wrong: element("p"), change: element("p", { class: "change" }),
    }]));
    this.row.replaceChildren(...[...this.cards].map(([name, card]) =>
      element("section", { class: `card ${KINDS[name]}` },
        element("h2", { title: MEANS[name] }, element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[name]), name,
          element("small", {}, `${payload.quality}${payload.part === "test" ? " test text" : ""}`)),
        element("p", { class: "error" }, card.number), card.wrong, card.change)));
    const unseen = countUnseen(payload, 0);
    for (const model of payload.models) this._draw(this.cards.get(model.name), model, unseen[model.name]);
  }

  /** Draw the adapted model's card at a place of the grid, and compare it with a pinned state or null. */
  place(i, pinned) {
    const card = this.cards.get(ADAPTED), point = this.payload.points[i];
    if (isKnown(this.payload, i)) this._draw(card, point, countUnseen(this.payload, i).adapted);
    else {
      setText(card.number, "…");
      setText(card.wrong, point ? "not opened yet" : "not fitted yet");
      setText(card.change, "");
    }
    setText(this.pinned, pinned ? this._comparePinned(i, pinned) : "");
  }

  /** The figures of the adapted model and the background, as their cards say them. */
  get figures() { return [ADAPTED, "background"].map((name) => `${name} ${this.cards.get(name).number.textContent}`).join(", "); }

  _comparePinned(i, pinned) {
    const wrong = this.payload.quality ? "not best" : "wrong";
    const then = `pinned σ² ${pinned.sigma2}, cut-off ${pinned.cutoff}: ${count(pinned.wrong)} ${wrong}`;
    if (!isKnown(this.payload, i)) return then;
    const { better, worse, neither, p } = versusPinned(this.payload, i, pinned);
    if (!better && !worse && !neither) return `${then}, the same here`;
    const verdict = p >= 0.05 ? "no clear difference" : better > worse ? "clearly better" : "clearly worse";
    const counts = this.payload.part === "test" ? `; where they differ, ${count(better)} better here, ${count(worse)} better at the pin` : ""; // the table has those of dev
    return `${then}${counts}; here ${verdict} (p ${sayChance(p).replace(/^(?!<)/, "= ")})`;
  }

  _draw(card, model, unseen) {
    setText(card.number, `${model.unit} ${percent(model.headline)}`.trim());
    const isMany = unseen && 10 * unseen >= model.wrong, written = (model.wrong - unseen + model.misspelled) / this.payload.n_units;
    const parts = (isMany ? `${count(model.wrong)} wrong, but ${count(unseen)} written right` : outcome(this.payload, model)).split(/( of .+(?= wrong))/); // in a lecture the odd one gives way
    if (card.wrong.textContent !== parts.join("")) card.wrong.replaceChildren(...parts.map((part, i) => (i % 2 ? element("span", { class: "more" }, part) : part)));
    card.wrong.title = this.payload.quality ? "Sentences of which the best candidate is chosen" : [
      (unseen || model.misspelled) && `Of the words ${percent(written)} are written wrong.`, unseen && "Invisible: the tag is wrong, but the word is written right.",
      model.misspelled && "Misspelled: the tag is right, but the word is written wrong; not counted as wrong.",
    ].filter(Boolean).join(" ");
    const { text, isClear } = comparison(model, this.payload);
    setText(card.change, text);
    card.change.classList.toggle("clear", isClear);
  }
}
