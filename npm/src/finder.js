// The template of one page, from pages that the caller loads.

import { PAGE, SEARCH, TEMPLATE, optionsOf, optionsWith, sourceOf, stringOf } from "./arguments.js";
import { Held, objectOf } from "./held.js";
import { engine } from "./start.js";

const own = (finder) => objectOf(finder, "finder");

const FAILURES = ["missing", "not-html", "failed"];

export class TemplateFinder extends Held {
  constructor(html, options) {
    const known = { ...PAGE, ...SEARCH };
    const { url, charset, ...search } = optionsWith("url", "the address of the page", options, known);
    super(new (engine().TemplateFinder)(sourceOf(html), url, search, charset));
  }

  next() {
    return own(this).next();
  }

  give(html, options) {
    const { url, charset } = optionsWith("url", "the address of the page after redirects", options, PAGE);
    own(this).give(sourceOf(html), url, charset);
  }

  fail(kind, reason = "") {
    if (!FAILURES.includes(kind)) throw new TypeError(`kind: choose from ${FAILURES.join(", ")}`);
    own(this).fail(kind, stringOf(reason, "reason", "why there is no page"));
  }

  summary() {
    return own(this).summary();
  }

  template(options) {
    return own(this).template(optionsOf(options, TEMPLATE));
  }

  votes() {
    return own(this).votes();
  }
}
