// A project that has the package as others get it: packed and installed.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm, run, scratchFolder } from "./support.js";

export const scratch = scratchFolder();
export const project = join(scratch, "project");
export const SCRIPT = `import { Site, extract } from "unframe";
const site = new Site();
site.learn("<p>A text.", { url: "https://a.example/1" });
console.log(site.pages, extract("<p>A text.").text);
`;
export const SAID = "1 A text.\n\n";

export const runNode = (...args) => run(process.execPath, args, { cwd: project });
const npmRun = (args, folder) => run("npm", [...args, "--ignore-scripts"], { cwd: folder });

// What is not in the package must not be found.
mkdirSync(project);
writeFileSync(join(project, "package.json"), '{"private": true, "type": "module"}');
const packed = JSON.parse(npmRun(["pack", "--json", "--pack-destination", scratch], npm));
export const { filename, files } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0];
npmRun(["install", "--silent", "--offline", "--no-audit", "--no-fund", join(scratch, filename)], project);
writeFileSync(join(project, "script.js"), SCRIPT);
export const dist = join(project, "node_modules/unframe/dist");
