// What both browsers call the same, under one name, for the scripts in the page.

globalThis.unframePage ??= {};

globalThis.unframePage.api ??= globalThis.browser ?? globalThis.chrome;

/** A message of `_locales`, with its placeholders filled. */
globalThis.unframePage.t ??= (key, ...values) => globalThis.unframePage.api.i18n.getMessage(key, values.map(String)) || key;
