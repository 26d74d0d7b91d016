// What the tests share: the project's folders, its program, and the pages of the demo.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after } from "node:test";

export const npm = resolve(import.meta.dirname, "..");
export const root = resolve(npm, "..");
const program = process.env.UNFRAME ?? join(root, "target/debug/unframe");
const tools = process.env.NODE_TOOLS ?? join(root, "target/node-tools");

/** Runs the command line of unframe. Returns what it writes to the standard output. */
export const unframe = (...args) => execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

/** Runs a program, and fails with all that it says. */
export function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], ...options });
  } catch (error) {
    throw new Error(`${command} ${args.join(" ")}\n${error.stdout}${error.stderr}`, { cause: error });
  }
}

/** Runs a development tool. */
export const tool = (name, args, options) => run(join(tools, "node_modules/.bin", name), args, options);

/** A folder that is removed after the tests. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), "unframe-node-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The paths of the HTML files below a folder, sorted, with `/`. */
export function htmlFiles(folder) {
  const files = readdirSync(folder, { recursive: true }).map((path) => path.replaceAll("\\", "/"));
  return files.filter((path) => path.endsWith(".html")).sort();
}

/** The sites of the demo: their names and pages. */
export const demo = readdirSync(join(root, "demo"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const folder = join(root, "demo", name, "pages");
    const pages = htmlFiles(folder).map((path) => {
      return { url: `https://${name}.example/${path}`, html: new Uint8Array(readFileSync(join(folder, path))) };
    });
    return { name, folder, host: `${name}.example`, pages };
  });

/** The pages as JSON lines, which the command line reads with their addresses. */
export function jsonLines(pages) {
  return pages.map(({ url, html }) => `${JSON.stringify({ url, html: new TextDecoder().decode(html) })}\n`).join("");
}
