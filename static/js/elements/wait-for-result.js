/* <wait-for-result src="…/state.json" data-for="result|runs">… <progress> <span data-finished> …</wait-for-result>
   Asks `src` how far the comparison is and loads the page again, in place, when there is something new: the computation
   has ended (data-for="result"), or the runs it waited for are measured and counted (data-for="runs"). */

import { numberText } from "../lib/numbers.js";

const EVERY_MS = 1500;

class WaitForResult extends HTMLElement {
  connectedCallback() {
    this.timer = setTimeout(() => this.ask(), EVERY_MS);
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  async ask() {
    try {
      const answer = await fetch(this.getAttribute("src"), { headers: { Accept: "application/json" } });
      if (answer.redirected) return; // logged out elsewhere
      const state = await answer.json();
      if (this.ended(state)) {
        location.reload();
        return;
      }
      this.show(state);
    } catch {
      /* the server restarts: ask again */
    }
    this.timer = setTimeout(() => this.ask(), EVERY_MS);
  }

  ended(state) {
    if (this.dataset.for === "runs") return !state.stale || state.finished === state.total;
    return state.status === "done" || state.status === "failed";
  }

  show({ finished, total }) {
    const bar = this.querySelector("progress");
    if (!bar) return;
    bar.max = Math.max(total, 1);
    bar.value = finished;
    this.querySelector("[data-finished]").textContent = numberText(finished);
  }
}

customElements.define("wait-for-result", WaitForResult);
