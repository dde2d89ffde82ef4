/* <queue-state src="/api/queue/">… server-rendered state …</queue-state>
   Keeps the server-rendered state true: asks `src` while work is open (slowly while it is not) and writes what it
   learns into [data-queue="<key>"] nodes anywhere on the page, and data-busy; where nobody answers, it says so in
   [data-queue="why"]. Fires "queuechange" on document with the answer. Stops while the page is hidden. */

import { ask } from "../lib/ask.js";
import { numberText } from "../lib/numbers.js";

const BUSY_MS = 2000;
const IDLE_MS = 15000;
const WHY = { session: "logged out", unreachable: "server cannot be reached", server: "server had an error" };

class QueueState extends HTMLElement {
  connectedCallback() {
    this.onvisible = () => document.hidden || this.ask();
    document.addEventListener("visibilitychange", this.onvisible);
    this.timer = setTimeout(() => this.ask(), 1000);
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.onvisible);
    clearTimeout(this.timer);
  }

  async ask() {
    clearTimeout(this.timer);
    if (document.hidden) return;
    let wait = IDLE_MS;
    try {
      const state = await ask(this.getAttribute("src"));
      this.show(state);
      wait = state.busy ? BUSY_MS : IDLE_MS;
    } catch (failure) {
      this.write({ why: WHY[failure.kind] ?? WHY.server });
      if (failure.kind === "session") return;
    }
    this.timer = setTimeout(() => this.ask(), wait);
  }

  show(state) {
    this.write(state);
    for (const node of document.querySelectorAll("[data-busy]")) node.dataset.busy = String(state.busy);
    document.dispatchEvent(new CustomEvent("queuechange", { detail: state }));
  }

  write(state) {
    for (const node of document.querySelectorAll("[data-queue]")) {
      const value = state[node.dataset.queue];
      const text = typeof value === "number" ? numberText(value) : value;
      if (text !== undefined && node.textContent !== text) node.textContent = text;
    }
  }
}

customElements.define("queue-state", QueueState);
