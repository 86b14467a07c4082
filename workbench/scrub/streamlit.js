import { mount } from "./scrub.js";

const scrubbers = new WeakMap();

/** What Streamlit calls when the component appears, and again whenever its data change. */
export default function ({ data, parentElement, setTriggerValue }) {
  if (!scrubbers.has(parentElement)) {
    const place = parentElement.querySelector(".place");
    scrubbers.set(parentElement, mount(place, (message) => setTriggerValue("message", message)));
  }
  scrubbers.get(parentElement).take(data);
  return () => {
    scrubbers.get(parentElement)?.destroy();
    scrubbers.delete(parentElement);
  };
}
