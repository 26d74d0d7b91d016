// Checks what callers pass, so that a mistake is an error that says what to write instead.

/** What a value is, for errors. */
function kindOf(value) {
  if (value === null || ["undefined", "number", "boolean"].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return value.every(isString) ? "an array" : "an array with other values";
  const name = typeof value === "object" ? (value.constructor?.name ?? "object") : typeof value;
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
}

const isBuffer = (value) => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

/** The bytes of a buffer or a view, which may be from another realm; nothing if it is neither. */
function bytesIn(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isBuffer(value) ? new Uint8Array(value) : undefined;
}

/** A string, or bytes; `name` is that of the argument. */
export function sourceOf(value, name = "html") {
  const source = typeof value === "string" ? value : bytesIn(value);
  if (source === undefined) {
    throw new TypeError(`${name}: must be a string, a Uint8Array or an ArrayBuffer, not ${kindOf(value)}`);
  }
  return source;
}

/** Bytes; `name` is that of the argument. */
export function bytesOf(value, name) {
  const bytes = bytesIn(value);
  if (bytes === undefined) throw new TypeError(`${name}: must be a Uint8Array or an ArrayBuffer, not ${kindOf(value)}`);
  return bytes;
}

/** A string; `name` is that of the argument, `meaning` says what to pass. */
export function stringOf(value, name, meaning) {
  if (typeof value !== "string") throw new TypeError(`${name}: must be a string, ${meaning}, not ${kindOf(value)}`);
  return value;
}

const isString = (value) => typeof value === "string";
const asItIs = (value) => value;

/** The types of options: which values they take, in words, and as the engine takes them. */
const TYPES = {
  text: { takes: isString, words: "a string", read: asItIs },
  yes: { takes: (value) => typeof value === "boolean", words: "true or false", read: asItIs },
  count: { takes: (value) => Number.isSafeInteger(value) && value >= 0, words: "a whole number", read: asItIs },
  url: { takes: (value) => isString(value) || value instanceof URL, words: "a string or a URL", read: String },
  selectors: {
    takes: (value) => [value].flat().every(isString),
    words: "a CSS selector or an array of them",
    read: (value) => [value].flat(),
  },
};

/** The options of each function, by name, with their types. Their values are the engine's concern. */
export const PAGE = { url: "url", charset: "text" };
export const SITE = {
  method: "text",
  remove: "text",
  favor: "text",
  comments: "text",
  protect: "selectors",
  removeSelector: "selectors",
  ownerMarks: "yes",
  reasons: "yes",
  arrival: "yes",
  watchDrift: "yes",
};
export const MARKDOWN = { links: "yes", images: "yes" };
export const TEMPLATE = { absoluteLinks: "yes", showSlots: "yes", scripts: "yes", assets: "yes" };
export const SEARCH = { preset: "text", n: "count", t: "count", maxLoads: "count" };

/** The options that were passed, of those that are known. Null and undefined are the same as left out. */
export function optionsOf(given, known) {
  const names = Object.keys(known);
  if (given === undefined || given === null) return {};
  if (typeof given !== "object" || Array.isArray(given) || given instanceof URL) {
    throw new TypeError(`options: must be an object, as in { ${names[0]}: … }, not ${kindOf(given)}`);
  }
  const options = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(known, name)) {
      throw new TypeError(`options: there is no \`${name}\`; choose from ${names.join(", ")}`);
    }
    if (value === undefined || value === null) continue;
    const { takes, words, read } = TYPES[known[name]];
    if (!takes(value)) throw new TypeError(`${name}: must be ${words}, not ${kindOf(value)}`);
    options[name] = read(value);
  }
  return options;
}

/** The same with one that must be there; `meaning` says what to pass. */
export function optionsWith(needed, meaning, given, known) {
  const options = optionsOf(given, known);
  if (options[needed] === undefined) throw new TypeError(`${needed}: missing; pass { ${needed}: … }, ${meaning}`);
  return options;
}
