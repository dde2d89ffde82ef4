/* Every page: theme, menus, the search key, live queue state, times that stay true. */

import "./elements/theme-choice.js";
import "./elements/queue-state.js";
import "./elements/key-help.js";
import { isTyping } from "./lib/keys.js";

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(except)) menu.open = false;
  }
}

document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    const menu = document.querySelector("details.menu[open]");
    closeMenus(null);
    menu?.querySelector("summary").focus();
    return;
  }
  if (event.key === "/" && !isTyping(event)) {
    const field = document.querySelector("[data-search]") ?? document.querySelector("#top-search");
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  }
});

/* Selects with data-submit send their form at once; the button beside them stays for pages without JavaScript. */
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
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
