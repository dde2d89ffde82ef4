/* How a run can be shown: asks the server, and where a proxy is needed has it made and waits for it. */

import { ask, post } from "../lib/ask.js";

const POLL_MS = 600;
const SELDOM_MS = 10_000; // the page works meanwhile: a long queue is not asked more often than this

/** Resolves to the answer that says ready, failed or missing; tells `onprogress` the percent while a proxy is made. */
export async function awaitPlayback(address, onprogress) {
  for (;;) {
    const place = await ask(address);
    if (place.state === "wanted") await post(place.proxy);
    else if (place.state !== "making") return place;
    onprogress(place.progress_pct ?? 0);
    await pause(POLL_MS);
  }
}

/** Where the answer says that a proxy would step quicker: have it made, and resolve to it (null if there is none). */
export async function awaitQuicker(address, place) {
  if (!place.proxy) return null;
  for (let wait = POLL_MS; ; wait = Math.min(1.5 * wait, SELDOM_MS)) {
    const { state } = await post(place.proxy);
    if (state === "wanted") break; // it is done
    if (state !== "making") return null;
    await pause(wait);
  }
  const better = await ask(address);
  return better.state === "ready" && !better.proxy ? better : null;
}

function pause(ms) {
  return new Promise((next) => setTimeout(next, ms));
}
