/* <queue-state src="/api/queue/" data-every="3000">… server-rendered state …</queue-state>
   Keeps the server-rendered state true: asks `src` while work is open (slowly while it is not) and writes what it
   learns into [data-queue="<key>"] nodes anywhere on the page, and data-busy.
   Fires "queuechange" on document with the answer. Stops while the page is hidden. */

import { numberText } from "../lib/numbers.js";

const BUSY_MS = 2000;
const IDLE_MS = 15000;

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
      const answer = await fetch(this.getAttribute("src"), { headers: { Accept: "application/json" } });
      if (answer.status === 403 || answer.redirected) return; // logged out elsewhere
      if (answer.ok) {
        const state = await answer.json();
        this.show(state);
        wait = state.busy ? BUSY_MS : IDLE_MS;
      }
    } catch {
      wait = IDLE_MS; // the server restarts: keep the last state and try again
    }
    this.timer = setTimeout(() => this.ask(), wait);
  }

  show(state) {
    for (const node of document.querySelectorAll("[data-queue]")) {
      const value = state[node.dataset.queue];
      const text = typeof value === "number" ? numberText(value) : value;
      if (text !== undefined && node.textContent !== text) node.textContent = text;
    }
    for (const node of document.querySelectorAll("[data-busy]")) node.dataset.busy = String(state.busy);
    document.dispatchEvent(new CustomEvent("queuechange", { detail: state }));
  }
}

customElements.define("queue-state", QueueState);
