// Answers the background part, in the page.

globalThis.unframePage.main ??= (() => {
  const { api, load: { load, stop }, views } = globalThis.unframePage;

  const answers = {
    hello: () => ({ url: location.href, document: views.name, status: statusOf(), isChosen: views.isChosen() }),
    view: () => ({ view: views.view() }),
    snapshot: views.snapshot,
    show: views.show,
    load: ({ document, ...what }) => (document && document !== views.name ? { ok: false, kind: "left" } : load(what)),
    stop: ({ id }) => {
      stop(id);
      return {};
    },
  };

  /** With what the server has answered; 200 if the browser does not tell. */
  const statusOf = () => performance.getEntriesByType("navigation")[0]?.responseStatus || 200;

  async function answer(message) {
    try {
      return await answers[message.do](message);
    } catch (error) {
      console.error(error);
      return { ok: false, kind: "failed", why: error.message };
    }
  }

  api.runtime.onMessage.addListener((message, _, respond) => {
    if (message?.to !== "unframe-page" || !Object.hasOwn(answers, message.do)) return false;
    answer(message).then(respond);
    return true;
  });
  return true;
})();
