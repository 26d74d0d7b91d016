// What the package exports, however it was started.

import { engine } from "./start.js";

export { TemplateFinder } from "./finder.js";
export { Page } from "./page.js";
export { Robots } from "./robots.js";
export { RuleFinder } from "./rules.js";
export { Site, extract } from "./site.js";
export { reset } from "./start.js";

export const version = () => engine().version();
