// Puts the extension together, for each browser in a folder and in a zip. The same sources give the same bytes.
//
//   node assemble.mjs TARGET      the folder for both

import fs from "node:fs";
import path from "node:path";
import { zip } from "./zip.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const source = path.join(root, "extension");
const target = path.resolve(process.argv[2]);

const PARTS = ["_locales", "icons", "background", "page", "panel", "options"];
const ENGINE = ["unframe.js", "unframe_bg.wasm"];

const read = (file) => fs.readFileSync(file, "utf8");
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The manifest of one browser: its own keys on top of those of both. */
function merged(base, own) {
  if (Array.isArray(base) && Array.isArray(own)) return [...base, ...own];
  if (!isObject(base) || !isObject(own)) return own;
  const all = { ...base };
  for (const [key, value] of Object.entries(own)) all[key] = key in base ? merged(base[key], value) : value;
  return all;
}

/** The version of the workspace; browsers take numbers only. */
function version() {
  const stated = /^\[workspace\.package\][^[]*^version = "([\d.]+)/m.exec(read(path.join(root, "Cargo.toml")));
  if (!stated) throw new Error("Cargo.toml states no version");
  return stated[1];
}

/** The files below a folder, by name. */
function filesOf(folder, prefix = "") {
  const entries = fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const name = prefix + entry.name;
    return entry.isDirectory() ? filesOf(path.join(folder, entry.name), `${name}/`) : [name];
  });
}

for (const browser of ["chromium", "firefox"]) {
  const folder = path.join(target, browser);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(path.join(folder, "engine"), { recursive: true });
  for (const part of PARTS) fs.cpSync(path.join(source, part), path.join(folder, part), { recursive: true });
  for (const file of ENGINE) fs.copyFileSync(path.join(root, "target/wasm", file), path.join(folder, "engine", file));
  const manifest = merged(
    JSON.parse(read(path.join(source, "manifest.json"))),
    JSON.parse(read(path.join(source, `manifest.${browser}.json`))),
  );
  manifest.version = version();
  fs.writeFileSync(path.join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);

  const entries = filesOf(folder).map((name) => ({ name, bytes: fs.readFileSync(path.join(folder, name)) }));
  const packed = zip(entries);
  const file = path.join(target, `unframe-${browser}-${manifest.version}.zip`);
  fs.writeFileSync(file, packed);
  console.log(`${path.relative(process.cwd(), file)}: ${entries.length} files, ${packed.length} bytes`);
}
