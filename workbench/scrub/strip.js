/** The strip of a lesson in a file: its step, its question, and the ways to the other steps. */

import { element } from "./dom.js";

const UNCHOSEN = -1; // in place of an answer where it was shown unanswered
export const FOUND = -2; // the same where a task was solved

/** The strip; `onGo(number, chosen)` is told which step is wanted, and which answer, from 0, or null. */
export class Strip {
  constructor(lesson, onGo) {
    Object.assign(this, { lesson, onGo });
    this.root = element("section", { class: "strip", "aria-label": "Lesson", "aria-live": "polite", tabindex: -1 });
    document.addEventListener("keydown", (event) => this._key(event));
  }

  /** Draw a step, from 1, the answer that was given to its question, or null, and what is amiss at a σ². */
  draw(number, chosen, sigma2) {
    const { title, warning, steps } = this.lesson, step = steps[number - 1], isOpen = step.ask && chosen === null;
    Object.assign(this, { number, chosen, next: isOpen ? [number, UNCHOSEN] : [number + 1, null] });
    const points = Object.entries(step.points), hadFocus = this.root.contains(document.activeElement);
    const go = (text, key, to, answer = null) => element("button", { class: "plain", type: "button", title: `Key ${key}`,
      disabled: !steps[to - 1], onclick: () => this.onGo(to, answer) }, text, element("kbd", { "aria-hidden": "true" }, key));
    this.root.replaceChildren(
      element("p", { class: "at" }, element("b", {}, title), ` step ${number} of ${steps.length} `,
        go("Back", "b", number - 1), go(isOpen ? "Show answer" : "Next", "n", ...this.next)),
      number === 1 && warning ? element("p", { class: "ask" }, warning) : "", element("p", {}, step.text),
      points.length ? element("ul", {}, points.map(([title, text]) => element("li", {}, element("b", {}, title), " ", text))) : "",
      step.line ? element("p", { class: "equation" }, step.line, element("small", {}, step.source)) : "",
      ...(step.ask ? this._question(step, sigma2) : []));
    if (hadFocus) this.root.focus();
  }

  _question({ ask, answers, verdicts, truth, goal, hints, reveal }, sigma2) {
    const { chosen, number } = this, question = element("p", { class: "ask" }, `${ask} ${chosen === null && this.tried === sigma2 ? hints[sigma2] : ""}`);
    const mark = (place) => (chosen === null ? "" : place === truth ? "✓ " : place === chosen ? "✗ " : "");
    this.choose = () => (goal.includes(sigma2) ? this.onGo(number, FOUND) : this.draw(number, null, this.tried = sigma2));
    const button = (text, key, disabled, onclick) => element("button", { class: "plain", type: "button", title: `Key ${key}`, disabled, onclick }, text, element("kbd", { "aria-hidden": "true" }, `${key}`));
    const choice = element("p", { class: "answers" }, goal.length && chosen === null ? button("I choose this σ²", 1, false, this.choose)
      : answers.map((text, place) => button(mark(place) + text, place + 1, chosen !== null, () => this.onGo(number, place))));
    if (chosen === null) return [question, choice];
    question.append(element("b", {}, verdicts[chosen]));
    const end = reveal.indexOf(". ") + 1; // of the first sentence, 0 of the only one
    return [question, choice, element("p", {}, element("b", {}, end ? reveal.slice(0, end) : reveal), end ? reveal.slice(end) : "")];
  }

  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { steps } = this.lesson, way = { n: this.next, b: [this.number - 1, null] }[event.key], answer = Number(event.key) - 1;
    if (way && steps[way[0] - 1]) this.onGo(...way);
    else if (this.chosen === null && steps[this.number - 1].answers[answer]) this.onGo(this.number, answer);
    else if (this.chosen === null && steps[this.number - 1].goal.length && answer === 0) this.choose();
  }
}
