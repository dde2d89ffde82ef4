/* Another run without loading the page anew: the same address is asked for, the parts that differ (data-swap) are
   taken over, and the players keep their time. Without this script the links load the page. */

/** Calls `onstate` with the state of the page that a link leads to, once its parts are in place. */
export function bindSwaps(page, onstate) {
  const go = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) return location.assign(address);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of page.querySelectorAll("[data-swap]")) {
      const next = fresh.querySelector(`[data-swap="${part.dataset.swap}"]`);
      if (next) part.replaceWith(next);
    }
    onstate(JSON.parse(fresh.getElementById(page.dataset.state).textContent));
  };
  page.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-run]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const address = withRuns(link.getAttribute("href"));
    history.pushState(null, "", address);
    go(address);
  });
  window.addEventListener("popstate", () => go(location.href));
}

/* The link was written when the page loaded; time, nudges and view have moved on since. */
function withRuns(href) {
  const address = new URL(location.href);
  const asked = new URLSearchParams(href.slice(href.indexOf("?")));
  for (const name of ["base_run", "new_run"]) if (asked.get(name)) address.searchParams.set(name, asked.get(name));
  return address;
}
