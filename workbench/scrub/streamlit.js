const shelf = (globalThis.workbenchShelf ??= { payloads: new Map(), waiting: new Set() });
const places = new WeakMap();

/**
 * What Streamlit calls when the component appears, and again whenever its data change.
 *
 * It returns what takes the component away. When data change while this module is still being
 * loaded, Streamlit runs that of the earlier call after the later call has drawn: it does nothing.
 */
export default function ({ data, parentElement, setTriggerValue }) {
  const place = places.get(parentElement) ?? open(parentElement, setTriggerValue);
  const call = (place.calls += 1);
  place.view = data;
  place.draw();
  return () => {
    if (call !== place.calls) return;
    shelf.waiting.delete(place.draw);
    place.scrubber?.destroy();
    places.delete(parentElement);
  };
}

/** A place whose view is drawn as soon as its payload is on the shelf. */
function open(parentElement, setTriggerValue) {
  const place = { view: null, scrubber: null, calls: 0 };
  const send = (message) => setTriggerValue("message", message);
  place.draw = () => {
    const payload = shelf.payloads.get(place.view.payload.id);
    if (!payload) return;
    place.scrubber ??= shelf.mount(parentElement.querySelector(".place"), send);
    place.scrubber.take({ ...place.view, payload });
  };
  shelf.waiting.add(place.draw);
  places.set(parentElement, place);
  return place;
}
