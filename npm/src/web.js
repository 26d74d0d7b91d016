// The package in browsers and bundles for them: started when it is imported.

import { init } from "./start.js";

await init();

export * from "./api.js";
