/* The one cursor: a line over both plots that follows the clock; pressing or dragging anywhere moves the clock.
   A second, fainter line follows the pointer. */

export class Cursor {
  constructor(plots, player) {
    this.plots = plots;
    this.player = player;
    this.line = plots.root.querySelector("[data-cursor]");
    this.ghost = plots.root.querySelector("[data-ghost]");
    this.slider = plots.root.querySelector("[data-scrub]");
    player.clock.addEventListener("tick", () => this.follow());
    plots.addEventListener("moved", () => this.follow());
    this.#bind(plots.box);
    this.#bindSlider();
  }

  follow() {
    if (!this.plots.range) return;
    const { t } = this.player.clock;
    place(this.line, this.plots.toPixels(t), this.plots.area());
    this.slider.value = String(t);
  }

  #bind(box) {
    const at = (event) => this.plots.toTime(event.clientX - box.getBoundingClientRect().left);
    box.addEventListener("pointerdown", (event) => {
      if (!this.plots.range || event.button !== 0) return;
      box.setPointerCapture(event.pointerId);
      this.player.clock.pause();
      this.player.clock.seek(at(event));
    });
    box.addEventListener("pointermove", (event) => {
      if (!this.plots.range) return;
      if (box.hasPointerCapture(event.pointerId)) this.player.clock.seek(at(event));
      place(this.ghost, this.plots.toPixels(at(event)), this.plots.area());
    });
    box.addEventListener("pointerleave", () => (this.ghost.hidden = true));
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
