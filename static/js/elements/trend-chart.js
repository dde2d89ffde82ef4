/* <trend-chart data-plotly="address of the library"> … data-swap parts, among them the chart as SVG, [data-plot] over it,
   and the script#trend-data that both are drawn from … </trend-chart>
   Draws the course of an interaction once more with Plotly: numbers under the pointer, a part by dragging across (which
   goes into the address, as From and To do), the whole by a double click, two versions to compare by pressing them. The
   SVG keeps its place and its links: the keys go through those, and where this cannot be loaded it stays. */

import { Failure } from "../lib/ask.js";
import { loadPlotly } from "../lib/plotly.js";
import { fetchPage, takeParts } from "../lib/swap.js";

const MARGIN = { l: 56, r: 16, t: 24, b: 124 }; // b: the longest name, slanted, below the numbers
const NAME_PX = 18; // a name beside another, turned
const MARK_PX = 24; // room for the numbers of notes between the axis and the names
const MEDIAN = 4; // among the traces
const SYMBOLS = { worse: "triangle-up", better: "triangle-down" };
const DOUBLE_MS = 300; // within which a second click makes a double one
const LINE = 48; // letters of a line of what was said
const LONGEST = 14; // letters of a name under the axis

class TrendChart extends HTMLElement {
  async connectedCallback() {
    if (!this.querySelector("[data-plot]")) return; // no level, no chart
    this.read(document);
    this.coarse = matchMedia("(pointer: coarse)"); // there a swipe scrolls the page
    try {
      this.plotly = await loadPlotly(this.dataset.plotly);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return;
    }
    await this.draw();
    this.bind();
  }

  read(page) {
    this.data = JSON.parse(page.getElementById("trend-data").textContent);
    this.shown = location.pathname + location.search;
  }

  get plot() {
    return this.querySelector("[data-plot]");
  }

