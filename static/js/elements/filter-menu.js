/* <filter-menu><details class="menu filter-menu"> … fields that send themselves … </details></filter-menu>
   Keeps the panel open, and the focus on the field that was set, on the page that the setting leads to. */

const KEPT = "upreg-filter-menu"; // {path, field}: where to open again, once

class FilterMenu extends HTMLElement {
  connectedCallback() {
    this.menu = this.querySelector("details");
    this.addEventListener("change", (event) => {
      sessionStorage.setItem(KEPT, JSON.stringify({ path: location.pathname, field: event.target.id }));
    });
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    sessionStorage.removeItem(KEPT);
    if (kept?.path !== location.pathname) return;
    this.menu.open = true;
    document.getElementById(kept.field)?.focus();
  }
}

customElements.define("filter-menu", FilterMenu);
