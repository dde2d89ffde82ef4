/* The frames of one run on the page's clock: which frame is shown at t, which time is next. Times are the run's own
   presentation timestamps; nothing is computed from a frame rate. */

const EPSILON_MS = 0.06; // an address keeps tenths of a ms

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
