/* The page of an import: what is measured meanwhile is shown without a reload. It asks when the queue has changed,
   which the header follows, and only while something of this import is open. */

let told = "";

document.addEventListener("queuechange", async ({ detail: state }) => {
  const shown = document.getElementById("progress");
  const now = JSON.stringify(state.line);
  if (!shown?.dataset.open || now === told) return;
  told = now;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("progress");
  if (page) shown.replaceWith(page);
});
