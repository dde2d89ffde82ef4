/* One side: the run it shows, its track and its pictures, the canvas, the line below it. */

import { Track } from "./track.js";
import { ask } from "../lib/ask.js";
import { openFrames } from "./frames.js";
import { awaitPlayback, awaitQuicker } from "./playback.js";

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
    const [data, place] = await Promise.all([ask(series), awaitPlayback(playback, (pct) => this.#progress(pct))]);
    await this.#open(data, place, generation);
    const better = await awaitQuicker(playback, place);
    if (better && generation === this.#generation) await this.#open(data, better, generation);
  }

  async #open(data, place, generation) {
    const frames = await openFrames(place, this.video, (i) => this.#arrived(i));
    if (generation !== this.#generation) {
      frames?.close();
      return;
    }
    this.frames?.close();
    this.frames = frames;
    this.track = this.#trackOf(data, place, frames);
    this.shown = -1;
    this.box.dataset.state = frames ? "ready" : "failed";
    this.box.dataset.quick = String(!place.proxy);
    this.#say(frames ? (data.error ?? "") : (place.message ?? "This browser cannot show the recording."));
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
    if (!this.frames?.paints || !this.track?.count) return true;
    const i = this.frameAt(t);
    this.frames.focus(this.#inFile(i));
    return this.frames.has(this.#inFile(i));
  }

  /** Show the frame of time t, or keep the picture until it has been decoded. */
  show(t, { playing = false, rate = 1 } = {}) {
    if (!this.track?.count || !this.frames) return;
    this.wanted = this.frameAt(t);
    this.frames.focus(this.#inFile(this.wanted));
    if (playing) this.frames.follow?.(this.local(t) + this.track.series.action_ms, rate);
    else this.frames.stand?.();
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
    if (!this.note || (!words && !this.note.dataset.progress)) return;
    delete this.note.dataset.progress;
    this.note.hidden = !words;
    this.note.textContent = words;
  }

  #progress(pct) {
    const bar = Object.assign(document.createElement("progress"), { max: 100, value: pct });
    this.note.dataset.progress = String(pct);
    this.note.hidden = false;
    this.note.replaceChildren("Preparing this recording for stepping… ", bar);
  }
}

function nearest(sorted, value) {
  let best = 0;
  for (let i = 1; i < sorted.length; i += 1) {
    if (Math.abs(sorted[i] - value) < Math.abs(sorted[best] - value)) best = i;
  }
  return best;
}
