// The settings, and all that is stored.

import { t } from "../background/api.js";
import { ask } from "../panel/background.js";
import { translate } from "../panel/i18n.js";
import { showHosts } from "./hosts.js";
import { showSettings } from "./settings.js";
import { showShortcuts } from "./shortcuts.js";
import { showSites } from "./sites.js";

const $ = (id) => document.getElementById(id);

function say(text, isBad = false) {
  $("line").textContent = text;
  $("line").classList.toggle("bad", isBad);
}

/** Runs something and says how it went. */
async function attempt(work, done = "") {
  try {
    await work();
    say(done);
  } catch (error) {
    say(error.message, true);
  }
}

const listSites = () => showSites((origin) => attempt(async () => {
  await ask("forget", { origin });
  await listSites();
}, t("forgottenSite", origin)));

$("forget-all").addEventListener("click", () => $("forget-all-box").showModal());
$("forget-all-no").addEventListener("click", () => $("forget-all-box").close());
$("forget-all-yes").addEventListener("click", () => {
  $("forget-all-box").close();
  attempt(async () => {
    await ask("forget-all");
    await listSites();
  }, t("forgottenAll"));
});
// What was learned in other tabs meanwhile.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) attempt(listSites);
});

translate();
attempt(() => Promise.all([showSettings(say), listSites(), showHosts(say), showShortcuts()]));
