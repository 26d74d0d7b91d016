// The fields of the settings. Each is saved when it is changed.

import { t } from "../background/api.js";
import { ask } from "../panel/background.js";

const NAMES = ["n", "t", "maxLoads", "delay", "credentials", "decide", "remove", "favor", "comments", "read"];
/** The votes and the pages are judged together. */
const TOGETHER = { n: ["n", "t"], t: ["n", "t"] };

const $ = (id) => document.getElementById(id);

export async function showSettings(say) {
  const { settings } = await ask("settings");
  for (const name of NAMES) {
    $(name).value = settings[name];
    $(name).addEventListener("change", () => save(name, say));
  }
}

async function save(name, say) {
  const names = TOGETHER[name] ?? [name];
  const wrong = mistake($(name));
  if (wrong) return refuse(name, wrong, say);
  try {
    await ask("set", { settings: Object.fromEntries(names.map((one) => [one, $(one).value])) });
    for (const one of names) clear(one);
    say(t("saved"));
  } catch (error) {
    refuse(name, error.message, say);
  }
}

/** What is wrong with a number, by the limits of its field. */
function mistake(field) {
  if (field.type !== "number" || (field.value !== "" && field.validity.valid)) return null;
  const isWhole = field.step === "1";
  return t(isWhole ? "settingWhole" : "settingNumber", field.labels[0].textContent, field.min, field.max);
}

function refuse(name, text, say) {
  $(`${name}-problem`).textContent = text;
  $(name).setAttribute("aria-invalid", "true");
  say("");
}

function clear(name) {
  $(`${name}-problem`).textContent = "";
  $(name).removeAttribute("aria-invalid");
}
