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

/** How often the engine was started anew. The memory of objects from before is that of something else. */
let generation = 0;

/** Runs something with the engine's objects, and frees those that it was told to keep. */
export async function using(work) {
  const made = [];
  const keep = (object) => {
    made.push(object);
    return object;
  };
  const started = await load();
  const its = generation;
  try {
    return await work(started, keep);
  } catch (error) {
    // Out of memory, mostly. What was learned is safe in the database; the instance is not.
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    if (its === generation) {
      generation += 1;
      engine.__wbg_reset_state();
      for (const tell of broken) tell();
    }
    throw new Told("engineFailed");
  } finally {
    if (its === generation) for (const object of made) object.free();
  }
}

const broken = [];

/** Calls back when all objects of the engine are gone. */
export const onBroken = (tell) => broken.push(tell);
