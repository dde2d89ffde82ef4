/* The film strip: changed frames only, one row per side, on the time axis of the plots. Pictures are decoded in one
   pass over the file and kept small; which of them are shown depends on the zoom, so that none covers another. */

import { decodeThumbnails } from "./thumbnails.js";

const HEIGHT_PX = 56;

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

  /** Decode a side's pictures; they are written as they come. */
  async load(deck) {
    if (!deck.frames?.index || !deck.track || this.#runs.get(deck.side) === deck.run) return;
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
      const pictures = this.#films.get(deck.side);
      if (pictures) this.root.querySelector(`[data-film="${deck.side}"]`).replaceChildren(...this.#row(deck, pictures));
    }
  }

  #row(deck, pictures) {
    const { left, width } = this.plots.area();
    const shown = [];
    let free = -Infinity;
    for (const [i, picture] of pictures) {
      const at = deck.track.times[i] - this.player.shiftOf(deck.side);
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
