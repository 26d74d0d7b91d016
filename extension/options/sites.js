// The sites of which something is stored.

import { t } from "../background/api.js";
import { ask } from "../panel/background.js";
import { counted, size, whole } from "../panel/i18n.js";

const $ = (id) => document.getElementById(id);
const VIEWS = { content: "viewContent", template: "viewTemplate", tint: "viewTint" };

/** Lists them; `forget` is called with the origin of the one that is to be forgotten. */
export async function showSites(forget) {
  const { sites } = await ask("sites");
  const rows = $("sites").tBodies[0];
  rows.replaceChildren(...sites.map((site) => rowOf(site, forget)));
  $("no-sites").hidden = sites.length > 0;
  $("sites-box").hidden = sites.length === 0;
  const bytes = sites.reduce((sum, site) => sum + site.bytes + site.keptBytes, 0);
  $("sites-total").textContent = counted("sitesTotal", sites.length, size(bytes));
}

function rowOf(site, forget) {
  const row = document.createElement("tr");
  const name = document.createElement("th");
  name.scope = "row";
  name.textContent = site.origin;
  row.append(name);
  const add = (text, isNumber) => {
    const cell = row.insertCell();
    cell.textContent = text;
    if (isNumber) cell.className = "number";
    return cell;
  };
  add(whole(site.pages), true);
  add(size(site.bytes), true);
  add(site.kept ? counted("sourcesKept", site.kept, size(site.keptBytes)) : "–", true);
  add(site.updated ? new Date(site.updated).toLocaleDateString(t("language"), { dateStyle: "medium" }) : "–");
  const wanted = [site.learn ? t("wantedLearning") : null, site.view ? t("wantedView", t(VIEWS[site.view])) : null];
  add(wanted.filter(Boolean).join(", ") || "–");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "forget";
  button.dataset.origin = site.origin;
  button.textContent = t("forget");
  button.setAttribute("aria-label", t("forgetNamed", site.origin));
  button.addEventListener("click", () => forget(site.origin));
  add("").append(button);
  return row;
}
