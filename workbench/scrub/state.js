/**
 * What a payload says at a place on the path of σ²: pure functions, no page.
 *
 * A payload is what `make_payload` in slider.py returns. A word's `path` has one character a
 * value of σ², the code of its adapted tag, or "." where no fit is known yet.
 */

const FIRST_TAG = 48;
const UNKNOWN = ".";
export const FIXED = "fixed";
export const BROKEN = "broken";
export const WRONG = "still wrong";
export const MISSPELLED = "misspelled"; // a right tag, a wrong spelling
export const RIGHT = "right";
const SMALLEST = 0.001; // p-value that is told
const TOO_FEW = "too few to tell"; // as in significance.py
const SHOWN = {
  changed: [FIXED, BROKEN], fixed: [FIXED], broken: [BROKEN],
  "still wrong": [WRONG], misspelled: [MISSPELLED], all: [FIXED, BROKEN, WRONG, MISSPELLED], differ: [FIXED, BROKEN],
};

/** Whether there is a fit at a place of the grid, and it is told what it does with the text. */
export function isKnown(payload, i) { return typeof payload.points[i]?.wrong === "number"; }

/** Number of the tag that the adapted model gives a word; -1 where no fit is known. */
export function tagAt(word, i) {
  const character = word.path[i];
  return character === UNKNOWN ? -1 : character.charCodeAt(0) - FIRST_TAG;
}

/** How good a tag is for a word, from 0 to 1; where words have qualities of all their tags, that. */
export function qualityOf(word, tag) { return word.qualities ? word.qualities[tag] : Number(tag === word.gold); }

/**
 * What adaptation did to a word: fixed, broken, still wrong, misspelled (the tag is right and the
 * word is written wrong, whatever it was before) or right (right in both models).
 */
export function statusAt(word, i) {
  const tag = tagAt(word, i), before = qualityOf(word, word.background);
  const after = tag === -1 ? before : qualityOf(word, tag);
  if (tag === word.gold && formAt(word, i, word.word) !== word.word) return MISSPELLED;
  if (after !== before) return after > before ? FIXED : BROKEN;
  return after < qualityOf(word, word.gold) ? WRONG : RIGHT;
}

/** How many words have each status, of all words of the text or of some. */
export function tally(payload, i, only = null) {
  const counts = { [FIXED]: 0, [BROKEN]: 0, [WRONG]: 0, [MISSPELLED]: 0, [RIGHT]: 0 };
  const words = only ? payload.words.filter((word) => only.has(word.position)) : payload.words;
  for (const word of words) counts[statusAt(word, i)] += 1;
  counts[RIGHT] += (only ? only.size : payload.n_units) - words.length;
  return counts;
}

/** How many words adaptation fixed and broke at a place, in words. */
export function sayWords(payload, i) {
  const { fixed, broken } = payload.wording, n = tally(payload, i);
  return `${count(n[FIXED])} ${fixed}, ${count(n[BROKEN])} ${broken}`;
}

/** Words that the adapted models at two places of the grid tag differently. */
export function flips(payload, from, to) {
  if (!isKnown(payload, from) || !isKnown(payload, to)) return [];
  return payload.words.filter((word) => word.path[from] !== word.path[to]);
}

/**
 * Words that the models of two payloads of one text tag differently, each at a place of its own, as
 * `[then, now]`. Of a word that only one of them tells of, the other gives the right tag.
 */
export function changes(before, from, after, to) {
  if (!isKnown(before, from) || !isKnown(after, to)) return [];
  const [then, now] = [before, after].map(({ words }) => new Map(words.map((word) => [word.position, word])));
  const asRight = (word) => ({ ...word, path: String.fromCharCode(FIRST_TAG + word.gold).repeat(word.path.length), forms: {} });
  const positions = [...new Set([...then.keys(), ...now.keys()])].sort((a, b) => a - b);
  return positions.map((position) => {
    const [was, is] = [then.get(position), now.get(position)];
    return [was ?? asRight(is), is ?? asRight(was)];
  }).filter(([was, is]) => was.path[from] !== is.path[to]);
}

/**
 * The words of the whole text that a filter's `show` asks for, without regard to case, those that
 * occur most first: of each its `name`, the `words`, and how many are of each status.
 */
export function groups(payload, i, { show, differing }) {
  const asked = payload.words.filter((word) => passes(payload, word, i, { show, differing }));
  const made = [...Map.groupBy(asked, (word) => word.word.toLowerCase())].map(([name, words]) => {
    const counts = Object.groupBy(words, (word) => statusAt(word, i));
    return { name, words, counts: Object.fromEntries(Object.entries(counts).map(([status, own]) => [status, own.length])) };
  });
  return made.sort((a, b) => b.words.length - a.words.length);
}

