/* <queue-state src="/api/queue/">… server-rendered state …</queue-state>
   Keeps the server-rendered state true: asks `src` while work is open (more and more seldom while nothing moves) and
   writes what it learns into [data-queue="<key>"] nodes anywhere on the page, and data-busy; where nobody answers, it says
   so in [data-queue="why"]. Fires "queuechange" on document with the answer. Stops while the page is hidden. */

import { ask } from "../lib/ask.js";
import { numberText } from "../lib/numbers.js";
import { DONE, MOVED, poll } from "../lib/poll.js";

const FIRST_MS = 1000; // what the page came with is that new
const BUSY_MS = 2000;
const IDLE_MS = 15000;
const WHY = { session: "logged out", unreachable: "server cannot be reached", server: "server had an error" };

class QueueState extends HTMLElement {
  connectedCallback() {
    this.gone = new AbortController();
    const pace = { least: BUSY_MS, most: IDLE_MS, after: FIRST_MS, signal: this.gone.signal };
    poll(() => this.look(), pace).catch(() => {}); // the element has gone
  }

  disconnectedCallback() {
    this.gone.abort();
  }

  async look() {
    let state;
    try {
      state = await ask(this.getAttribute("src"));
    } catch (failure) {
      this.write({ why: WHY[failure.kind] ?? WHY.server });
      return failure.kind === "session" ? DONE : undefined;
    }
    const told = `${state.finished} of ${state.total}`;
    const moved = state.busy && told !== this.told;
    this.told = told;
    this.show(state);
    return moved ? MOVED : undefined;
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
