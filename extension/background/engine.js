// The engine, started when it is first needed.

import start, * as engine from "../engine/unframe.js";
import { api, Told } from "./api.js";

let started;

/** The classes of the engine. */
export async function load() {
  started ??= start({ module_or_path: api.runtime.getURL("engine/unframe_bg.wasm") });
  try {
    await started;
  } catch (error) {
    started = undefined;
    throw error;
  }
  return engine;
}

/** Runs something with the engine's objects, and frees those that it has collected in `made`. */
export async function using(work) {
  const made = [];
  const keep = (object) => {
    made.push(object);
    return object;
  };
  try {
    return await work(await load(), keep);
  } catch (error) {
    // Out of memory, mostly. What was learned is safe in the database; the instance is not.
    if (error instanceof WebAssembly.RuntimeError) {
      engine.__wbg_reset_state();
      made.length = 0;
      for (const tell of broken) tell();
      throw new Told("engineFailed");
    }
    throw error;
  } finally {
    for (const object of made) object.free();
  }
}

const broken = [];

/** Calls back when all objects of the engine are gone. */
export const onBroken = (tell) => broken.push(tell);
