/* <row-keys><table> … rows with one a.row-link each … </table></row-keys>
   The whole row opens what its link opens: a click anywhere that is no control, in a new tab with Ctrl, Cmd, Shift or the
   middle button; whoever has marked text meant to mark it. J and K, or the arrows, move the focus from row link to row
   link; Enter opens it, as on any link. */

import { isTyping } from "../lib/keys.js";

const STEPS = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
const CONTROLS = "a, button, input, select, textarea, label, summary, .row-pick";
const MIDDLE = 1;

class RowKeys extends HTMLElement {
  connectedCallback() {
    this.onkey = (event) => this.move(event);
    document.addEventListener("keydown", this.onkey);
    this.addEventListener("click", (event) => this.open(event));
    this.addEventListener("auxclick", (event) => this.open(event));
    this.addEventListener("mousedown", (event) => {
      if (event.button === MIDDLE && this.linkOf(event)) event.preventDefault(); // else it scrolls, on some systems
    });
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.onkey);
  }

  linkOf(event) {
    return event.target.closest(CONTROLS) ? null : event.target.closest("tr")?.querySelector("a.row-link");
  }

  open(event) {
    const link = this.linkOf(event);
    const marked = getSelection();
    if (!link || event.button > MIDDLE || (!marked.isCollapsed && marked.containsNode(event.target, true))) return;
    event.preventDefault();
    const elsewhere = event.button === MIDDLE || event.ctrlKey || event.metaKey;
    link.dispatchEvent(
      new MouseEvent("click", { cancelable: true, ctrlKey: elsewhere, metaKey: elsewhere, shiftKey: event.shiftKey }),
    );
  }

  move(event) {
    const step = STEPS[event.key];
    if (!step || (isTyping(event) && event.target.type !== "checkbox") || event.ctrlKey || event.metaKey) return;
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
