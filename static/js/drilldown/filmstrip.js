/* The film strip: a table from the server (templates/drilldown/film.html), a column for each time and a row for each side.
   This puts the pictures in: decoded here in one pass over the file, else fetched from the server. A cell that is
   pointed at or has the focus is shown large; a press goes to its time. The strip keeps each run's own clock: nudges do
   not move it, but a press on a nudged side shows exactly the picture that was pressed. */

import { chunkOf } from "./decoder.js";
import { clockText } from "../lib/numbers.js";
import { NAMES } from "./values.js";

const HEIGHT_PX = 200;
const DENSEST = 2; // no screen is worth more pixels in a thumbnail
const QUEUE = 4;
const WAIT_MS = 10;
const SHARPER_AFTER_MS = 150; // a pointer that only passes by asks the server for nothing
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class FilmStrip {
  #films = new Map(); // run → its pictures by frame of the series
  #queued = null;
  #sharper = 0;
  #pointing = false;
  #columns = [];
  #now = null;

  constructor(page, player) {
    this.page = page;
    this.player = player;
    player.clock.addEventListener("tick", () => this.#follow());
    page.addEventListener("click", (event) => this.#press(event));
    page.addEventListener("keydown", (event) => this.#move(event));
    for (const kind of ["pointerover", "focusin"]) page.addEventListener(kind, (event) => this.#point(event));
    for (const kind of ["pointerout", "focusout"]) {
      page.addEventListener(kind, (event) => cellOf(event) && this.#leave());
    }
    this.refresh();
  }

  /** Take up the table that stands in the page now: another interval or another run brings a new one. */
  refresh() {
    this.root = this.page.querySelector("[data-film]");
    this.scroller = this.root.querySelector("[data-film-scroll]");
    this.large = this.root.querySelector("[data-film-large]");
    const heads = [...this.root.querySelectorAll("[data-column]")];
    this.#columns = heads.map((head) => ({ head, at: Number(head.dataset.column) }));
    this.#now = null;
    this.root.querySelectorAll("a[data-at]").forEach((cell, i) => (cell.tabIndex = i ? -1 : 0));
    for (const deck of this.player.decks) this.load(deck);
    this.#follow();
  }

  /** Fill a side's row once its player has opened the run, or given it up. */
  async load(deck) {
    const row = this.#row(deck);
    if (!row || row.dataset.runId !== String(deck.run) || deck.box.dataset.state === "loading") return;
    if (!deck.frames?.index || !deck.track) return this.#fetch(row);
    const pictures = this.#films.get(deck.run) ?? new Map();
    this.#films.set(deck.run, pictures);
    const wanted = new Map();
    for (const cell of row.querySelectorAll("a")) {
      const frame = Number(cell.dataset.frame);
      if (!pictures.has(frame)) wanted.set(deck.inFile(frame), frame);
    }
    this.#write(deck);
    const keep = (inFile, picture) => {
      pictures.set(wanted.get(inFile), picture);
      this.#later();
    };
    const idle = () => this.player.decks.every((one) => one.frames?.decoder?.idle ?? true);
    const stopped = () => !row.isConnected;
    await decodeThumbnails(deck.frames, [...wanted.keys()], keep, { idle, stopped });
    if (row.isConnected) this.#write(deck);
  }

  #row(deck) {
    return this.root.querySelector(`[data-film-row="${deck.side}"]`);
  }

  #later() {
    this.#queued ??= requestAnimationFrame(() => {
      this.#queued = null;
      for (const deck of this.player.decks) this.#write(deck);
    });
  }

  #write(deck) {
    const pictures = this.#films.get(deck.run);
    for (const cell of this.#row(deck)?.querySelectorAll("a:not(:has(canvas))") ?? []) {
      const picture = pictures?.get(Number(cell.dataset.frame));
      if (picture) cell.prepend(copyOf(picture));
    }
  }

  /* Without WebCodecs, or where the recording cannot be opened here: the server has each frame as a picture. */
  #fetch(row) {
    for (const cell of row.querySelectorAll("a:not(:has(canvas, img))")) {
      const picture = Object.assign(new Image(), { loading: "lazy", alt: "", src: cell.dataset.picture });
      cell.prepend(picture);
    }
  }

  #press(event) {
    const cell = cellOf(event);
    if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#focus(cell);
    this.player.go(Number(cell.dataset.at) - this.player.shiftOf(sideOf(cell)));
  }

  #move(event) {
    const cell = cellOf(event);
    if (event.key === "Escape") this.#leave();
    if (!cell || !MOVES[event.key] || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const [down, on] = MOVES[event.key];
    const rows = [...this.root.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("a")]);
    const at = rows.findIndex((cells) => cells.includes(cell));
    const next = rows[at + down]?.[rows[at].indexOf(cell) + on];
    event.preventDefault(); // the page's own arrow keys step the players
    if (next) this.#focus(next);
  }

  #focus(cell) {
    for (const other of this.root.querySelectorAll('a[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus({ preventScroll: true });
    this.#reveal(cell.parentElement);
  }

  /* Only the strip is scrolled, never the page. */
  #reveal(element) {
    const labels = this.root.querySelector("tbody th").offsetWidth;
    const [box, cell] = [this.scroller.getBoundingClientRect(), element.getBoundingClientRect()];
    if (cell.left < box.left + labels) this.scroller.scrollLeft += cell.left - box.left - labels - 8;
    else if (cell.right > box.right) this.scroller.scrollLeft += cell.right - box.right + 8;
  }

  /* The column of the clock's time. */
  #follow() {
    const now = this.#columns.findLast(({ at }) => at <= this.player.clock.t + 0.06)?.head ?? null;
    if (now === this.#now) return;
    this.#now?.removeAttribute("aria-current");
    now?.setAttribute("aria-current", "true");
    this.#now = now;
    if (now && !this.#pointing) this.#reveal(now);
  }

  #point(event) {
    const cell = cellOf(event);
    this.#pointing = Boolean(cell) && event.type === "pointerover";
    const unseen = event.type === "focusin" && !cell?.matches(":focus-visible");
    if (!cell || unseen || event.pointerType === "touch") return;
    clearTimeout(this.#sharper);
    const sharp = this.#atHand(cell);
    const drawn = sharp || cell.querySelector("canvas, img");
    if (drawn) this.#show(cell, copyOf(drawn));
    if (!sharp) this.#sharper = setTimeout(() => this.#sharpen(cell), SHARPER_AFTER_MS);
  }

  /* The picture as the player has it, if it happens to be decoded. */
  #atHand(cell) {
    const deck = this.player.decks.find((one) => one.side === sideOf(cell));
    if (!deck?.frames?.paints || cell.closest("tr").dataset.runId !== String(deck.run)) return undefined;
    return deck.frames.picture(deck.inFile(Number(cell.dataset.frame)));
  }

  async #sharpen(cell) {
    const picture = Object.assign(new Image(), { alt: "", src: cell.dataset.picture.replace(/h=\d+/, "h=720") });
    const waiting = this.#sharper;
    await picture.decode().catch(() => {}); // what was shown stays
    if (picture.naturalWidth && waiting === this.#sharper && cell.isConnected) this.#show(cell, picture);
  }

  #show(cell, picture) {
    const { at, frame } = cell.dataset;
    const marks = [...cell.parentElement.querySelectorAll("b")].map((mark) => mark.textContent);
    const words = document.createElement("figcaption");
    words.textContent = [NAMES[sideOf(cell)], clockText(Number(at)), `frame ${frame}`, ...marks].join(" · ");
    this.large.replaceChildren(picture, words);
    this.large.hidden = false;
    const [box, size] = [cell.getBoundingClientRect(), this.large.getBoundingClientRect()];
    const left = box.right + 8 + size.width < innerWidth ? box.right + 8 : Math.max(8, box.left - 8 - size.width);
    const top = Math.max(8, Math.min(box.top, innerHeight - size.height - 8));
    this.large.style.transform = `translate(${left}px, ${top}px)`;
  }

  #leave() {
    clearTimeout(this.#sharper);
    this.#sharper = 0;
    this.#pointing = false;
    if (this.large) this.large.hidden = true;
  }
}

