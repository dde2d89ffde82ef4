/* The marker: a time to measure from. M sets it at the cursor, M again there clears it; it is kept in the address. */

import { distanceText } from "../lib/numbers.js";

export class Marker {
  at = null;

  constructor(page, player, plots) {
    this.output = page.querySelector("[data-from-marker]");
    this.player = player;
    this.plots = plots;
    this.line = plots.root.querySelector("[data-marker-line]");
    player.clock.addEventListener("tick", () => this.write());
    plots.addEventListener("moved", () => this.write());
  }

  toggle() {
    const { t } = this.player.clock;
    this.set(this.at !== null && Math.abs(this.at - t) < 0.1 ? null : t);
    this.player.clock.dispatchEvent(new Event("state"));
  }

  set(at) {
    this.at = at;
    this.write();
  }

  write() {
    const shown = this.at !== null && this.plots.range;
    this.line.hidden = !shown;
    this.output.textContent = shown ? `${distanceText(this.player.clock.t - this.at)} ms from the marker` : "";
    if (!shown) return;
    const { left, width } = this.plots.area();
    const x = this.plots.toPixels(this.at);
    this.line.classList.toggle("is-left", x > left + width - 176);
    this.line.hidden = x < left || x > left + width;
    this.line.style.transform = `translateX(${x}px)`;
  }
}
