// The frame of a site as selectors.

import { PAGE, optionsWith, stringOf } from "./arguments.js";
import { Held, objectOf } from "./held.js";
import { Page } from "./page.js";
import { engine } from "./start.js";

const own = (finder) => objectOf(finder, "finder");

export class RuleFinder extends Held {
  constructor() {
    super(new (engine().RuleFinder)());
  }

  add(page, options) {
    if (!(page instanceof Page)) throw new TypeError("page: must be a Page, as clean(html, { url }) of a Site returns it");
    const { url } = optionsWith("url", "the address of the page", options, { url: PAGE.url });
    own(this).add(objectOf(page, "page"), url);
  }

  write(format, options) {
    const { site } = optionsWith("site", "the host of the site", options, { site: "text" });
    return own(this).write(stringOf(format, "format", "as in \"css\""), site);
  }
}
