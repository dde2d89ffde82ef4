/* Both decks on one clock: stepping, jumping, what the range is, whether a time can be shown. */

import { Clock } from "./clock.js";

const AIR_MS = 500; // before the action and after the later finish, when looping

export class Player {
  clock = new Clock();
  active = null; // "base", "new", or null for both

  constructor(decks) {
    this.decks = decks;
    this.clock.ready = (t) => this.decks.map((deck) => deck.ready(t)).every(Boolean);
    for (const event of ["tick", "state"]) this.clock.addEventListener(event, () => this.show());
  }

  show() {
    for (const deck of this.decks) deck.show(this.clock.t, this.clock);
  }

  get tracks() {
    return this.stepped.filter((deck) => deck.track?.count);
  }

  get stepped() {
    return this.active ? this.decks.filter((deck) => deck.side === this.active) : this.decks;
  }

  /** Set the range of the clock to what both recordings cover. */
  refit() {
    const tracks = this.decks.map((deck) => deck.track).filter((track) => track?.count);
    const range = {
      from: Math.min(...tracks.map((track) => track.from)),
      to: Math.max(...tracks.map((track) => track.to)),
    };
    if (tracks.length) this.clock.range = range;
  }

  /** Go to the nearest frame of either side (or of the active one) in a direction. */
  step(direction, fits = () => () => true) {
    this.clock.pause();
    const times = this.tracks
      .map((deck) => this.#neighbour(deck, direction, fits(deck)))
      .filter((time) => time !== null);
    if (times.length) this.clock.seek(direction > 0 ? Math.min(...times) : Math.max(...times));
  }

  /** Go to the next frame that shows something new. */
  nextChange() {
    this.step(1, (deck) => (i) => deck.track.isNew(i));
  }

  /** Jump to a moment ("response", "finish"): the sooner side's first, then, pressed again, the other's. */
  jump(kind) {
    this.clock.pause();
    const moments = this.moments(kind);
    if (!moments.length) return;
    this.clock.seek(moments.find((at) => at > this.clock.t + 0.1) ?? moments[0]);
  }

  /** Moments of both sides on the clock, rising. */
  moments(kind) {
    const found = this.tracks.map((deck) => this.momentOf(deck, kind));
    return found.filter((at) => at !== null).sort((a, b) => a - b);
  }

  /** How much sooner than recorded a side is shown, ms: its nudge. */
  shiftOf(side) {
    const deck = this.decks.find((one) => one.side === side);
    return deck?.track ? deck.nudge * deck.track.slot : 0;
  }

  momentOf(deck, kind) {
    const at = deck.track?.series[`${kind}_ms`] ?? null;
    return at === null ? null : at - this.shiftOf(deck.side);
  }

  /** The part worth looping: from a little before the action to a little after the later finish. */
  interesting() {
    const ends = this.decks.map((deck) => this.momentOf(deck, "finish")).filter((at) => at !== null);
    const { from, to } = this.clock.range;
    return { from: Math.max(from, -AIR_MS / 2), to: Math.min(to, Math.max(...ends, 300) + AIR_MS) };
  }

  #neighbour(deck, direction, fits) {
    const time = deck.track.neighbour(deck.local(this.clock.t), direction, fits);
    return time === null ? null : time - this.shiftOf(deck.side);
  }
}
