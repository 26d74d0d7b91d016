// Answers the background part, in the page.

globalThis.unframePage.main ??= (() => {
  const { load: { load, stop }, views } = globalThis.unframePage;
  const api = globalThis.browser ?? globalThis.chrome;

  const answers = {
    hello: () => ({ url: location.href }),
    view: () => ({ view: views.view() }),
    snapshot: views.snapshot,
    show: views.show,
    load,
    stop: ({ id }) => {
      stop(id);
      return {};
    },
  };

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
