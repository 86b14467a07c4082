import { mount } from "./scrub.js";

const SETTINGS = ["sigma2", "cutoff", "show", "pair", "word", "pin", "lecture"]; // that Python has, too

/** Have JupyterLab leave an element's keys alone; it asks the very element that has the focus. */
function keepKeys({ target }) {
  target.setAttribute("data-lm-suppress-shortcuts", "true");
}

/** What a front end of notebooks calls for each place where the widget is shown. */
function render({ model, el }) {
  el.addEventListener("focusin", keepKeys);
  const scrubber = mount(el, settle);

  function settle(message) {
    for (const [name, text] of Object.entries(message)) {
      const set = { sigma2: Number, cutoff: (cutoff) => (cutoff === "none" ? null : Number(cutoff)) }[name];
      const dropped = model.get("dropped");
      if (name === "drop") model.set("dropped", [...dropped, text]);
      else if (name === "restore") model.set("dropped", dropped.filter((number) => number !== text));
      else if (SETTINGS.includes(name)) model.set(name, set ? set(text) : text);
    }
    model.save_changes();
  }

  let path = null, payload = null;
  function take() {
    const view = model.get("said");
    if (path !== model.get("path")) payload = JSON.parse(path = model.get("path"));
    if (view.id === payload.id) scrubber.take({ ...view, payload }); // both have arrived
    el.classList.toggle("lecture", view.at.lecture === "on");
  }

  model.on("change:path", take);
  model.on("change:said", take);
  take();
  return () => {
    model.off("change:path", take);
    model.off("change:said", take);
    el.removeEventListener("focusin", keepKeys);
    scrubber.destroy();
  };
}

export default { render };
