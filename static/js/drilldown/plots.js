/* The plots: SSIM above, frame interval below, one time axis. The figure comes from the server; colours are names of
   tokens and are put in here, so that the plots follow the theme. One cursor lies over both, and over the film strip. */

import { Cursor } from "./cursor.js";
import { loadPlotly, themed } from "./plotly.js";
import { writeFlags } from "./flags.js";
import { writeValues } from "./values.js";

export class Plots extends EventTarget {
  #figure = null;
  #queued = 0;
  #nudges = "";

  constructor(root, player) {
    super();
    this.root = root;
    this.player = player;
    this.box = root.querySelector("[data-plot-box]");
    this.plot = root.querySelector("[data-plot]");
    this.range = null;
    this.cursor = new Cursor(this, player);
    this.#bindZoom();
    player.clock.addEventListener("tick", () => writeValues(root.querySelector("[data-values]"), player));
    player.clock.addEventListener("state", () => this.#afterNudge());
    document.addEventListener("themechange", () => this.#draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#draw());
    new ResizeObserver(() => this.#resized()).observe(this.box);
  }

  /** Fetch the figure of a pair and draw it over the picture that the server sent. */
  async load(address) {
    const [figure, plotly] = await Promise.all([fetch(address).then((a) => a.json()), loadPlotly(this.root.dataset.plotly)]);
    this.#figure = figure;
    this.plotly = plotly;
    this.home = figure.layout.xaxis.range;
    this.range ??= [...this.home];
    if (figure.data.length) await this.#draw();
    this.root.querySelector("[data-zoom]").hidden = false;
    this.root.dataset.drawn = "true";
  }

  /** Pixels from the left edge of the box at time t, and back. */
  toPixels(t) {
    const { left, width } = this.area();
    return left + ((t - this.range[0]) / (this.range[1] - this.range[0])) * width;
  }

  toTime(pixels) {
    const { left, width } = this.area();
    return this.range[0] + ((pixels - left) / width) * (this.range[1] - this.range[0]);
  }

  area() {
    const style = getComputedStyle(this.root);
    const [left, right] = ["--left", "--right"].map((name) => Number.parseFloat(style.getPropertyValue(name)));
    return { left, width: Math.max(1, this.box.clientWidth - left - right) };
  }

  zoomBy(factor, around = this.player.clock.t) {
    if (!this.range) return;
    const [from, to] = this.range;
    const at = Math.min(Math.max(around, from), to);
    this.zoomTo([at - (at - from) / factor, at + (to - at) / factor]);
  }

  fit() {
    if (this.home) this.zoomTo([...this.home]);
  }

  zoomTo(range) {
    const { from, to } = this.player.clock.range;
    const least = 50;
    const span = Math.min(Math.max(range[1] - range[0], least), to - from + 400);
    const start = Math.min(Math.max(range[0], from - 200), to + 200 - span);
    this.range = [start, start + span];
    if (!this.#queued) this.#queued = requestAnimationFrame(() => this.#relayout());
  }

  #relayout() {
    this.#queued = 0;
    if (this.plot.data) this.plotly.relayout(this.plot, { "xaxis.range": [...this.range] });
    this.#moved();
  }

  async #draw() {
    if (!this.#figure?.data.length) return;
    const figure = themed(this.#figure, this.root);
    for (const trace of figure.data) trace.x = this.#nudged(trace);
    const { left, width } = this.area();
    figure.layout.xaxis.range = [...this.range];
    figure.layout.margin = { ...figure.layout.margin, l: left, r: this.box.clientWidth - left - width };
    await this.plotly.react(this.plot, figure.data, figure.layout, { displayModeBar: false, staticPlot: true });
    this.box.querySelector("[data-picture]")?.remove();
    this.#moved();
  }

  /* A nudged side is drawn where it is now seen. */
  #nudged(trace) {
    const shift = this.player.shiftOf(trace.meta);
    return shift ? trace.x.map((x) => (x === null ? null : x - shift)) : trace.x;
  }

  #moved() {
    writeFlags(this.root.querySelector("[data-flags]"), this, this.player, this.#figure?.marks ?? []);
    this.dispatchEvent(new Event("moved"));
  }

  #afterNudge() {
    const nudges = this.player.decks.map((deck) => deck.nudge).join();
    if (nudges === this.#nudges) return;
    this.#nudges = nudges;
    this.#draw();
  }

  #resized() {
    if (this.plot.data) this.#draw();
  }

  #bindZoom() {
    this.root.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button?.dataset.zoomBy) this.zoomBy(Number(button.dataset.zoomBy));
      if (button?.hasAttribute("data-zoom-fit")) this.fit();
      if (button?.hasAttribute("data-zoom-all")) this.zoomTo([this.player.clock.range.from, this.player.clock.range.to]);
    });
    this.box.addEventListener("wheel", (event) => {
      if (!this.range || !(event.ctrlKey || event.shiftKey)) return; // plain scrolling is the page's
      event.preventDefault();
      const at = this.toTime(event.clientX - this.box.getBoundingClientRect().left);
      this.zoomBy(event.deltaY + event.deltaX < 0 ? 1.25 : 0.8, at);
    }, { passive: false });
  }
}
