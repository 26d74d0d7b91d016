// Which tab the panel is about.

import { api } from "../background/api.js";

/** The tab that the address names, if the panel is a page of its own. */
const pinned = Number(new URLSearchParams(location.search).get("tab")) || null;

/** Calls back with the id of the tab now, and whenever another one is shown or the tab has moved on. */
export async function follow(tell) {
  if (pinned !== null) {
    api.tabs.onUpdated.addListener((tab, changes) => {
      if (tab === pinned && hasMoved(changes)) tell(pinned);
    });
    api.tabs.onRemoved.addListener((tab) => {
      if (tab === pinned) tell(pinned);
    });
    return tell(pinned);
  }
  const { id: own } = await api.windows.getCurrent();
  let active = null;
  const look = async () => {
    const [tab] = await api.tabs.query({ active: true, windowId: own });
    if (!tab) return;
    active = tab.id;
    tell(active);
  };
  api.tabs.onActivated.addListener(({ windowId }) => {
    if (windowId === own) look();
  });
  api.tabs.onUpdated.addListener((tab, changes) => {
    if (tab === active && hasMoved(changes)) tell(active);
  });
  return look();
}

const hasMoved = ({ status, url, title }) => status !== undefined || url !== undefined || title !== undefined;
