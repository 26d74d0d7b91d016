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

/** Calls back with every event. The browser stops the background part when it is idle, which ends the connection. */
export function listen(tell) {
  const connect = () => {
    const port = api.runtime.connect({ name: "panel" });
    port.onMessage.addListener(tell);
    port.onDisconnect.addListener(() => setTimeout(connectIfSeen, PAUSE));
  };
  const connectIfSeen = () => {
    if (!document.hidden) return connect();
    document.addEventListener("visibilitychange", connectIfSeen, { once: true });
  };
  connectIfSeen();
}
