// The package in Node: started when it is imported.

import { readFileSync } from "node:fs";
import { initSync } from "./start.js";

function read(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    const message = `${file.pathname} is missing; copy dist/unframe_bg.wasm of the package unframe next to the bundle`;
    throw new Error(message, { cause: error });
  }
}

initSync(read(new URL("./unframe_bg.wasm", import.meta.url)));

export * from "./api.js";
