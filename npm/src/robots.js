// What a site's robots.txt allows.

import { sourceOf, stringOf } from "./arguments.js";
import { Held, objectOf } from "./held.js";
import { engine } from "./start.js";

const own = (robots) => objectOf(robots, "robots.txt");

export class Robots extends Held {
  constructor(text) {
    const source = sourceOf(text, "text");
    super(new (engine().Robots)(typeof source === "string" ? new TextEncoder().encode(source) : source));
  }

  allows(url) {
    return own(this).allows(url instanceof URL ? url.href : stringOf(url, "url", "the address of a page"));
  }

  get delay() {
    return own(this).delay;
  }
}
