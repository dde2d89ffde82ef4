/* <wait-for-result src="…/state.json" data-for="result|runs"><span data-sentence>…</span> <progress> …</wait-for-result>
   Asks `src` how far the comparison is, says so, and loads the page again, in place, when there is something new: the
   computation has ended (data-for="result"), or the runs it waited for are measured and counted (data-for="runs").
   While nobody answers it says that, and asks again. */

import { ask } from "../lib/ask.js";

const EVERY_MS = 1500;

class WaitForResult extends HTMLElement {
  connectedCallback() {
    this.timer = setTimeout(() => this.look(), EVERY_MS);
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  async look() {
    try {
      const state = await ask(this.getAttribute("src"));
      if (this.ended(state)) {
        location.reload();
        return;
      }
      this.show(state);
    } catch (failure) {
      this.say(failure.kind === "session" ? `${failure.message} Load the page again to log in.` : failure.message);
      if (failure.kind === "session") return;
    }
    this.timer = setTimeout(() => this.look(), EVERY_MS);
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
