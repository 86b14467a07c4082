/** The Streamlit component: payloads that arrive from the server, and the place each is shown in. */

const shelf = (globalThis.workbenchShelf ??= { payloads: new Map(), waiting: new Set() });
const places = new WeakMap();
const PATIENCE = 10_000; // ms; then a message that was not heard counts as lost

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

/**
 * A place whose view is drawn once, as soon as its payload is on the shelf.
 *
 * A view of before the user's last move would undo it: the server says what it heard last, and older views
 * wait. What is unheard goes along with the next message: of two at once Streamlit may know the second alone.
 */
function open(parentElement, setTriggerValue) {
  const place = { view: null, drawn: null, scrubber: null }, box = parentElement.querySelector(".place");
  let unheard = null;
  const send = (message) => {
    unheard = { ...unheard, ...message, sent: Date.now() };
    box.toggleAttribute("data-unheard", true);
    setTimeout(place.draw, PATIENCE);
    setTriggerValue("message", unheard);
  };
  place.draw = () => {
    if (unheard && place.view.heard < unheard.sent && Date.now() < unheard.sent + PATIENCE) return;
    unheard = null;
    box.toggleAttribute("data-unheard", false);
    const payload = shelf.payloads.get(place.view.payload.id);
    if (!payload || (place.view === place.drawn && place.ahead === shelf.ahead)) return; // the user may have moved on since
    Object.assign(place, { drawn: place.view, ahead: shelf.ahead });
    aheadOf(place.view).set(`${payload.cutoff ?? "none"}`, payload); // which may know more by now
    place.scrubber ??= shelf.mount(box, send, (cutoff) => aheadOf(place.view).get(cutoff));
    place.scrubber.take({ ...place.view, payload });
    if (!place.view.corrected) return; // else Streamlit has taken a value that it does not know out of the address
    const address = new URL(location);
    address.searchParams.set("sigma2", place.view.at.sigma2);
    history.replaceState(history.state, "", address);
  };
  shelf.waiting.add(place.draw);
  places.set(parentElement, place);
  return place;
}

/** The payloads by cut-off that were sent ahead, if they are of the session that a view shows. */
function aheadOf(view) { return shelf.ahead && shelf.ahead.session === view.session ? shelf.ahead.payloads : new Map(); }

function close(parentElement) {
  const place = places.get(parentElement);
  if (!place) return;
  shelf.waiting.delete(place.draw);
  place.view = place.drawn; // a timer may still draw
  place.scrubber?.destroy();
  places.delete(parentElement);
}
