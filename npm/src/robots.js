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
    const address = url instanceof URL ? url.href : stringOf(url, "url", "the address of a page");
    if (!URL.canParse(address)) throw new TypeError(`url: \`${address}\` is not a whole address, as in https://site.example/page`);
    return own(this).allows(address);
  }

  get delay() {
    return own(this).delay;
  }
}
