/* <triage-form data-undo="/triage/0000…/undo/"> … <form> rows with input[name=interaction], .triage-bar … </form></triage-form>
   Shows the bar while rows are selected, sends the decision without leaving the page's place, and offers to undo it.
   X selects the row that has the focus; A acknowledges the selected rows, or that row. */

import { isTyping } from "../lib/keys.js";

const UNDO = "upreg-triage-undo";
const HEADERS = { Accept: "application/json", "X-Requested-With": "fetch" };
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
    const said = await this.post(this.form.action, new FormData(this.form));
    if (!said) return;
    sessionStorage.setItem(UNDO, JSON.stringify({ page: location.href, ...said }));
    location.reload(); // the counts and the filtered rows follow
  }

  /* Send, and return what the server said; null after it was told why that failed. What was typed stays. */
  async post(address, body) {
    let answer;
    try {
      answer = await fetch(address, { method: "POST", body, headers: HEADERS });
    } catch {
      this.say("The server does not answer; nothing was saved. Try again.", "error");
      return null;
    }
    if (!answer.headers.get("Content-Type")?.includes("application/json")) {
      this.notSaved(answer);
      return null;
    }
    const said = await answer.json();
    if (answer.ok) return said;
    if (answer.status === 409) this.askAgain(said);
    else this.say(said.message, "error");
    return null;
  }

  /* Somebody else decided since the page was loaded: ask whether this shall stand over it, or show theirs. */
  askAgain({ message, seen }) {
    const mine = this.button("Save mine over it", () => {
      this.form.elements.seen.value = seen;
      this.send();
    });
    this.say(message, "error", mine, this.button("Show theirs", () => location.reload()));
  }

  button(words, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button-small";
    button.textContent = words;
    button.addEventListener("click", act);
    return button;
  }

  /* Whoever is no longer logged in is answered with a page: the log-in, or that the form's token is of another session. */
  notSaved(answer) {
    const login = document.createElement("a");
    login.href = `/login/?next=${encodeURIComponent(location.pathname + location.search)}`;
    login.textContent = "Log in again";
    const ended = answer.redirected || answer.status === 403;
    const why = ended ? "Your session has ended; nothing was saved. " : `Nothing was saved: the server answered ${answer.status}. `;
    this.say(why, "error", ...(ended ? [login] : []));
  }

  offerUndo() {
    const kept = JSON.parse(sessionStorage.getItem(UNDO) ?? "null");
    sessionStorage.removeItem(UNDO);
    if (!kept || kept.page !== location.href) return;
    this.say(kept.message, "success", this.button("Undo", () => this.undo(kept.batch)));
  }

  async undo(batch) {
    const body = new FormData();
    body.set("csrfmiddlewaretoken", this.form.elements.csrfmiddlewaretoken.value);
    if (await this.post(this.dataset.undo.replace(NO_BATCH, batch), body)) location.reload();
  }

  say(message, kind, ...more) {
    this.querySelector(".undo")?.remove();
    const note = document.createElement("p");
    note.className = `note note-${kind} undo`;
    note.setAttribute("role", kind === "error" ? "alert" : "status");
    note.append(message, ...more);
    this.prepend(note);
  }
}

customElements.define("triage-form", TriageForm);
