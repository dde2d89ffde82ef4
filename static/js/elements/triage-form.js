/* <triage-form data-undo="/triage/0000…/undo/"> … <form> rows with input[name=interaction], .triage-bar … </form></triage-form>
   Shows the bar while rows are selected, sends the decision without leaving the page's place, and offers to undo it.
   X selects the row that has the focus; A acknowledges the selected rows, or that row. */

import { isTyping } from "../lib/keys.js";

const UNDO = "upreg-triage-undo";
const NO_BATCH = "00000000-0000-0000-0000-000000000000"; // stands for the batch in the address of data-undo

class TriageForm extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.bar = this.querySelector(".triage-bar");
    this.all = this.querySelector("#pick-all");
    this.all.hidden = false;
    this.all.addEventListener("change", () => this.pickAll(this.all.checked));
    this.addEventListener("change", () => this.count());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.onkey = (event) => this.key(event);
    document.addEventListener("keydown", this.onkey);
    this.count();
    this.offerUndo();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.onkey);
  }

  get boxes() {
    return [...this.querySelectorAll("input[name=interaction]")];
  }

  pickAll(checked) {
    for (const box of this.boxes) box.checked = checked;
  }

  count() {
    const picked = this.boxes.filter((box) => box.checked).length;
    this.bar.toggleAttribute("data-open", picked > 0);
    this.bar.querySelector("[data-count]").textContent = picked;
    this.all.checked = picked > 0 && picked === this.boxes.length;
    this.all.indeterminate = picked > 0 && picked < this.boxes.length;
  }

  key(event) {
    if (isTyping(event) && event.target.type !== "checkbox") return;
    const box = document.activeElement.closest("tr")?.querySelector("input[name=interaction]");
    if (event.key === "x" && box) {
      box.checked = !box.checked;
      this.count();
    }
    if (event.key === "a" && !event.ctrlKey && !event.metaKey) this.acknowledge(box);
  }

  acknowledge(box) {
    if (box && !this.boxes.some((each) => each.checked)) box.checked = true;
    if (!this.boxes.some((each) => each.checked)) return;
    this.form.elements.state.value = "acknowledged";
    this.send();
  }

  async send() {
    const answer = await fetch(this.form.action, {
      method: "POST",
      body: new FormData(this.form),
      headers: { Accept: "application/json", "X-Requested-With": "fetch" },
    });
    const said = await answer.json();
    if (!answer.ok) {
      this.say(said.message, "error");
      return;
    }
    sessionStorage.setItem(UNDO, JSON.stringify({ page: location.href, ...said }));
    location.reload(); // the counts and the filtered rows follow
  }

  offerUndo() {
    const kept = JSON.parse(sessionStorage.getItem(UNDO) ?? "null");
    sessionStorage.removeItem(UNDO);
    if (!kept || kept.page !== location.href) return;
    const undo = document.createElement("button");
    undo.type = "button";
    undo.className = "button-small";
    undo.textContent = "Undo";
    undo.addEventListener("click", () => this.undo(kept.batch));
    this.say(kept.message, "success", undo);
  }

  async undo(batch) {
    const token = this.form.elements.csrfmiddlewaretoken.value;
    await fetch(this.dataset.undo.replace(NO_BATCH, batch), {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": token, "X-Requested-With": "fetch" },
    });
    location.reload();
  }

  say(message, kind, ...more) {
    this.querySelector(".undo")?.remove();
    const note = document.createElement("p");
    note.className = `note note-${kind} undo`;
    note.setAttribute("role", "status");
    note.append(message, ...more);
    this.prepend(note);
  }
}

customElements.define("triage-form", TriageForm);
