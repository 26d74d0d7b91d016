// The hosts that the user has allowed.

import { api, t } from "../background/api.js";

const $ = (id) => document.getElementById(id);

/** Lists them, and keeps the list true. */
export async function showHosts(say) {
  for (const event of [api.permissions.onAdded, api.permissions.onRemoved]) event.addListener(() => list(say));
  await list(say);
}

async function list(say) {
  const { origins = [] } = await api.permissions.getAll();
  $("hosts").replaceChildren(...origins.sort().map((origin) => itemOf(origin, say)));
  $("no-hosts").hidden = origins.length > 0;
}

function itemOf(origin, say) {
  const item = document.createElement("li");
  const name = document.createElement("code");
  name.textContent = origin;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "withdraw";
  button.dataset.origin = origin;
  button.textContent = t("withdraw");
  button.setAttribute("aria-label", t("withdrawNamed", origin));
  button.addEventListener("click", async () => {
    try {
      const isGone = await api.permissions.remove({ origins: [origin] });
      say(isGone ? t("withdrawn", origin) : t("notWithdrawn"), !isGone);
    } catch (error) {
      say(error.message, true);
    }
  });
  item.append(name, button);
  return item;
}
