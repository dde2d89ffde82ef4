/* The film strip: changed frames only, one row per side, on the time axis of the plots. Pictures are decoded in one
   pass over the file and kept small; which of them are shown depends on the zoom, so that none covers another. */

import { chunkOf } from "./decoder.js";

const HEIGHT_PX = 56;
const QUEUE = 4;
const WAIT_MS = 10;

export class FilmStrip {
  #films = new Map();
  #runs = new Map();
  #queued = null;

  constructor(root, player, plots) {
    this.root = root;
    this.player = player;
    this.plots = plots;
    plots.addEventListener("moved", () => this.write());
  }

  /** Decode a side's pictures; they are written as they come. A side that has no frames now has no film. */
  async load(deck) {
    if (this.#runs.get(deck.side) !== deck.run) this.#films.delete(deck.side);
    this.write();
    if (!deck.frames?.index || !deck.track || this.#films.has(deck.side)) return;
    const pictures = new Map();
    this.#films.set(deck.side, pictures);
    this.#runs.set(deck.side, deck.run);
    const keep = (i, picture) => {
      pictures.set(i, picture);
      this.#later();
    };
    const idle = () => this.player.decks.every((one) => one.frames?.decoder?.idle ?? true);
    const stopped = () => this.#films.get(deck.side) !== pictures; // another run came
    await decodeThumbnails(deck.frames, changedFrames(deck.track), HEIGHT_PX, keep, { idle, stopped });
    this.write();
  }

  #later() {
    this.#queued ??= requestAnimationFrame(() => {
      this.#queued = null;
      this.write();
    });
  }

  write() {
    if (!this.plots.range) return;
    for (const deck of this.player.decks) {
      const pictures = deck.track ? this.#films.get(deck.side) : null;
      const shown = pictures ? this.#row(deck, pictures) : [];
      this.root.querySelector(`[data-film="${deck.side}"]`).replaceChildren(...shown);
    }
  }

  #row(deck, pictures) {
    const { left, width } = this.plots.area();
    const shown = [];
    let free = -Infinity;
    for (const [i, picture] of pictures) {
      const at = deck.track.times[i] - deck.shift;
      const x = this.plots.toPixels(at) - left;
      const across = (picture.width / picture.height) * HEIGHT_PX;
      if (x < free || x < 0 || x + across > width) continue;
      free = x + across + 2;
      picture.style.transform = `translateX(${x}px)`;
      picture.dataset.at = String(at);
      shown.push(picture);
    }
    return shown;
  }
}

function changedFrames(track) {
  return [...track.times.keys()].filter((i) => i === 0 || track.isNew(i));
}

/* Calls `onpicture(frame number, canvas)` in order; a canvas is `height` px tall, times the screen's density.
   Works only while `idle()`, as players come first, and ends early once `stopped()`. */
async function decodeThumbnails(frames, wanted, height, onpicture, { idle, stopped }) {
  const chosen = new Set(wanted);
  const tall = height * (window.devicePixelRatio || 1);
  const decoder = new VideoDecoder({
    output: (frame) => {
      const i = Math.round(frame.timestamp / 1000);
      if (chosen.has(i)) onpicture(i, draw(frame, tall));
      frame.close();
    },
    error: (error) => console.warn("the film strip stopped", error),
  });
  decoder.configure(frames.decoder.configuration);
  const last = wanted.at(-1) ?? -1;
  const goes = () => decoder.state === "configured" && !stopped();
  for (let i = 0; i <= last && goes(); i += 1) {
    while (goes() && (decoder.decodeQueueSize > QUEUE || !idle())) await new Promise((next) => setTimeout(next, WAIT_MS));
    if (goes()) decoder.decode(chunkOf(frames.index, frames.bytes, i));
  }
  if (decoder.state === "configured") await decoder.flush().catch(() => {});
  if (decoder.state !== "closed") decoder.close();
}

function draw(frame, height) {
  const canvas = document.createElement("canvas");
  canvas.height = Math.round(height);
  canvas.width = Math.max(1, Math.round((frame.displayWidth / frame.displayHeight) * height));
  canvas.getContext("2d", { alpha: false }).drawImage(frame, 0, 0, canvas.width, canvas.height);
  return canvas;
}
