// Objects whose data is in the memory of the WebAssembly.

import { currentGeneration } from "./start.js";

const held = new WeakMap();

/** What all classes share: they hold an object of the engine, and give its memory back. */
export class Held {
  constructor(object) {
    held.set(this, { object, generation: currentGeneration() });
  }

  free() {
    const { object, generation } = held.get(this);
    held.set(this, { object: undefined, generation });
    // After a reset the memory is gone anyway, and its address may be that of something else.
    if (generation === currentGeneration()) object?.free();
  }
}

if (Symbol.dispose) Held.prototype[Symbol.dispose] = Held.prototype.free;

/** The engine's object; `name` is what the holder is called in errors. */
export function objectOf(holder, name) {
  const { object, generation } = held.get(holder) ?? {};
  if (generation === undefined) throw new TypeError(`this is no ${name} of unframe`);
  if (object === undefined) throw new Error(`the ${name} was freed; free it when nothing more is asked of it`);
  if (generation !== currentGeneration()) throw new Error(`the ${name} was made before reset(); make it again`);
  return object;
}
