// Taking something along: to the clipboard, or as a file.

import { decoded } from "../background/page.js";

/**
 * Copies a text that is still to come. The browser lets a page write to the clipboard only soon after a click, so the
 * promise is handed over at once. Returns the number of characters.
 */
export async function copy(coming) {
  const text = coming.then((answer) => new Blob([answer.text], { type: "text/plain" }));
  // An error of the answer is told below; the clipboard's own says less.
  text.catch(() => {});
  const written = navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
  written.catch(() => {});
  const answer = await coming;
  await written;
  return [...answer.text].length;
}

/** How long the browser may take to begin to write a file, in milliseconds. */
const LONGEST = 60_000;

/** Saves an answer as a file. Returns its name and size. */
export function save({ name, type, text, base64 }) {
  const blob = new Blob([base64 === undefined ? text : decoded(base64)], { type });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), LONGEST);
  return { name, bytes: blob.size };
}
