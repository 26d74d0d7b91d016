// The settings of the user, and what is wanted for single sites.

import { api, Told } from "./api.js";

const DEFAULTS = {
  n: 3,
  t: 2,
  maxLoads: 20,
  delay: 1,
  credentials: "omit",
  decide: "auto",
  remove: "boilerplate",
  favor: "balance",
  comments: "drop",
  read: "source",
};

const CHOICES = {
  credentials: ["omit", "include"],
  decide: ["auto", "links"],
  remove: ["boilerplate", "template"],
  favor: ["precision", "balance", "recall"],
  comments: ["drop", "keep", "only"],
  read: ["source", "screen"],
};

const RANGES = { n: [1, 20], t: [1, 20], maxLoads: [1, 200], delay: [0.5, 60] };

const VIEWS = ["content", "template", "tint"];

export async function settings() {
  const { settings: saved = {} } = await api.storage.local.get("settings");
  return { ...DEFAULTS, ...saved };
}

/** Changes some of them; what makes no sense is refused. */
export async function change(changes) {
  const next = await settings();
  for (const [name, value] of Object.entries(changes)) {
    if (!(name in DEFAULTS)) throw new Told("settingUnknown", name);
    next[name] = checked(name, value);
  }
  if (next.t > next.n) throw new Told("votesOverPages", next.t, next.n);
  await api.storage.local.set({ settings: next });
  return next;
}

function checked(name, value) {
  if (CHOICES[name]) {
    if (!CHOICES[name].includes(value)) throw new Told("settingChoice", name, CHOICES[name].join(", "));
    return value;
  }
  const [least, most] = RANGES[name];
  const number = Number(value);
  const whole = name === "delay" || Number.isInteger(number);
  if (value === "" || !Number.isFinite(number) || !whole || number < least || number > most) {
    throw new Told(name === "delay" ? "settingNumber" : "settingWhole", name, least, most);
  }
  return number;
}

/** The options of the engine's `Site`. */
export function siteOptions({ remove, favor, comments }) {
  return { remove, favor, comments };
}

/** What the user wants on a site: `{learn, view}`; nothing if nothing was asked for. */
export async function wanted(origin) {
  const key = `site:${origin}`;
  return (await api.storage.local.get(key))[key] ?? null;
}

/** The same for all sites, by origin. */
export async function allWanted() {
  const all = await api.storage.local.get(null);
  const sites = Object.entries(all).filter(([key]) => key.startsWith("site:"));
  return new Map(sites.map(([key, value]) => [key.slice("site:".length), value]));
}

export async function want(origin, { learn, view }) {
  const now = (await wanted(origin)) ?? { learn: false, view: null };
  if (learn !== undefined) now.learn = learn === true;
  if (view !== undefined) now.view = VIEWS.includes(view) ? view : null;
  if (now.learn || now.view) await api.storage.local.set({ [`site:${origin}`]: now });
  else await unwant(origin);
  return now;
}

export const unwant = (origin) => api.storage.local.remove(`site:${origin}`);