function cellOf(event) {
  return event.target.closest?.("[data-film] a[data-at]");
}

function sideOf(cell) {
  return cell.closest("[data-film-row]").dataset.filmRow;
}

function copyOf(picture) {
  const width = picture.naturalWidth ?? picture.width;
  const height = picture.naturalHeight ?? picture.height;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d", { alpha: false }).drawImage(picture, 0, 0);
  return canvas;
}

/* Calls `onpicture(frame number in the file, canvas)` in order. Works only while `idle()`, as players come first, and
   ends early once `stopped()`. */
async function decodeThumbnails(frames, wanted, onpicture, { idle, stopped }) {
  if (!wanted.length) return;
  const chosen = new Set(wanted);
  const tall = HEIGHT_PX * Math.min(DENSEST, window.devicePixelRatio || 1);
  const decoder = new VideoDecoder({
    output: (frame) => {
      const i = Math.round(frame.timestamp / 1000);
      if (chosen.has(i)) onpicture(i, draw(frame, tall));
      frame.close();
    },
    error: (error) => console.warn("the film strip stopped", error),
  });
  decoder.configure(frames.decoder.configuration);
  const [first, last] = [Math.min(...wanted), Math.max(...wanted)];
  const goes = () => decoder.state === "configured" && !stopped();
  for (let i = frames.index.keys.findLast((key) => key <= first) ?? 0; i <= last && goes(); i += 1) {
    while (goes() && (decoder.decodeQueueSize > QUEUE || !idle())) await new Promise((next) => setTimeout(next, WAIT_MS));
    if (goes()) decoder.decode(chunkOf(frames.index, frames.bytes, i));
  }
  if (decoder.state === "configured") await decoder.flush().catch(() => {});
  if (decoder.state !== "closed") decoder.close();
}

function draw(frame, height) {
  const canvas = document.createElement("canvas");
  canvas.height = Math.round(Math.min(height, frame.displayHeight));
  canvas.width = Math.max(1, Math.round((frame.displayWidth / frame.displayHeight) * canvas.height));
  canvas.getContext("2d", { alpha: false }).drawImage(frame, 0, 0, canvas.width, canvas.height);
  return canvas;
}