/** How often each reference tag (row) was given each tag (column) by the adapted model. */
export function confusion(payload, i) {
  const counts = payload.tags.map(() => payload.tags.map(() => 0));
  payload.support.forEach((n, tag) => { counts[tag][tag] = n; });
  for (const word of payload.words) {
    const tag = tagAt(word, i);
    if (tag === -1 || tag === word.gold) continue;
    counts[word.gold][word.gold] -= 1;
    counts[word.gold][tag] += 1;
  }
  return counts;
}

/**
 * Whether a word passes a filter at a place of the grid.
 * A filter has `show`, a key of SHOWN; `pair`, names of reference and given tag, or null; `only`, a
 * Set of positions, or null; and, in place of show and pair, `flipped` or `differing`, Sets of positions.
 */
export function passes(payload, word, i, filter) {
  if (filter.only && !filter.only.has(word.position)) return false;
  if (filter.flipped ?? filter.differing) return (filter.flipped ?? filter.differing).has(word.position);
  if (filter.pair) {
    const [gold, given] = filter.pair;
    return payload.tags[word.gold] === gold && payload.tags[tagAt(word, i)] === given;
  }
  return SHOWN[filter.show].includes(statusAt(word, i));
}

/**
 * What share of the words that a filter picks out is wrong at a place: of its part of the text, or else of those that should
 * have the first tag of its pair; where it has a pair, those that were given the second. null where no fit is known.
 */
export function shareWrong(payload, i, { only, pair }) {
  if (!isKnown(payload, i)) return null;
  const wrong = payload.words.filter((word) => (!only || only.has(word.position)) && (pair ? passes(payload, word, i, { pair })
    : qualityOf(word, tagAt(word, i)) < qualityOf(word, word.gold)));
  return wrong.length / (only ? only.size : payload.support[payload.tags.indexOf(pair[0])]);
}

/** A word in the case that the adapted model gives it; where tags are labels, as written. */
export function formAt(word, i, written) { return word.forms[tagAt(word, i)] ?? written; }

/** Whether a tag is wrong but nobody sees it: the word is written right all the same. */
export function isUnseen(payload, word, i) {
  if (!payload.recases || formAt(word, i, word.word) !== word.word) return false;
  return tagAt(word, i) !== word.gold || (word.background !== word.gold && word.before === word.word);
}

/** How many wrong tags of the background, and of the adapted model, nobody sees. */
export function countUnseen(payload, i) {
  const { words, recases } = payload;
  return {
    background: words.filter((w) => recases && w.background !== w.gold && w.before === w.word).length,
    adapted: words.filter((w) => tagAt(w, i) !== w.gold && isUnseen(payload, w, i)).length,
  };
}

/** The place with the fewest errors on dev; the smaller σ² of two that have as few. */
export function bestOnDev({ points }) {
  const errors = points.map((point) => point?.dev ?? Infinity), lowest = Math.min(...errors);
  return lowest < Infinity ? errors.indexOf(lowest) : -1;
}

/** Whether differences from the background are judged: not on a text that a model has learnt from. */
export function isJudged({ points }) { return !points.some((point) => point?.interval === null); }

/** The payload, judged by the best of a whole map, ★; `cells` are those of the map. Its points say whether they are `near` ★, its `p`, and how many units `more` than ★ are wrong; `star` is the place of ★, -1 at another cut-off. */
export function judgedBy(payload, cells, cutoff) {
  const own = cells.filter((cell) => cell.cutoff === cutoff), lowest = Math.min(...cells.map(({ error }) => error));
  return cells.length ? { ...payload, points: payload.points.map((point, i) => point && { ...point, near: false, ...own.find((cell) => cell.i === i), more: Math.round((point.dev - lowest) * payload.n_units) }), star: own.find(({ best }) => best)?.i ?? -1 } : payload;
}

/** Places around the best of the curve that do not clearly differ from it, see `is_near` in surface.py, or those `near` ★ in this row of a map; none until all are known. */
export function asGood(payload) {
  const { points, star } = payload, best = bestOnDev(payload);
  if (payload.elsewhere || !points.every(Boolean) || !isJudged(payload)) return [];
  return [...points.keys()].filter((i) => (star === undefined ? points.slice(Math.min(i, best), Math.max(i, best) + 1) : [points[i]]).every(({ near }) => near));
}

