/* Home: the bars of what is coming in follow the queue; once it is empty the page is loaded again, so that failures
   and new comparisons show. The choice survives: it is in the address. */

import { numberText } from "./lib/numbers.js";

let wasBusy = document.querySelector(".queue")?.dataset.busy === "true";

document.addEventListener("queuechange", ({ detail: state }) => {
  for (const batch of state.batches) show(batch);
  if (wasBusy && !state.busy) location.reload();
  wasBusy = state.busy;
});

function show(batch) {
  const row = document.querySelector(`[data-batch="${CSS.escape(batch.os_version)}"]`);
  if (!row) return;
  const bar = row.querySelector("progress");
  bar.max = Math.max(batch.total, 1);
  bar.value = batch.finished;
  row.querySelector("[data-finished]").textContent = numberText(batch.finished);
}
