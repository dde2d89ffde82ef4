/* Both decks on one clock (lib/timeline.js): what is shown as it moves, and which side is stepped alone. */

import { Timeline } from "../lib/timeline.js";

export class Player extends Timeline {
  active = null; // "base", "new", or null for both

  constructor(decks) {
    super(decks);
    this.clock.ready = (t) => this.decks.map((deck) => deck.ready(t)).every(Boolean);
    for (const event of ["tick", "state"]) this.clock.addEventListener(event, () => this.show());
  }

  get decks() {
    return this.sides;
  }

  get stepped() {
    return this.active ? this.decks.filter((deck) => deck.side === this.active) : this.decks;
  }

  show() {
    for (const deck of this.decks) deck.show(this.clock.t, this.clock);
  }

  /** Play the part around a moment over and over, or stand still again. */
  toggleLoop(moment) {
    const { clock } = this;
    clock.pause();
    if (clock.loop) return clock.setLoop(null);
    clock.setLoop(this.interesting(moment));
    clock.seek(clock.loop.from);
    clock.play();
  }

  /** How much sooner than recorded the side of that name is shown, ms. */
  shiftOf(side) {
    return this.decks.find((deck) => deck.side === side)?.shift ?? 0;
  }
}
