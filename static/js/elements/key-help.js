/* <key-help><dialog>…</dialog></key-help>
   Opens its dialog on "?" and from any button[data-help]; Escape closes it, as a dialog does. On a Mac, [data-mod]
   anywhere on the page shows the key that stands for Ctrl there. */

import { isTyping } from "../lib/keys.js";

class KeyHelp extends HTMLElement {
  connectedCallback() {
    const dialog = this.querySelector("dialog");
    if (/Mac|iPhone|iPad/.test(navigator.platform)) {
      for (const key of document.querySelectorAll("[data-mod]")) key.textContent = "⌘";
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "?" && !isTyping(event)) dialog.showModal();
    });
    document.addEventListener("click", (event) => {
      if (event.target.closest("[data-help]")) dialog.showModal();
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
}

customElements.define("key-help", KeyHelp);
