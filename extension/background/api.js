// What both browsers call the same, under one name.

export const api = globalThis.browser ?? globalThis.chrome;

/** A message of `_locales`, with its placeholders filled. */
export const t = (key, ...values) => api.i18n.getMessage(key, values.map(String)) || key;

/** What permissions call the host of a site; they cannot name a port. */
export function pattern(origin) {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}

/** An error that is told to the user as it is. */
export class Told extends Error {
  constructor(key, ...values) {
    super(t(key, ...values));
    this.name = "Told";
  }
}
