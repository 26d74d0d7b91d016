// One site, and pages alone.

import { PAGE, SITE, bytesOf, optionsOf, sourceOf, stringOf } from "./arguments.js";
import { Held, objectOf } from "./held.js";
import { Page } from "./page.js";
import { engine } from "./start.js";

const own = (site) => objectOf(site, "site");

export class Site extends Held {
  constructor(options) {
    super(new (engine().Site)(optionsOf(options, SITE)));
  }

  static fromBytes(bytes, options) {
    const site = new Site(options);
    site.merge(bytes);
    return site;
  }

  learn(html, options) {
    const { url, charset } = optionsOf(options, PAGE);
    return own(this).learn(sourceOf(html), url, charset);
  }

  clean(html, options) {
    const { url, charset } = optionsOf(options, PAGE);
    return new Page(own(this).clean(sourceOf(html), url, charset));
  }

  label(html, options) {
    const { url, charset } = optionsOf(options, PAGE);
    return new Page(own(this).label(sourceOf(html), url, charset));
  }

  why(html, options) {
    const { url, charset } = optionsOf(options, PAGE);
    return new Page(own(this).why(sourceOf(html), url, charset));
  }

  get pages() {
    return own(this).pages;
  }

  toBytes() {
    return own(this).toBytes();
  }

  merge(bytes) {
    return own(this).merge(bytesOf(bytes, "bytes"));
  }

  stateFile(name) {
    const its = stringOf(name, "name", "what the command line calls the site: its host");
    if (its === "") throw new TypeError("name: must not be empty; pass what the command line calls the site: its host");
    return own(this).stateFile(its);
  }
}

export function extract(html, options) {
  const { url, charset, ...settings } = optionsOf(options, { ...PAGE, ...SITE });
  return new Page(engine().extract(sourceOf(html), url, settings, charset));
}
