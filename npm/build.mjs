// Puts the package together in dist/: the sources, and what `scripts/wasm` has made. All of it is in one
// folder, so that a bundle finds the WebAssembly where the sources do: beside itself.

import { copyFileSync, cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const npm = import.meta.dirname;
const root = join(npm, "..");
const dist = join(npm, "dist");

rmSync(dist, { recursive: true, force: true });
cpSync(join(npm, "src"), dist, { recursive: true });
copyFileSync(join(root, "target/wasm/unframe.js"), join(dist, "engine.js"));
copyFileSync(join(root, "target/wasm/unframe_bg.wasm"), join(dist, "unframe_bg.wasm"));
for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, license), join(npm, license));
