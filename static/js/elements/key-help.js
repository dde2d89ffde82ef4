/* <key-help><dialog>…</dialog></key-help>
   Opens its dialog on "?" and from any button[data-help]; Escape closes it, as a dialog does. */

import { isTyping } from "../lib/keys.js";

class KeyHelp extends HTMLElement {
  connectedCallback() {
    const dialog = this.querySelector("dialog");
    document.addEventListener("keydown", (event) => {
      if (event.key === "?" && !isTyping(event) && !dialog.open) dialog.showModal();
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
