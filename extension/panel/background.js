// Talking to the background part.

import { api, t } from "../background/api.js";

/** Asks for something. What it says of an error is for the user. */
export async function ask(what, rest = {}) {
  let answer;
  try {
    answer = await api.runtime.sendMessage({ do: what, ...rest });
  } catch (error) {
    console.warn(error);
  }
  if (!answer) throw new Error(t("noAnswer"));
  if (!answer.ok) throw new Error(answer.error);
  return answer;
}

/** How long to wait before connecting again, in milliseconds. */
const PAUSE = 500;

/**
 * Calls back with every event. The browser stops the background part when it is idle, which ends the connection; `again`
 * is called when there is a new one, because events may have been missed.
 */
export function listen(tell, again = () => {}) {
  const connect = () => {
    const port = api.runtime.connect({ name: "panel" });
    port.onMessage.addListener(tell);
    port.onDisconnect.addListener(() => setTimeout(reconnect, PAUSE));
  };
  const reconnect = () => {
    if (document.hidden) return document.addEventListener("visibilitychange", reconnect, { once: true });
    connect();
    again();
  };
  connect();
}
