/** The Streamlit component: payloads that arrive from the server, and the place each is shown in. */

const shelf = (globalThis.workbenchShelf ??= { payloads: new Map(), waiting: new Set() });
const places = new WeakMap();

/**
 * What Streamlit calls when the component appears, and again whenever its data change.
 *
 * It returns what takes the component away. While this module is being loaded, data may change:
 * then Streamlit's calls come in any order, and each that was overtaken is taken away in the same
 * task. So a call draws in the next task, and one that is taken away before does nothing.
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const task = setTimeout(() => {
    const place = places.get(parentElement) ?? open(parentElement, setTriggerValue);
    place.view = data;
    place.draw();
  });
  return () => {
    clearTimeout(task);
    if (!parentElement.isConnected) close(parentElement);
  };
}

/** A place whose view is drawn once, as soon as its payload is on the shelf. */
function open(parentElement, setTriggerValue) {
  const place = { view: null, drawn: null, scrubber: null };
  const send = (message) => setTriggerValue("message", message);
  place.draw = () => {
    const payload = shelf.payloads.get(place.view.payload.id);
    if (!payload || place.view === place.drawn) return; // the user may have moved on since
    place.drawn = place.view;
    place.scrubber ??= shelf.mount(parentElement.querySelector(".place"), send);
    place.scrubber.take({ ...place.view, payload });
  };
  shelf.waiting.add(place.draw);
  places.set(parentElement, place);
  return place;
}

function close(parentElement) {
  const place = places.get(parentElement);
  if (!place) return;
  shelf.waiting.delete(place.draw);
  place.scrubber?.destroy();
  places.delete(parentElement);
}
