/* Home: the bars of what is coming in follow the queue; once it is empty the page is loaded again, so that failures
   and new comparisons show. The choice survives: it is in the address. */

let wasBusy = document.querySelector(".queue")?.dataset.busy === "true";

document.addEventListener("queuechange", ({ detail: state }) => {
  for (const version of state.versions) show(version);
  if (wasBusy && !state.busy) location.reload();
  wasBusy = state.busy;
});

function show(version) {
  const row = document.querySelector(`[data-version="${CSS.escape(version.os_version)}"]`);
  if (!row) return;
  const bar = row.querySelector("progress");
  bar.max = Math.max(version.total, 1);
  bar.value = version.finished;
}
