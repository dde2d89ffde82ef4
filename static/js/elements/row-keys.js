/* <row-keys><table> … rows with one a.row-link each … </table></row-keys>
   J and K, or the arrows, move the focus from row link to row link; Enter opens it, as on any link. */

import { isTyping } from "../lib/keys.js";

const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

class RowKeys extends HTMLElement {
  connectedCallback() {
    this.onkey = (event) => this.move(event);
    document.addEventListener("keydown", this.onkey);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.onkey);
  }

  move(event) {
    const step = STEPS[event.key];
    if (!step || isTyping(event)) return;
    if (event.key.startsWith("Arrow") && !this.contains(document.activeElement)) return; // arrows scroll the page
    const links = [...this.querySelectorAll("a.row-link")];
    const at = links.indexOf(document.activeElement.closest("tr")?.querySelector("a.row-link"));
    const next = links[at < 0 ? 0 : at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.closest("tr").scrollIntoView({ block: "nearest" });
  }
}

customElements.define("row-keys", RowKeys);
