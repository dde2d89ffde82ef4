/* <theme-choice><button value="light">…</button><button value="dark">…</button><button value="auto">…</button></theme-choice>
   Chooses light, dark or auto; remembered on this device. Tells charts by a "themechange" event on document. */

const KEY = "upreg-theme";
const root = document.documentElement;

class ThemeChoice extends HTMLElement {
  connectedCallback() {
    this.hidden = false;
    this.addEventListener("click", (event) => {
      const button = event.target.closest("button[value]");
      if (button) this.choose(button.value);
    });
    this.show();
  }

  choose(theme) {
    root.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      /* storage is blocked: the choice lasts for this page */
    }
    this.show();
    document.dispatchEvent(new CustomEvent("themechange", { detail: { theme } }));
  }

  show() {
    for (const button of this.querySelectorAll("button[value]")) {
      button.setAttribute("aria-pressed", String(button.value === root.dataset.theme));
    }
  }
}

customElements.define("theme-choice", ThemeChoice);
