/* One side: the run it shows, its track and its pictures, the canvas, the line below it. */

import { Track } from "./track.js";
import { openFrames } from "./frames.js";

export class Deck extends EventTarget {
  track = null;
  frames = null;
  nudge = 0; // in refreshes of this device; positive shows this side later than the clock
  shown = -1; // the frame on the canvas
  #generation = 0;

  constructor(figure, side) {
    super();
    this.figure = figure;
    this.side = side;
    this.box = figure.querySelector(".screen");
    this.canvas = figure.querySelector("canvas");
    this.video = figure.querySelector("video");
    this.pen = this.canvas?.getContext("2d", { alpha: false });
    this.note = figure.querySelector("[data-note]");
  }

  /** Load a run; resolves when its frames can be asked for. */
  async load({ run, series, playback }) {
    if (!run) return;
    const generation = ++this.#generation;
    this.run = run;
    this.box.dataset.state = "loading";
    const [data, place] = await Promise.all([json(series), json(playback)]);
    const frames = await openFrames(place, this.video, (i) => this.#arrived(i));
    if (generation !== this.#generation) return frames?.close();
    this.frames?.close();
    this.frames = frames;
    this.track = this.#trackOf(data, place, frames);
    this.shown = -1;
    this.box.dataset.state = frames ? "ready" : "failed";
    this.#say(frames ? "" : place.message);
    this.#showCanvas(frames);
    this.dispatchEvent(new Event("loaded"));
  }

  /** The time of this side's recording, ms after its action, when the clock says t. */
  local(t) {
    return t + this.nudge * (this.track?.slot ?? 0);
  }

  frameAt(t) {
    return this.track ? this.track.indexAt(this.local(t)) : -1;
  }

  ready(t) {
    if (!this.frames || !this.track?.count) return true;
    const i = this.frameAt(t);
    this.frames.focus(this.#inFile(i));
    return this.frames.has(this.#inFile(i));
  }

  /** Show the frame of time t, or keep the picture until it has been decoded. */
  show(t) {
    if (!this.track?.count) return;
    const i = this.frameAt(t);
    this.wanted = i;
    this.frames?.focus(this.#inFile(i));
    this.#draw();
  }

  /** What is drawn now: for the views that put both sides together. */
  picture() {
    return this.shown < 0 ? null : this.frames.picture(this.#inFile(this.shown));
  }

  #draw() {
    const picture = this.frames?.picture(this.#inFile(this.wanted));
    this.box.toggleAttribute("data-waiting", !picture);
    if (!picture || this.shown === this.wanted) return;
    if (this.frames.paints) this.#paint(picture);
    this.shown = this.wanted;
    this.canvas.dataset.frame = String(this.shown);
    this.dispatchEvent(new Event("shown"));
  }

  #paint(picture) {
    const { width, height } = this.frames;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.pen.drawImage(picture, 0, 0, width, height);
  }

  #arrived(i) {
    if (this.wanted !== undefined && i === this.#inFile(this.wanted)) this.#draw();
  }

  #inFile(i) {
    return this.map ? this.map[i] : i;
  }

  /* Series and file have the same frames, unless timestamps repeat: then the nearest time decides. */
  #trackOf(series, place, frames) {
    const file = place.index?.time_ms ?? frames?.times ?? [];
    if (series.error) return new Track({ time_ms: file, action_ms: 0 });
    const times = series.time_ms;
    this.map = file.length === times.length || !file.length ? null : times.map((time) => nearest(file, time));
    return new Track(series);
  }

  #showCanvas(frames) {
    const paints = Boolean(frames?.paints);
    this.canvas.hidden = !paints;
    this.video.hidden = paints;
    if (frames) this.video.removeAttribute("controls");
    if (paints) this.video.pause();
  }

  #say(words) {
    if (!words || !this.note) return;
    this.note.hidden = false;
    this.note.textContent = words;
  }
}

async function json(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  return answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
}

function nearest(sorted, value) {
  let best = 0;
  for (let i = 1; i < sorted.length; i += 1) {
    if (Math.abs(sorted[i] - value) < Math.abs(sorted[best] - value)) best = i;
  }
  return best;
}
