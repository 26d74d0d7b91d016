// The package for places that start it themselves: with another address, with bytes, or later.

export * from "./api.js";
export { init as default, initSync } from "./start.js";
