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

/* The row that is opened becomes the heading of its page, and on the way back the row again, where the browser has
   transitions between pages. Two of one name would spoil it: the row opened before gives its name up. */
addEventListener("pageswap", (event) => {
  const to = event.viewTransition && event.activation?.entry?.url;
  if (!to) return;
  const links = [...document.querySelectorAll("a.row-link")];
  const opened = links.find((each) => each.pathname === new URL(to).pathname);
  for (const each of links) each.style.viewTransitionName = each === opened && isInSight(each) ? "finding" : "";
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
function isInSight(element) {
  const box = element.getBoundingClientRect();
  return element.checkVisibility() && box.bottom > 0 && box.top < innerHeight;
}
