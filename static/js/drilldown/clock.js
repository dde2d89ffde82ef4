/* One clock for both players. Zero is the user's action; the unit is ms.
   It ticks with the screen's refresh. Before it moves on it asks `ready(t)`: as long as a side has not decoded its
   picture for t the clock holds, so that the two sides can never be apart. Events: "tick", "state". */

const LONGEST_TICK_MS = 100; // a tab that slept must not jump

export class Clock extends EventTarget {
  t = 0;
  rate = 1;
  playing = false;
  loop = null; // {from, to} in ms
  range = { from: 0, to: 0 };
  ready = () => true;
  #last = 0;

  seek(t) {
    this.t = Math.min(Math.max(t, this.range.from), this.range.to);
    this.dispatchEvent(new Event("tick"));
  }

  play() {
    if (this.playing) return;
    if (this.t >= this.range.to - 1) this.t = this.loop?.from ?? this.range.from;
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
    const next = this.#wrapped(this.t + passed);
    if (this.ready(next)) {
      this.t = next;
      this.dispatchEvent(new Event("tick"));
      if (!this.loop && next >= this.range.to) this.pause();
    }
    requestAnimationFrame((later) => this.#refresh(later));
  }

  #wrapped(t) {
    if (this.loop && t > this.loop.to) return this.loop.from;
    return Math.min(t, this.range.to);
  }

  #changed() {
    this.dispatchEvent(new Event("state"));
  }
}
