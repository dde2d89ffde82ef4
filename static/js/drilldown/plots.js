/* The plots: SSIM above, frame interval below, one time axis. The figure comes from the server; colours are names of
   tokens and are put in here, so that the plots follow the theme. One cursor lies over both, and over the film strip. */

import { Cursor } from "./cursor.js";
import { Failure, ask } from "../lib/ask.js";
import { loadPlotly } from "../lib/plotly.js";
import { numberText } from "../lib/numbers.js";
import { writeValues } from "./values.js";

const TICK_PX = 80; // a label and the space beside it

export class Plots extends EventTarget {
  #figure = null;
  #queued = 0;
  #nudges = "";
  #address = "";
  #missing = ""; // the address of a figure that is not there yet

  /** `wordOf(kind)` names a moment ("response", "finish"). */
  constructor(root, player, wordOf) {
    super();
    this.wordOf = wordOf;
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

  /** Fetch the figure of a pair and draw it over the picture that the server sent. Where that fails the picture stays
      (never the curves of another pair); the screens say what is the matter. */
  async load(address) {
    this.#address = address;
    this.#missing = "";
    try {
      const both = await Promise.all([ask(address), loadPlotly(this.root.dataset.plotly)]);
      if (address !== this.#address) return; // another pair was chosen meanwhile
      await this.#take(...both);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (address === this.#address) this.#clear(address);
    }
  }

  /** Load what could not be loaded before, if anything. */
  loadMissing() {
    if (this.#missing) this.load(this.#missing);
  }

  async #take(figure, plotly) {
    this.#figure = figure;
    this.plotly = plotly;
    this.home = figure.layout.xaxis.range;
    this.range ??= [...this.home];
    if (figure.data.length) await this.#draw();
    this.root.querySelector("[data-zoom]").hidden = false;
    this.root.dataset.drawn = "true";
  }

  #clear(address) {
    this.#missing = address;
    this.#figure = null;
    this.plotly?.purge(this.plot);
    this.#moved();
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
    figure.layout.xaxis.nticks = Math.max(3, Math.floor(width / TICK_PX));
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

  /** Put the lines of response and finish where they were measured. */
  restoreFlags() {
    writeFlags(this.root.querySelector("[data-flags]"), this, this.player, this.#figure?.marks ?? []);
  }

  #moved() {
    this.restoreFlags();
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

/* Response and finish of both sides as labelled lines over the plots. Labels never lie over each other: each flag has
   a row of its own, and near the right edge a label stands on the left of its line. */
function writeFlags(layer, plots, player, marks) {
  if (!plots.range) return;
  const { left, width } = plots.area();
  const flags = marks.map((mark) => ({ ...mark, word: plots.wordOf(mark.kind), x: plots.toPixels(mark.at_ms - player.shiftOf(mark.side)) }));
  const shown = flags.filter((flag) => flag.x >= left && flag.x <= left + width).sort((a, b) => a.x - b.x);
  layer.replaceChildren(...shown.map((flag, row) => flagLine(flag, row, left + width)));
}

function flagLine(flag, row, edge) {
  const line = document.createElement("div");
  line.className = `flag ${flag.side}${flag.x > edge - 132 ? " is-left" : ""}`;
  line.style.transform = `translateX(${flag.x}px)`;
  Object.assign(line.dataset, { flag: "", side: flag.side, kind: flag.kind });
  const label = document.createElement("span");
  label.textContent = `${flag.word} ${numberText(flag.at_ms)} ms`;
  label.style.setProperty("--row", String(row));
  line.append(label);
  return line;
}

/* A copy of the figure in which every "--token" is the colour that the token has now. */
function themed(figure, element) {
  const style = getComputedStyle(element);
  return JSON.parse(JSON.stringify(figure), (_, value) =>
    typeof value === "string" && value.startsWith("--") ? style.getPropertyValue(value).trim() : value,
  );
}
