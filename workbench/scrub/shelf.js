/** The shelf of a page, where the component finds the scrubber and its payloads. */

import { mount } from "./scrub.js";

/** Puts the scrubber and a payload, or `all` of a session ahead, where the page's component finds
 * them: they are large, and what has not changed Streamlit sends as a hash alone. */
export default function ({ data }) {
  const shelf = (globalThis.workbenchShelf ??= { payloads: new Map(), waiting: new Set() });
  shelf.mount = mount;
  if (data.all) shelf.ahead = { session: data.session, payloads: new Map(data.all.map((each) => [`${each.cutoff ?? "none"}`, each])) };
  else {
    shelf.payloads.delete(data.id);
    shelf.payloads.set(data.id, data);
  }
  while (shelf.payloads.size > 3) shelf.payloads.delete(shelf.payloads.keys().next().value);
  for (const wake of shelf.waiting) wake();
}
