// The keyboard shortcuts. Each browser has its own page to change them.

import { api, t } from "../background/api.js";

const $ = (id) => document.getElementById(id);
const CHROMIUM_PAGE = "chrome://extensions/shortcuts";

export async function showShortcuts() {
  for (const { name, description, shortcut } of await api.commands.getAll()) {
    const term = document.createElement("dt");
    const keys = document.createElement("dd");
    term.textContent = name === "_execute_action" ? t("commandPanel") : description;
    keys.textContent = shortcut || t("noShortcut");
    $("shortcuts").append(term, keys);
  }
  const isFirefox = "openShortcutSettings" in api.commands;
  $("shortcuts-note").textContent = t(isFirefox ? "shortcutsFirefox" : "shortcutsChromium", CHROMIUM_PAGE);
  $("open-shortcuts").addEventListener("click", () => {
    if (isFirefox) api.commands.openShortcutSettings();
    else api.tabs.create({ url: CHROMIUM_PAGE });
  });
}
