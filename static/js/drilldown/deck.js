/* One side: the run it shows, its pictures, the canvas, and the note over it that says what is in the way.
   <div class="screen" data-state="loading|ready|failed"> <video> <canvas> <p data-note> </div> */

import { Failure, ask } from "../lib/ask.js";
import { Side, Track } from "../lib/timeline.js";
import { awaitPlayback, awaitQuicker, openFrames } from "./frames.js";

export class Deck extends Side {
  frames = null;
  shown = -1; // the frame on the canvas
  loading = true; // until the first run is shown, or has failed
  #loading = null; // ends the newest load
  #runOfVideo = null; // the run whose recording the <video> plays

  constructor(figure, side) {
    super();
    this.figure = figure;
    this.side = side;
    this.box = figure.querySelector(".screen");
    this.canvas = figure.querySelector("canvas");
    this.video = figure.querySelector("video");
    this.note = figure.querySelector("[data-note]");
    this.pen = this.canvas?.getContext("2d", { alpha: false });
  }

  /** Load a run, {run, series, playback, note}; resolves when it is shown, has failed and says so, or a newer load began. */
  async load(place) {
    if (!place.run) return;
    this.#loading?.abort();
    const { signal } = (this.#loading = new AbortController());
    this.#runOfVideo ??= place.run;
    this.run = place.run;
    this.place = place;
    this.box.dataset.state = "loading";
    try {
      const onprogress = (pct) => this.#progress(pct);
      const asked = [ask(place.series, { signal }), awaitPlayback(place.playback, onprogress, signal)];
      const [data, found] = await Promise.all(asked);
      await this.#open(data, found, signal);
      await this.#quicken(data, found, signal);
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  async #open(data, place, signal, decode = true) {
    const frames = await openFrames(place, this.video, {
      onframe: (i) => this.#arrived(i),
      onbroken: () => (decode ? this.#withoutDecoder(data, place, signal) : this.#fail(new Failure("browser"), signal)),
      signal,
      decode,
    });
    if (signal.aborted) {
      frames.close();
      return;
    }
    this.#empty();
    this.frames = frames;
    this.track = this.#trackOf(data, place, frames);
    this.loading = false;
    this.box.dataset.state = "ready";
    this.box.dataset.quick = String(!place.proxy);
    this.#say(data.error ?? "");
    this.#showCanvas();
    this.dispatchEvent(new Event("loaded"));
  }

  /* A proxy steps quicker than what is shown already; without one nothing is lost, so nothing is said. */
  async #quicken(data, place, signal) {
    try {
      const better = await awaitQuicker(this.place.playback, place, signal);
      if (better) await this.#open(data, better, signal);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  /* What was opened broke off: the browser's own player may still show it. */
  async #withoutDecoder(data, place, signal) {
    if (signal.aborted) return;
    this.box.dataset.state = "loading";
    this.#empty();
    await this.#open(data, place, signal, false).catch((error) => this.#fail(error, signal));
  }

  #fail(error, signal) {
    if (signal.aborted) return; // a newer load has the word
    this.#loading.abort(); // what else was asked for this one has none any more
    if (!(error instanceof Failure)) console.error(error);
    this.#empty();
    this.canvas.hidden = true;
    this.video.hidden = this.run !== this.#runOfVideo; // its poster would show another run
    this.video.controls = false; // they would lie below the note
    this.loading = false;
    this.box.dataset.state = "failed";
    const again = control("button", "Try again", { type: "button", className: "button-small" });
    again.addEventListener("click", () => {
      again.textContent = "Trying again…"; // it stays where it is, with the focus
      this.load(this.place);
    });
    // An empty address is this one, as it is when the link is pressed: the server asks for a log-in and leads back.
    const cures = { session: "Sign in again", stale: "Load the page again" };
    const login = cures[error.kind] ? [control("a", cures[error.kind], { href: "" }), " "] : [];
    this.#say(error instanceof Failure ? error.message : "This page made an error.", ...login, again);
    this.dispatchEvent(new Event("failed"));
  }

  #empty() {
    this.frames?.close();
    this.frames = this.track = this.map = null;
    this.shown = -1;
    this.wanted = undefined;
    delete this.canvas.dataset.frame;
    this.box.removeAttribute("data-waiting");
  }

  ready(t) {
    if (!this.frames?.paints || !this.track?.count) return true;
    const i = this.frameAt(t);
    this.frames.focus(this.inFile(i));
    return this.frames.has(this.inFile(i));
  }

  /** Show the frame of time t, or keep the picture until it has been decoded. */
  show(t, { playing = false, rate = 1 } = {}) {
    if (!this.track?.count || !this.frames) return;
    this.wanted = this.frameAt(t);
    this.frames.focus(this.inFile(this.wanted));
    if (playing) this.frames.follow?.(this.local(t) + this.track.series.action_ms, rate);
    else this.frames.stand?.();
    this.#draw();
  }

  /** What is drawn now: for the views that put both sides together. */
  picture() {
    return this.shown < 0 ? null : this.frames.picture(this.inFile(this.shown));
  }

  #draw() {
    const picture = this.frames?.picture(this.inFile(this.wanted));
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
    if (this.wanted !== undefined && i === this.inFile(this.wanted)) this.#draw();
  }

  /** The number of a frame of the series in the file that is played. */
  inFile(i) {
    return this.map ? this.map[i] : i;
  }

  /* Series and file have the same frames, unless timestamps repeat: then the nearest time decides. */
  #trackOf(series, place, frames) {
    const file = place.index?.time_ms ?? frames.times ?? [];
    if (series.error) return new Track({ time_ms: file, action_ms: 0 });
    const times = series.time_ms;
    this.map = file.length === times.length || !file.length ? null : times.map((time) => nearest(file, time));
    return new Track(series);
  }

  #showCanvas() {
    const { paints } = this.frames;
    this.canvas.hidden = !paints;
    this.video.hidden = paints;
    this.video.controls = false;
    if (paints) this.video.pause();
    else this.#runOfVideo = this.run;
  }

  #say(words, ...controls) {
    const said = words || this.place.note;
    const focused = this.note.contains(document.activeElement);
    this.note.replaceChildren(said, " ", ...controls);
    this.note.hidden = !said;
    if (!focused) return;
    this.box.tabIndex = -1;
    (this.note.querySelector("a, button") ?? this.box).focus(); // the keyboard goes on from here
  }

  #progress(pct) {
    const bar = control("progress", "", { max: 100, value: pct });
    this.#say("Preparing this recording for stepping…", bar);
  }
}

function control(tag, words, properties) {
  return Object.assign(document.createElement(tag), { textContent: words, ...properties });
}

function nearest(sorted, value) {
  let best = 0;
  for (let i = 1; i < sorted.length; i += 1) {
    if (Math.abs(sorted[i] - value) < Math.abs(sorted[best] - value)) best = i;
  }
  return best;
}
