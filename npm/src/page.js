// A cleaned page.

import { MARKDOWN, TEMPLATE, optionsOf } from "./arguments.js";
import { Held, objectOf } from "./held.js";
import { engine } from "./start.js";

const own = (page) => objectOf(page, "page");

export class Page extends Held {
  constructor(object) {
    if (!(object instanceof engine().Page)) {
      throw new TypeError("pages are not made with `new`; call extract(html), or clean(html, { url }) of a Site");
    }
    super(object);
  }

  get text() {
    return own(this).text;
  }

  get html() {
    return own(this).html;
  }

  htmlBytes() {
    return own(this).htmlBytes();
  }

  markdown(options) {
    return own(this).markdown(optionsOf(options, MARKDOWN));
  }

  template(options) {
    return own(this).template(optionsOf(options, TEMPLATE));
  }

  get title() {
    return own(this).title;
  }

  get metadata() {
    return this.record("metadata").metadata;
  }

  get kind() {
    return this.record("kind").kind;
  }

  get parts() {
    return this.record("parts").parts ?? {};
  }

  get comments() {
    return this.record("comments").comments ?? [];
  }

  get links() {
    return this.record("links").links;
  }

  get regions() {
    return own(this).regions;
  }

  texts() {
    return own(this).texts();
  }

  get flags() {
    return own(this).flags;
  }

  get confidence() {
    return own(this).confidence;
  }

  get removedShare() {
    return own(this).removedShare;
  }

  get contentHash() {
    return own(this).contentHash;
  }

  get statePages() {
    return own(this).statePages;
  }

  get nodes() {
    return own(this).nodes;
  }

  record(fields) {
    const isList = Array.isArray(fields) && fields.every((name) => typeof name === "string");
    if (!isList && typeof fields !== "string") {
      throw new TypeError('fields: must be names, as in "url,title" or ["url", "title"]');
    }
    return own(this).record(String(fields));
  }

  body() {
    return new Page(own(this).body());
  }
}
