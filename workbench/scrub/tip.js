/** What reference and models make of a word, in a box beneath it. */

import { element } from "./dom.js";

/** A box that is shown beneath the word that the pointer or the focus is on. */
export class Tip {
  constructor() { this.box = element("div", { class: "tip", role: "tooltip", hidden: true }); }

  hide() { this.box.hidden = true; }

  /** Show the lines about a word that is drawn in an element. */
  show(span, lines) {
    this.box.replaceChildren(...lines.map((line) => element("div", {}, line)));
    this.box.hidden = false;
    const own = this.box.parentElement.getBoundingClientRect(), at = span.getBoundingClientRect();
    const left = Math.min(at.left - own.left, own.width - this.box.offsetWidth - 4);
    this.box.style.transform = `translate(${Math.max(0, left)}px, ${at.bottom - own.top + 4}px)`;
  }
}
