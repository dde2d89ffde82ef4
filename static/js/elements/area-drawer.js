/* <area-drawer data-form="id of a form"><div data-board><img> <i data-drawn hidden></i></div>
     <button data-draw hidden>Draw</button></area-drawer>
   Draws a rectangle over the board and keeps it and the form's inputs with data-edge (left, top, width, height, in
   percent of the board) the same: whoever cannot draw writes the numbers and sees the rectangle. */

const EDGES = ["left", "top", "width", "height"];
const LEAST_PCT = 0.5; // a click is no rectangle

class AreaDrawer extends HTMLElement {
  connectedCallback() {
    this.form = document.getElementById(this.dataset.form);
    this.button = this.querySelector("[data-draw]");
    if (!this.form || !this.button) return;
    this.board = this.querySelector("[data-board]");
    this.shape = this.querySelector("[data-drawn]");
    this.fields = Object.fromEntries(EDGES.map((edge) => [edge, this.form.querySelector(`[data-edge=${edge}]`)]));
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.arm(!this.armed));
    this.board.addEventListener("pointerdown", (event) => this.start(event));
    this.addEventListener("keydown", (event) => event.key === "Escape" && this.arm(false));
    this.form.addEventListener("input", () => this.show());
    this.show();
  }

  get armed() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  arm(on) {
    this.button.setAttribute("aria-pressed", String(on));
  }

  start(event) {
    if (!this.armed || event.button > 0) return;
    event.preventDefault();
    const from = this.place(event);
    this.board.setPointerCapture(event.pointerId);
    const move = (moved) => this.draw(from, this.place(moved));
    this.board.addEventListener("pointermove", move);
    const end = () => {
      this.board.removeEventListener("pointermove", move);
      this.finish();
    };
    for (const kind of ["pointerup", "pointercancel"]) this.board.addEventListener(kind, end, { once: true });
  }

  /* Where the pointer is, in percent of the board; outside counts as its edge. */
  place(event) {
    const box = this.board.getBoundingClientRect();
    const share = (at, start, size) => Math.min(100, Math.max(0, (100 * (at - start)) / size));
    return [share(event.clientX, box.left, box.width), share(event.clientY, box.top, box.height)];
  }

  draw([x0, y0], [x1, y1]) {
    const values = { left: Math.min(x0, x1), top: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0) };
    for (const edge of EDGES) this.fields[edge].value = Math.floor(10 * values[edge]) / 10;
    this.show();
  }

  finish() {
    if (Number(this.fields.width.value) < LEAST_PCT || Number(this.fields.height.value) < LEAST_PCT) return;
    this.arm(false);
    this.form.elements.name.focus();
  }

  show() {
    const values = EDGES.map((edge) => this.fields[edge].value);
    this.shape.hidden = values.some((value) => value === "") || !(values[2] > 0 && values[3] > 0);
    EDGES.forEach((edge, at) => this.shape.style.setProperty(edge, `${values[at] || 0}%`));
  }
}

customElements.define("area-drawer", AreaDrawer);
