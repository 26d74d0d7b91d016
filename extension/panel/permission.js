// Access to a site, which the user gives and takes.

import { api, pattern } from "../background/api.js";

/** Asks the user for access. Must be called first thing in the handler of a click. */
export const request = (origin) => api.permissions.request({ origins: [pattern(origin)] });
