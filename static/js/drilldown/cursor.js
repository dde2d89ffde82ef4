/* The one cursor: a line through film strip and plots that follows the clock; pressing or dragging anywhere moves the clock.
   A second, fainter line follows the pointer. */

import { clockText } from "../lib/numbers.js";

export class Cursor {
  constructor(plots, player) {
    this.plots = plots;
    this.player = player;
    this.line = plots.root.querySelector("[data-cursor]");
    this.ghost = plots.root.querySelector("[data-ghost]");
    this.slider = plots.root.querySelector("[data-scrub]");
    player.clock.addEventListener("tick", () => this.follow());
    plots.addEventListener("moved", () => this.follow());
    for (const part of [plots.box, plots.root.querySelector("[data-filmstrip]")]) this.#bind(part);
    this.#bindSlider();
  }

  follow() {
    if (!this.plots.range) return;
    const { t } = this.player.clock;
    place(this.line, this.plots.toPixels(t), this.plots.area());
    this.slider.value = String(t);
    this.slider.setAttribute("aria-valuetext", clockText(t));
  }

  #bind(part) {
    const at = (event) => this.plots.toTime(event.clientX - this.plots.box.getBoundingClientRect().left);
    part.addEventListener("pointerdown", (event) => {
      if (!this.plots.range || event.button !== 0) return;
      part.setPointerCapture(event.pointerId);
      this.player.clock.pause();
      this.player.clock.seek(Number(event.target.dataset.at ?? at(event))); // a picture of the strip is one frame
    });
    part.addEventListener("pointermove", (event) => {
      if (!this.plots.range) return;
      if (part.hasPointerCapture(event.pointerId)) this.player.clock.seek(at(event));
      place(this.ghost, this.plots.toPixels(at(event)), this.plots.area());
    });
    part.addEventListener("pointerleave", () => (this.ghost.hidden = true));
  }

  /* The slider is for the keyboard and for screen readers: it is visible only to them. */
  #bindSlider() {
    this.player.clock.addEventListener("state", () => {
      const { from, to } = this.player.clock.range;
      Object.assign(this.slider, { min: String(from), max: String(to), hidden: false });
    });
    this.slider.addEventListener("input", () => this.player.clock.seek(Number(this.slider.value)));
  }
}

function place(line, x, { left, width }) {
  line.hidden = x < left - 1 || x > left + width + 1;
  line.style.transform = `translateX(${x}px)`;
}
