// Access to a site, which the user gives and takes.

import { api } from "../background/api.js";

/** The pattern of a site's host; patterns cannot name a port. */
export function pattern(origin) {
  const { protocol, hostname } = new URL(origin);
  return `${protocol}//${hostname}/*`;
}

/** Asks the user for access. Must be called first thing in the handler of a click. */
export const request = (origin) => api.permissions.request({ origins: [pattern(origin)] });
