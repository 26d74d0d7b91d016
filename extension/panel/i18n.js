// The strings of our own pages, from `_locales`.

import { t } from "../background/api.js";

const ATTRIBUTES = ["title", "aria-label"];

/** Fills in the strings: `data-i18n` names that of an element, `data-i18n-title` that of its title. */
export function translate() {
  document.documentElement.lang = t("language");
  for (const element of document.querySelectorAll("[data-i18n]")) element.textContent = t(element.dataset.i18n);
  for (const name of ATTRIBUTES) {
    for (const element of document.querySelectorAll(`[data-i18n-${name}]`)) {
      element.setAttribute(name, t(element.getAttribute(`data-i18n-${name}`)));
    }
  }
}

/** The form of a message for a number: `keyOne`, `keyOther` and what else the language has. */
export function counted(key, count, ...values) {
  const category = new Intl.PluralRules(t("language")).select(count);
  return t(key + category[0].toUpperCase() + category.slice(1), whole(count), ...values);
}

/** A number with the separators of the language. */
export const whole = (number) => number.toLocaleString(t("language"));

const tenths = (number) => number.toLocaleString(t("language"), { maximumFractionDigits: 1 });

export const percent = (share) => `${Math.round(100 * share)} %`;

/** A time in milliseconds. */
export const time = (ms) => (ms < 1000 ? `${whole(Math.round(ms))} ms` : `${tenths(ms / 1000)} s`);

/** A number of bytes. */
export const size = (bytes) => (bytes < 1e6 ? `${tenths(bytes / 1000)} kB` : `${tenths(bytes / 1e6)} MB`);
