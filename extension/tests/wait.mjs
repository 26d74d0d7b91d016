// Waiting, and saying what was waited for.

const PAUSE = 40;

export const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Waits until `test` returns something, and returns that. */
export async function until(what, test, limit = 10_000) {
  const end = Date.now() + limit;
  let last;
  for (;;) {
    try {
      last = await test();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`not within ${limit / 1000} s: ${what}${last instanceof Error ? ` (${last.message})` : ""}`);
    await pause(PAUSE);
  }
}

/** Fails if something takes longer than it may. */
export async function within(limit, what, work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has taken longer than ${limit / 1000} s`)), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
