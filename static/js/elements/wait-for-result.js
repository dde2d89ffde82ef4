/* <wait-for-result src="…/state.json" data-for="result|runs"><span data-sentence>…</span> <progress> …</wait-for-result>
   Asks `src` how far the comparison is, says so, and loads the page again, in place, when there is something new: the
   computation has ended (data-for="result"), or the runs it waited for are measured and counted (data-for="runs").
   While nobody answers it says that, and asks again. Stops while the page is hidden. */

import { ask } from "../lib/ask.js";
import { DONE, MOVED, poll } from "../lib/poll.js";

const LEAST_MS = 1500;
const MOST_MS = 6000;

class WaitForResult extends HTMLElement {
  connectedCallback() {
    this.gone = new AbortController();
    const pace = { least: LEAST_MS, most: MOST_MS, after: LEAST_MS, signal: this.gone.signal };
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
      this.say(failure.kind === "session" ? `${failure.message} Load the page again to log in.` : failure.message);
      return failure.kind === "session" ? DONE : undefined;
    }
    if (this.ended(state)) {
      location.reload();
      return DONE;
    }
    const moved = state.finished !== this.finished;
    this.finished = state.finished;
    this.show(state);
    return moved ? MOVED : undefined;
  }

  ended(state) {
    if (this.dataset.for === "runs") return !state.stale || state.finished === state.total;
    return state.status === "done" || state.status === "failed";
  }

  show({ finished, total, sentence }) {
    this.say(sentence);
    const bar = this.querySelector("progress");
    if (!bar) return;
    bar.max = Math.max(total, 1);
    bar.value = finished;
  }

  say(words) {
    const node = this.querySelector("[data-sentence]");
    if (node.textContent !== words) node.textContent = words;
  }
}

customElements.define("wait-for-result", WaitForResult);
