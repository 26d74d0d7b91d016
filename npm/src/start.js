// Starts the engine: the WebAssembly, with the script that wasm-bindgen writes for it.

import start, * as glue from "./engine.js";

/** How often the engine was started; objects belong to the start after which they were made. */
let generation = 0;
let starting;

/** The classes of the engine. */
export function engine() {
  if (generation === 0) throw new Error("unframe is not started; call `await init()` first");
  return glue;
}

/** Which start it is. */
export const currentGeneration = () => generation;

/** Loads the WebAssembly, once. */
export async function init(source = new URL("./unframe_bg.wasm", import.meta.url)) {
  if (generation > 0) return;
  starting ??= start({ module_or_path: source });
  try {
    await starting;
  } catch (error) {
    // So that it can be tried again.
    starting = undefined;
    throw error;
  }
  generation ||= 1;
}

/** The same at once, with bytes or a compiled module. */
export function initSync(module) {
  if (generation > 0) return;
  glue.initSync({ module });
  generation = 1;
}

/** Starts anew with empty memory. */
export function reset() {
  engine().__wbg_reset_state();
  generation += 1;
}