  bind() {
    const redraw = () => this.draw();
    document.addEventListener("themechange", redraw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    new ResizeObserver(redraw).observe(this.plot);
    this.plot.on("plotly_relayout", (change) => this.zoom(change["xaxis.range[0]"], change["xaxis.range[1]"]));
    this.plot.on("plotly_doubleclick", () => {
      clearTimeout(this.pressed); // of its first click
      this.part("", "");
    });
    this.plot.on("plotly_click", ({ points }) => {
      const point = this.data.points[points[0].pointNumber];
      clearTimeout(this.pressed);
      this.pressed = setTimeout(() => this.press(point), DOUBLE_MS);
    });
    this.plot.on("plotly_clickannotation", ({ index }) => this.say(this.data.said[index]));
    this.addEventListener("focusin", (event) => this.point(event.target));
    this.addEventListener("focusout", () => this.plotly.Fx.unhover(this.plot));
    window.addEventListener("popstate", () => {
      if (location.pathname + location.search !== this.shown) this.go(location.href);
    });
  }

  /** Show what lies between two places of the axis: from the first version in it to the last, as the fields do. */
  zoom(from, to) {
    if (from === undefined) return;
    const inside = this.data.points.filter(({ x }) => x >= from && x <= to).sort((a, b) => a.place - b.place);
    if (inside.length && inside.length < this.data.points.length) this.part(inside[0].version, inside.at(-1).version);
    else this.draw();
  }

  part(first, last) {
    const address = new URL(location.href);
    for (const [name, version] of Object.entries({ first, last })) {
      if (version) address.searchParams.set(name, version);
      else address.searchParams.delete(name);
    }
    this.visit(address);
  }

  press({ version, compares }) {
    if (compares) return location.assign(compares);
    const address = new URL(location.href);
    address.searchParams.set("picked", version);
    return this.visit(address);
  }

  say(mark) {
    if (mark) location.hash = `mark-${mark.first}`; // the pin is the last and says nothing more
  }

  visit(address) {
    address.hash = "";
    if (address.href === location.href) return this.draw();
    history.pushState(null, "", address);
    return this.go(address.href);
  }

  async go(address) {
    const fresh = await fetchPage(address);
    if (!fresh || address !== location.href) return; // another part was chosen meanwhile
    if (!fresh.getElementById("trend-data")) return location.assign(address);
    takeParts(this, fresh);
    this.read(fresh);
    await this.draw();
  }

  /* The keys go through the links of the SVG: what has the focus there is told here. */
  point(target) {
    const points = [...this.querySelectorAll(".trend-point")];
    const marks = [...this.querySelectorAll(".trend-mark")];
    if (points.includes(target))
      this.plotly.Fx.hover(this.plot, [{ curveNumber: MEDIAN, pointNumber: points.indexOf(target) }]);
    const accent = this.colour("--accent");
    const plain = this.colour("--line-strong");
    const borders = marks.map((mark, at) => [`annotations[${at}].bordercolor`, mark === target ? accent : plain]);
    if (borders.length) this.plotly.relayout(this.plot, Object.fromEntries(borders));
  }

  colour(token) {
    return getComputedStyle(this).getPropertyValue(token).trim();
  }

  async draw() {
    const { data, layout } = this.drawing();
    const options = { displayModeBar: false, doubleClick: false, doubleClickDelay: DOUBLE_MS, showTips: false };
    await this.plotly.react(this.plot, data, layout, options);
    this.dataset.drawn = "true";
  }

  drawing() {
    const points = this.data.points;
    const x = points.map((point) => point.x);
    const ink = this.colour("--new");
    const quiet = { x, mode: "lines", hoverinfo: "skip" };
    const line = (name, color, dash) => ({ ...quiet, y: points.map((point) => point[name]), line: { color, dash, width: 1 } });
    const traces = [
      this.band(points),
      line("p99", this.colour("--line-strong"), "dot"),
      line("p90", this.colour("--ink-soft"), "dash"),
      {
        x: points.flatMap((point) => point.dots.map(() => point.x)),
        y: points.flatMap((point) => point.dots),
        mode: "markers",
        hoverinfo: "skip",
        marker: { color: ink, opacity: 0.25, size: 4 },
      },
      {
        x,
        y: points.map((point) => point.p50),
        mode: "lines+markers",
        line: { color: ink, width: 2 },
        marker: this.markers(points, ink),
        hoverinfo: "text",
        hovertext: points.map((point) => this.words(point)),
        cliponaxis: false,
      },
    ];
    return { data: traces, layout: this.layout() };
  }

  band(points) {
    const known = points.filter((point) => point.low !== null);
    const there = known.map((point) => [point.x, point.high]);
    const back = known.map((point) => [point.x, point.low]).reverse();
    const outline = known.length > 1 ? [...there, ...back] : [];
    return {
      x: outline.map(([x]) => x),
      y: outline.map(([, y]) => y),
      mode: "lines",
      line: { width: 0 },
      fill: "toself",
      fillcolor: this.colour("--new-tint"),
      hoverinfo: "skip",
    };
  }

  markers(points, ink) {
    const tone = { worse: this.colour("--worse"), better: this.colour("--better") };
    return {
      symbol: points.map((point) => SYMBOLS[point.tone] ?? "circle"),
      size: points.map((point) => (point.tone ? 14 : 8)),
      color: points.map((point) => tone[point.tone] ?? ink),
      opacity: 1,
      line: { color: this.colour("--accent"), width: points.map((point) => (point.picked ? 3 : 0)) },
    };
  }

  words({ words: [head, ...rest], compares, picked }) {
    const press = compares ? "press to compare" : picked ? "chosen" : "press to choose it";
    return [`<b>${plain(head)}</b>`, ...rest.map(plain), `<i>${press}</i>`].join("<br>");
  }

  layout() {
    const soft = this.colour("--ink-soft");
    const family = getComputedStyle(this).fontFamily;
    const { across, up, names, values, unit, pin } = this.data;
    const pad = (across[1] - across[0]) * 0.015 || 0.5;
    const width = this.plot.clientWidth;
    const every = Math.ceil((names.length * NAME_PX) / Math.max(width - MARGIN.l - MARGIN.r, 1));
    const shown = names.filter((_, at) => at % every === 0);
    const axis = { zeroline: false, color: soft, ticks: "" };
    return {
      width,
      height: this.plot.clientHeight,
      margin: MARGIN,
      showlegend: false,
      hovermode: "x",
      hoverdistance: 30,
      dragmode: this.coarse.matches ? false : "zoom",
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family, size: 13, color: soft },
      hoverlabel: {
        align: "left",
        bgcolor: this.colour("--surface"),
        bordercolor: this.colour("--line-strong"),
        font: { family, size: 13, color: this.colour("--ink") },
      },
      xaxis: {
        ...axis,
        range: [across[0] - pad, across[1] + pad],
        showgrid: false,
        tickvals: shown.map(([at]) => at),
        ticktext: shown.map(([, name]) => plain(name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name)),
        tickangle: -60,
        ticks: "outside",
        ticklen: MARK_PX,
        tickcolor: "rgba(0,0,0,0)",
      },
      yaxis: {
        ...axis,
        fixedrange: true,
        range: up,
        gridcolor: this.colour("--line"),
        tickvals: values.map(([value]) => value),
        ticktext: values.map(([, text]) => text),
      },
      shapes: pin === null ? [] : [this.pinLine(pin)],
      annotations: [...this.marks(), ...(pin === null ? [] : [this.pinName(pin)]), unitName(unit)],
    };
  }

  marks() {
    const look = { yref: "paper", y: 0, yanchor: "top", yshift: -4, showarrow: false, captureevents: true, borderpad: 1 };
    const colours = { bordercolor: this.colour("--line-strong"), bgcolor: this.colour("--surface"), font: { color: this.colour("--ink") } };
    return this.data.said.map(({ x, text, words }) => ({ ...look, ...colours, x, text, hovertext: lines(words).map(plain).join("<br>") }));
  }

  pinLine(x) {
    const line = { color: this.colour("--accent"), width: 1, dash: "dot" };
    return { type: "line", xref: "x", yref: "paper", x0: x, x1: x, y0: 0, y1: 1, line, layer: "below" };
  }

  pinName(x) {
    return { x, yref: "paper", y: 1, yanchor: "bottom", text: "pinned", showarrow: false, font: { color: this.colour("--accent") } };
  }
}

function unitName(text) {
  return { xref: "paper", x: 0, xanchor: "right", xshift: -8, yref: "paper", y: 1, yanchor: "bottom", text, showarrow: false };
}

/* Long words in lines that fit a chart on any screen. */
function lines(text) {
  const found = [""];
  for (const word of text.split(/\s+/)) {
    if (found.at(-1).length + word.length > LINE) found.push("");
    found.push(`${found.pop()} ${word}`.trim());
  }
  return found.filter(Boolean);
}

/* Plotly reads a few tags in what it writes. */
function plain(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

customElements.define("trend-chart", TrendChart);
