/* Ask again and again, and kindly: the pause grows while nothing moves, and nobody is asked while the page is hidden.
   Every page that follows something on the server does so by this. */

export const MOVED = "moved"; // what `look` returns when something is new: the pause is the shortest again
export const DONE = "done"; // and when there is nothing more to wait for
const GROWTH = 1.5;

/** Call `look` (awaited) at once, or `after` ms, and again after pauses of `least` to `most` ms until it says DONE; rejects
    with what it throws, and with the signal's reason once that is aborted. In a hidden page only the first look is made, and
    only where `after` is 0; a page that comes into sight again looks at once. */
export async function poll(look, { least, most, signal, after = 0 }) {
  let wait = least;
  if (after) await pause(after, signal);
  for (;;) {
    signal?.throwIfAborted();
    const said = await look();
    if (said === DONE) return;
    wait = said === MOVED ? least : wait;
    const wasHidden = await pause(wait, signal);
    wait = wasHidden ? least : Math.min(GROWTH * wait, most);
  }
}

/** Resolve after `ms`, but not while the page is hidden: then as soon as it is seen. Tells whether it was hidden. */
function pause(ms, signal) {
  return new Promise((next) => {
    const bound = new AbortController();
    let wasHidden = document.hidden;
    const end = () => {
      clearTimeout(timer);
      bound.abort();
      next(wasHidden);
    };
    const timer = setTimeout(() => document.hidden || end(), ms);
    const turned = () => (document.hidden ? (wasHidden = true) : end());
    document.addEventListener("visibilitychange", turned, { signal: bound.signal });
    signal?.addEventListener("abort", end, { signal: bound.signal });
    if (signal?.aborted) end();
  });
}