/** How good the σ² at a place is, in words: the best of its curve or of a map, by how much it is above that without a clear difference, or clearly worse; "" while fits lack. */
export function verdictAt(payload, i) {
  const { points, star } = payload, isOfMap = star !== undefined;
  if (!points.every(Boolean) || !isJudged(payload)) return "";
  if (i === (star ?? bestOnDev(payload))) return isOfMap ? "★" : "the lowest";
  if (!points[i].near && !(points[i].p >= 0.05)) return `clearly worse${isOfMap ? " than ★" : ""}`;
  return isOfMap ? `${count(points[i].more)} above ★ (p: ${sayChance(points[i].p)})` : "no clear difference"; // there is room for so much
}

/** What a pinned σ² is compared by: its words that are wrong, and the tag it gives each of them. */
export function pinnedAt(payload, sigma2) {
  const i = payload.sigma2s.indexOf(sigma2);
  const others = payload.words.filter((word) => tagAt(word, i) !== word.gold);
  const tags = Object.fromEntries(others.map((word) => [word.position, tagAt(word, i)]));
  const wrong = others.filter((word) => qualityOf(word, tagAt(word, i)) < qualityOf(word, word.gold));
  return { sigma2, wrong: wrong.length, tags, dev: payload.points[i]?.dev };
}

/**
 * How the model at a place differs from a pinned one: `positions`, a Set, how many words it does
 * better, worse, or neither, and `p`, the chance of such a difference between equally good models.
 */
export function versusPinned(payload, i, pinned) {
  const here = new Set(payload.words.map((word) => word.position));
  const positions = new Set(Object.keys(pinned.tags).map(Number).filter((position) => !here.has(position))); // right along this path
  let worse = 0, neither = 0, better = positions.size;
  for (const word of payload.words) {
    const then = pinned.tags[word.position] ?? word.gold, now = tagAt(word, i);
    if (then === now) continue;
    positions.add(word.position);
    better += qualityOf(word, now) > qualityOf(word, then);
    worse += qualityOf(word, now) < qualityOf(word, then);
    neither += qualityOf(word, now) === qualityOf(word, then);
  }
  return { positions, better, worse, neither, p: chance(better, worse) };
}

/** The p-value of McNemar's test, exact and two-sided, as in significance.py. */
function chance(fixed, broken) {
  const n = fixed + broken;
  let log = -n * Math.LN2, tail = 0; // of k among n tosses of a coin
  for (let k = 0; k <= Math.min(fixed, broken); k += 1) {
    tail += Math.exp(log);
    log += Math.log((n - k) / (k + 1));
  }
  return fixed === broken ? 1 : Math.min(1, 2 * tail);
}

/** A p-value in words, as in number_words.py. */
export function sayChance(p) { return p < SMALLEST ? `< ${SMALLEST}` : p.toFixed(3); }

/** A fraction as per cent with one true minus sign; a dash where it is undefined. */
export function percent(fraction, digits = 2) {
  if (fraction === null || fraction === undefined) return "–";
  return `${(100 * fraction).toFixed(digits)}\u00a0%`.replace("-", "−");
}

/** A change as per cent with its sign; "no change" where it rounds to none. */
export function signed(fraction, digits = 0) {
  const text = (100 * fraction).toFixed(digits);
  if (Number(text) === 0) return "no change";
  return `${fraction > 0 ? "+" : "−"}${text.replace("-", "")}\u00a0%`;
}

/** How many decisions of a model are right or wrong, in words. */
export function outcome({ quality, n_units: n, wording: { units } }, model) {
  if (quality) return `best in ${count(n - model.wrong)} of ${count(n)}`;
  return `${count(model.wrong)} of ${count(n)} ${units} wrong`;
}

/** How a model's errors, or its quality, compare with the background's, in words: {text, isClear}. */
export function comparison(model, { quality }) {
  if (model.name === "background") return { text: "the baseline", isClear: false };
  if (!model.interval) return { text: "no verdict: this text repeats what was learnt", isClear: false };
  if (model.change === null) return { text: "nothing to compare with", isClear: false };
  if (model.interval[0] === null) return { text: TOO_FEW, isClear: false };
  if (model.wrong === 0 && !quality) return { text: "no errors left", isClear: true };
  const [low, high] = model.interval, tell = quality ? (fraction) => nats(100 * fraction) : signed;
  const range = `${tell(low)} to ${tell(high)}`.replaceAll("no change", "0\u00a0%");
  if (low <= 0 && high >= 0) return { text: `no clear difference (${range})`, isClear: false };
  return { text: `${tell(model.change)} ${quality ? "points" : "errors"} (${range})`, isClear: true };
}

/** A number with thousands set apart. */
export function count(number) { return number.toLocaleString("en-US"); }

/** Nats, or points, with their sign, of two decimals. */
export function nats(value) {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value).toFixed(2);
  return text === "0.00" ? "0" : `${value < 0 ? "−" : "+"}${text}`;
}
