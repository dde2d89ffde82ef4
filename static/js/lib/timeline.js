/* The time of two recordings, for the drill-down and for the bug report that opens without a server: which frame is
   shown at t, which time is next, how the clock ticks, what a jump finds. Nothing here knows a page; the report takes
   this file as it is (reports/bugreport/page.py), so it imports nothing. */

const EPSILON_MS = 0.06; // an address keeps tenths of a ms
const LONGEST_TICK_MS = 100; // a tab that slept must not jump
const AIR_MS = 500; // after the later side, when looping

/** The frames of one run on the clock. Times are the run's own presentation timestamps; nothing is computed from a
    frame rate. */
export class Track {
  /** `series` is the answer of api/runs/<id>/series/, or {time_ms, action_ms} of a run without one. */
  constructor(series) {
    this.series = series;
    this.times = Float64Array.from(series.time_ms, (time) => time - series.action_ms);
    this.slot = 1000 / (series.refresh_hz || 60);
  }

  get count() {
    return this.times.length;
  }

  get from() {
    return this.times[0] ?? 0;
  }

  get to() {
    return this.times[this.count - 1] ?? 0;
  }

  /** The frame on the screen at t: the last one whose time has come; before the first frame the first. */
  indexAt(t) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= t + EPSILON_MS) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The time of the nearest frame after (direction 1) or before (−1) t, or null; `only` filters frame indices. */
  neighbour(t, direction, only = () => true) {
    for (let i = this.indexAt(t) + (direction > 0 ? 1 : 0); i >= 0 && i < this.count; i += direction) {
      const later = this.times[i] > t + EPSILON_MS;
      const sooner = this.times[i] < t - EPSILON_MS;
      if ((direction > 0 ? later : sooner) && only(i)) return this.times[i];
    }
    return null;
  }

  /** Whether frame i shows something new. */
  isNew(i) {
    return (this.series.changed_pct?.[i] ?? 100) > 0;
  }
}

/** One clock for both sides. Zero is the user's action; the unit is ms.
    It ticks with the screen's refresh. Before it moves on it asks `ready(t)`: as long as a side has not got its picture
    for t the clock holds, so that the two sides can never be apart. Events: "tick", "state". */
export class Clock extends EventTarget {
  t = 0;
  rate = 1;
  playing = false;
  loop = null; // {from, to} in ms
  range = { from: 0, to: 0 }; // what can be looked at
  played = null; // {from, to}: what playing goes through, where that is less than the range
  ready = () => true;
  #last = 0;

  seek(t) {
    this.t = Math.min(Math.max(t, this.range.from), this.range.to);
    this.dispatchEvent(new Event("tick"));
  }

  play() {
    if (this.playing) return;
    const { from, to } = this.played ?? this.range;
    if (this.t >= to - 1) this.t = this.loop?.from ?? from;
    this.playing = true;
    this.#last = performance.now();
    this.#changed();
    requestAnimationFrame((now) => this.#refresh(now));
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  setRate(rate) {
    this.rate = rate;
    this.#changed();
  }

  setLoop(loop) {
    this.loop = loop;
    this.#changed();
  }

  #refresh(now) {
    if (!this.playing) return;
    const passed = Math.min(Math.max(now - this.#last, 0), LONGEST_TICK_MS) * this.rate;
    this.#last = now;
    const { to } = this.played ?? this.range;
    const next = this.#wrapped(this.t + passed, to);
    if (this.ready(next)) {
      this.t = next;
      this.dispatchEvent(new Event("tick"));
      if (!this.loop && next >= to) this.pause();
    }
    requestAnimationFrame((later) => this.#refresh(later));
  }

  #wrapped(t, to) {
    if (this.loop && t > this.loop.to) return this.loop.from;
    return Math.min(t, to);
  }

  #changed() {
    this.dispatchEvent(new Event("state"));
  }
}

/** One side of a comparison: a run's track, and by how many refreshes of its device it is shown later than the clock. */
export class Side extends EventTarget {
  track = null;
  nudge = 0;

  /** How much sooner than recorded this side is shown, ms. */
  get shift() {
    return this.nudge * (this.track?.slot ?? 0);
  }

  /** The time of this side's recording, ms after its action, when the clock says t. */
  local(t) {
    return t + this.shift;
  }

  /** The frame that this side shows when the clock says t, or −1. */
  frameAt(t) {
    return this.track?.count ? this.track.indexAt(this.local(t)) : -1;
  }

  /** When the clock reaches this side's moment ("response", "finish"), or null. */
  moment(kind) {
    const at = this.track?.series[`${kind}_ms`] ?? null;
    return at === null ? null : at - this.shift;
  }

  /** When the clock reaches this side's nearest frame after or before t, or null. */
  neighbour(t, direction, only) {
    const at = this.track?.neighbour(this.local(t), direction, only) ?? null;
    return at === null ? null : at - this.shift;
  }
}

/** Both sides on one clock: stepping, jumping, what the range is. */
export class Timeline {
  clock = new Clock();

  constructor(sides) {
    this.sides = sides;
  }

  /** The sides that steps and jumps go by. */
  get stepped() {
    return this.sides;
  }

  /** Set the range of the clock to what the recordings cover together. */
  refit() {
    const tracks = this.sides.map((side) => side.track).filter((track) => track?.count);
    const from = Math.min(...tracks.map((track) => track.from));
    const to = Math.max(...tracks.map((track) => track.to));
    if (tracks.length) this.clock.range = { from, to };
  }

  /** Stand still at t. */
  go(t) {
    this.clock.pause();
    this.clock.seek(t);
  }

  /** Play from t on. */
  playFrom(t) {
    this.go(t);
    this.clock.play();
  }

  /** Go to the nearest frame of any stepped side in a direction; `fits(side)` gives a filter of its frame numbers. */
  step(direction, fits = () => () => true) {
    this.clock.pause();
    const times = this.stepped.map((side) => side.neighbour(this.clock.t, direction, fits(side)));
    const there = times.filter((time) => time !== null);
    if (there.length) this.clock.seek(direction > 0 ? Math.min(...there) : Math.max(...there));
  }

  /** Go to the next frame that shows something new. */
  nextChange() {
    this.step(1, (side) => (i) => side.track.isNew(i));
  }

  /** Jump to a moment ("response", "finish"): the sooner side's first, then, pressed again, the other's. */
  jump(kind) {
    this.clock.pause();
    const moments = this.stepped.map((side) => side.moment(kind)).filter((at) => at !== null);
    if (!moments.length) return;
    const later = moments.filter((at) => at > this.clock.t + EPSILON_MS);
    this.clock.seek(Math.min(...(later.length ? later : moments)));
  }

  /** The part worth looping: from the action to a little after the side that is later to the moment. */
  interesting(kind) {
    const ends = this.sides.map((side) => side.moment(kind)).filter((at) => at !== null);
    const { from, to } = this.clock.range;
    return { from: Math.max(from, 0), to: Math.min(to, Math.max(...ends, 300) + AIR_MS) };
  }
}
