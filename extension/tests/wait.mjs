// Waiting, and saying what was waited for and what was there instead.

const PAUSE = 25;

/** Against what hangs, and nothing else: no test depends on how fast the machine is. In milliseconds. */
export const LONGEST_WAIT = 300_000;
/** The same for a whole test. */
export const LONGEST_TEST = 900_000;

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Waits until `test` returns something, and returns that. */
export async function until(what, test) {
  const end = performance.now() + LONGEST_WAIT;
  for (;;) {
    let seen;
    try {
      seen = await test();
      if (seen) return seen;
    } catch (error) {
      seen = error.message;
    }
    if (performance.now() > end) throw new Error(`not within ${LONGEST_WAIT / 1000} s: ${what}; instead: ${JSON.stringify(seen)}`);
    await pause(PAUSE);
  }
}

/** Waits until `look` returns what is expected. */
export const becomes = (what, look, expected) => until(what, async () => {
  const seen = await look();
  if (expected instanceof RegExp ? expected.test(seen) : seen === expected) return true;
  throw new Error(String(seen));
});

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
