/* The one cursor: a line through film strip and plots that follows the clock; pressing or dragging anywhere moves the clock.
   A second, fainter line follows the pointer; beside it stand the values of both sides at that time. */

import { clockText } from "../lib/numbers.js";
import { NAMES, valuesAt } from "./values.js";

export class Cursor {
  constructor(plots, player) {
    this.plots = plots;
    this.player = player;
    this.line = plots.root.querySelector("[data-cursor]");
    this.ghost = plots.root.querySelector("[data-ghost]");
    this.slider = plots.root.querySelector("[data-scrub]");
    player.clock.addEventListener("tick", () => this.follow());
    plots.addEventListener("moved", () => this.follow());
    this.values = plots.root.querySelector("[data-at-line]");
    this.#bind(plots.box);
    this.#bindSlider();
  }

  follow() {
    if (!this.plots.range) return;
    const { t } = this.player.clock;
    place(this.line, this.plots.toPixels(t), this.plots.area());
    this.slider.value = String(t);
    this.slider.setAttribute("aria-valuetext", clockText(t));
    if (document.activeElement === this.slider) this.#tell(t);
  }

  #bind(part) {
    const at = (event) => this.plots.toTime(event.clientX - this.plots.box.getBoundingClientRect().left);
    part.addEventListener("pointerdown", (event) => {
      if (!this.plots.range || event.button !== 0 || event.target.closest("[data-proposal]")) return;
      part.setPointerCapture(event.pointerId);
      this.player.clock.pause();
      this.player.clock.seek(at(event));
    });
    part.addEventListener("pointermove", (event) => {
      if (!this.plots.range) return;
      if (part.hasPointerCapture(event.pointerId)) this.player.clock.seek(at(event));
      place(this.ghost, this.plots.toPixels(at(event)), this.plots.area());
      if (event.target.closest("[data-proposal]")) this.values.hidden = true;
      else this.#tell(at(event));
    });
    for (const gone of ["pointerleave", "pointercancel"]) {
      part.addEventListener(gone, () => (this.ghost.hidden = this.values.hidden = true));
    }
  }

  /* What both sides show at t, at the line: to its right, near the right edge to its left. */
  #tell(t) {
    const rows = this.player.decks.map((deck) => valuesAt(deck, t)).filter(Boolean);
    const { left, width } = this.plots.area();
    const x = this.plots.toPixels(t);
    this.values.hidden = !rows.length || x < left || x > left + width;
    if (this.values.hidden) return;
    const heads = [clockText(t), "SSIM mean", "worst block", "interval"].map((text) => cell(text));
    const cells = rows.flatMap(({ side, mean, worst, gap }) =>
      [NAMES[side], mean, worst, gap].map((text) => cell(text, side)),
    );
    this.values.replaceChildren(...heads, ...cells);
    const across = this.values.offsetWidth;
    const beside = x + 8 + across > this.plots.box.clientWidth ? x - 8 - across : x + 8;
    this.values.style.transform = `translateX(${Math.max(0, beside)}px)`;
  }

  /* The slider is for the keyboard and for screen readers: it is visible only to them. */
  #bindSlider() {
    this.player.clock.addEventListener("state", () => {
      const { from, to } = this.player.clock.range;
      Object.assign(this.slider, { min: String(from), max: String(to), hidden: false });
    });
    this.slider.addEventListener("input", () => this.player.clock.seek(Number(this.slider.value)));
    this.slider.addEventListener("focus", () => this.plots.range && this.#tell(this.player.clock.t));
    this.slider.addEventListener("blur", () => (this.values.hidden = true));
  }
}

function cell(text, side = "") {
  return Object.assign(document.createElement("span"), { textContent: text, className: side });
}

function place(line, x, { left, width }) {
  line.hidden = x < left - 1 || x > left + width + 1;
  line.style.transform = `translateX(${x}px)`;
}
