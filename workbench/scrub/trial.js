/** Why a word of a text that was typed is written so: a click on the word asks, the panel answers. */

import { Why } from "./why.js";

/** What Streamlit calls when the component appears, and again whenever its data change. */
export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".place"), send = (message) => setTriggerValue("message", message);
  const why = new Why(send, () => send({ word: "" }), () => {});
  const onAsk = (event) => {
    const word = event.target.closest?.("[data-word]");
    if (!word || (event.type === "keydown" && event.key !== "Enter")) return;
    why.wait("Working it out …");
    place.replaceChildren(why.panel);
    send({ word: word.dataset.word });
  };
  const task = setTimeout(() => { // a call that was overtaken draws nothing; see streamlit.js
    place.className = "scrub place";
    place.replaceChildren(...(data.explained ? [why.panel] : []));
    if (data.explained) why.show(data.explained, data, data.i);
  });
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, onAsk);
  return () => {
    clearTimeout(task);
    for (const kind of ["click", "keydown"]) document.removeEventListener(kind, onAsk);
  };
}
