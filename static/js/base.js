/* Every page: theme, menus, the palette, the keys, live queue state, the way from a row to its page. */

import "./elements/command-palette.js";
import "./elements/theme-choice.js";
import "./elements/queue-state.js";
import "./elements/key-help.js";

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
}

document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  closeMenus(null);
  menu?.querySelector("summary").focus();
});

/* Selects with data-submit send their form at once; the button beside them stays for pages without JavaScript. */
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
});

/* The row that is opened becomes the heading of its page, where the browser has transitions between pages. */
addEventListener("pageswap", (event) => {
  const to = event.viewTransition && event.activation?.entry?.url;
  if (!to) return;
  const link = [...document.querySelectorAll("a.row-link")].find((each) => each.pathname === new URL(to).pathname);
  const seen = link?.checkVisibility() && link.getBoundingClientRect();
  if (seen && seen.bottom > 0 && seen.top < innerHeight) link.style.viewTransitionName = "finding";
});

/* A form over GET leaves its empty fields out of the address (without JavaScript the server does, see
   reports.web.requests.clean_address). */
document.addEventListener("formdata", ({ target, formData }) => {
  if (target.method !== "get") return;
  for (const key of new Set(formData.keys())) {
    const given = formData.getAll(key).filter((value) => value !== "");
    formData.delete(key);
    for (const value of given) formData.append(key, value);
  }
});
