// Checks the folder of an extension: what it may do, that every file it names is there, that every file is used, and
// that its messages are those of its code.
//
//   node check.mjs FOLDER chromium|firefox

import fs from "node:fs";
import path from "node:path";

const [folder, browser] = process.argv.slice(2);
const problems = [];
const complain = (text) => problems.push(text);

const all = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const files = new Set(all.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))));
const text = (file) => fs.readFileSync(path.join(folder, file), "utf8");
const own = [...files].filter((file) => /\.(js|html|css)$/.test(file) && !file.startsWith("engine/"));
const manifest = JSON.parse(text("manifest.json"));

// What it may do. More than this is not to slip in.

const ALLOWED = {
  both: ["manifest_version", "name", "version", "description", "default_locale", "icons", "action", "permissions",
    "optional_host_permissions", "content_security_policy", "options_ui", "commands", "background"],
  chromium: ["minimum_chrome_version", "side_panel"],
  firefox: ["browser_specific_settings", "sidebar_action"],
};
const PERMISSIONS = { both: ["activeTab", "scripting", "storage"], chromium: ["sidePanel"], firefox: [] };
const SOURCES = { "default-src": "'self'", "script-src": "'self' 'wasm-unsafe-eval'", "connect-src": "'self'" };

const same = (a, b) => JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
for (const key of Object.keys(manifest)) {
  if (![...ALLOWED.both, ...ALLOWED[browser]].includes(key)) complain(`manifest.json: the key ${key} is not expected`);
}
const expected = [...PERMISSIONS.both, ...PERMISSIONS[browser]];
if (!same(manifest.permissions, expected)) complain(`manifest.json: permissions are not ${expected.join(", ")}`);
if (!same(manifest.optional_host_permissions, ["http://*/*", "https://*/*"])) {
  complain("manifest.json: the optional hosts are not those of web pages");
}
const policy = new Map(manifest.content_security_policy.extension_pages.split(";").map((part) => {
  const [name, ...sources] = part.trim().split(/\s+/);
  return [name, sources.join(" ")];
}));
for (const [name, sources] of Object.entries(SOURCES)) {
  if (policy.get(name) !== sources) complain(`manifest.json: the policy has ${name} ${policy.get(name)}, not ${sources}`);
}
for (const [name, sources] of policy) {
  if (/https?:|\*/.test(sources)) complain(`manifest.json: the policy lets ${name} reach ${sources}`);
}
if (!/^\d+(\.\d+){0,3}$/.test(manifest.version)) complain(`manifest.json: ${manifest.version} is no version`);

// Files.

const named = new Set(["manifest.json", `_locales/${manifest.default_locale}/messages.json`]);

function name(from, file) {
  const found = path.normalize(file.replace(/[?#].*/s, ""));
  if (files.has(found)) named.add(found);
  else complain(`${from}: there is no file ${found}`);
}

function nameAll(value) {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(nameAll);
  else if (/^[\w/-]+\.(js|html|css|png|svg)$/.test(value)) name("manifest.json", value);
}
nameAll(manifest);

const PATTERNS = {
  ".js": [/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g, /new URL\("([^"]+)",\s*import\.meta\.url\)/g],
  ".html": [/(?:src|href)="([^"#:]+)"/g],
  ".css": [/url\("?([^"):]+)"?\)/g, /@import "([^"]+)"/g],
};
// Paths from the root of the extension, in strings.
const ROOTED = /["`]\/?((?:background|engine|icons|options|page|panel)\/[\w./-]+\.(?:js|css|html|wasm|svg|png))/g;
for (const file of own) {
  const source = text(file);
  for (const pattern of PATTERNS[path.extname(file)]) {
    for (const [, found] of source.matchAll(pattern)) name(file, path.join(path.dirname(file), found));
  }
  if (file.endsWith(".js")) for (const [, found] of source.matchAll(ROOTED)) name(file, found);
}
for (const file of files) if (!named.has(file)) complain(`${file} is not used`);

// What a policy without 'unsafe-inline' would silently drop, and what nobody may do.
for (const file of own) {
  const source = text(file);
  if (file.endsWith(".html") && /<script>|<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=/.test(source)) {
    complain(`${file} has scripts or styles inside`);
  }
  if (file.endsWith(".js")) {
    for (const [found] of source.matchAll(/\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|new Function)\b(?=\s*(=[^=]|\(|\+=))/g)) {
      complain(`${file} uses ${found}`);
    }
  }
}

// Messages.

const folders = [...files].flatMap((file) => /^_locales\/([^/]+)\/messages\.json$/.exec(file)?.[1] ?? []);
const messages = JSON.parse(text(`_locales/${manifest.default_locale}/messages.json`));
for (const language of folders) {
  const others = Object.keys(JSON.parse(text(`_locales/${language}/messages.json`)));
  for (const key of others) if (!(key in messages)) complain(`_locales/${language}: ${key} is unknown`);
}

/** Keys that are written out where a message is asked for. They must exist. */
const asked = new Map();
const ask = (key, file) => asked.set(key, file);
for (const [, key] of text("manifest.json").matchAll(/__MSG_(\w+)__/g)) ask(key, "manifest.json");
/** Every word in quotes: a key may be chosen from a table. */
const words = new Set();
/** Keys that are put together, as patterns. */
const shapes = [/^extension|^@@/];
for (const file of own) {
  const source = text(file);
  if (file.endsWith(".html")) for (const [, key] of source.matchAll(/data-i18n(?:-[\w-]+)?="(\w+)"/g)) ask(key, file);
  if (!file.endsWith(".js")) continue;
  for (const [, key] of source.matchAll(/\b(?:t|getMessage|Told|skip)\(\s*"(\w+)"/g)) ask(key, file);
  for (const [, key] of source.matchAll(/\bcounted\(\s*"(\w+)"/g)) for (const form of ["One", "Other"]) ask(key + form, file);
  for (const [, key] of source.matchAll(/"(\w+)"/g)) for (const form of ["", "One", "Other"]) words.add(key + form);
  for (const [, template] of source.matchAll(/\b(?:t|counted)\(\s*`([^`]+)`/g)) {
    shapes.push(new RegExp(`^${template.replace(/\$\{[^}]*\}/g, "\\w+")}(One|Other)?$`));
  }
  // Put together from a prefix and the name of a setting: "setting" + …
  for (const [, prefix] of source.matchAll(/"(\w+)"\s*\+/g)) shapes.push(new RegExp(`^${prefix}\\w+$`));
  for (const [, template] of source.matchAll(/`(\w+\$\{[^`]+)`/g)) {
    shapes.push(new RegExp(`^${template.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "\\w*")}$`));
  }
}
for (const [key, file] of asked) if (!(key in messages)) complain(`${file}: there is no message ${key}`);
for (const key of Object.keys(messages)) {
  if (!asked.has(key) && !words.has(key) && !shapes.some((shape) => shape.test(key))) complain(`the message ${key} is not used`);
}

for (const problem of problems) console.error(`${browser}: ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(`${browser}: ${files.size} files and ${Object.keys(messages).length} messages are as they should be`);
