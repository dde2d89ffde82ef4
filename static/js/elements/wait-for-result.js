/* <wait-for-result src="…/state.json" data-computed="…">… <progress> <span data-finished> …</wait-for-result>
   Asks `src` until the comparison is done or has failed, then loads the page again, in place. */

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
      if (answer.redirected) return;
      const state = await answer.json();
      if (state.status === "done" || state.status === "failed") {
        location.reload();
        return;
      }
      this.show(state);
    } catch {
      /* the server restarts: ask again */
    }
    this.timer = setTimeout(() => this.ask(), EVERY_MS);
  }

  show({ finished, total }) {
    const bar = this.querySelector("progress");
    if (!bar) return;
    bar.max = Math.max(total, 1);
    bar.value = finished;
    this.querySelector("[data-finished]").textContent = finished;
  }
}

customElements.define("wait-for-result", WaitForResult);
