/* Frames of a recording through a <video> element: for browsers without WebCodecs and for pages without https.
   Standing, a frame is reached by seeking to the middle of the time it is shown: exact, but slower. Playing, the
   element plays by itself and is led along the clock: it may be a refresh or two off (docs/adr/0005-players.md). */

const FAR_S = 0.08; // jump
const NEAR_S = 0.004; // leave alone

export class VideoFrames {
  paints = false;
  leads = false; // true while the element plays by itself
  #wanted = 0;
  #reached = -1;
  #target = 0;
  #seeking = false;

  static async open(place, video, onframe) {
    video.preload = "auto";
    video.src = place.video;
    await new Promise((done) => {
      for (const event of ["loadeddata", "error"]) video.addEventListener(event, done, { once: true });
      video.load();
    });
    return video.error ? null : new VideoFrames(place, video, onframe);
  }

  constructor(place, video, onframe) {
    this.video = video;
    this.onframe = onframe;
    this.times = place.index?.time_ms ?? [];
    this.width = video.videoWidth;
    this.height = video.videoHeight;
    video.addEventListener("seeked", () => this.#arrived());
  }

  has(i) {
    return this.leads || this.#reached === i;
  }

  picture(i) {
    return this.has(i) ? this.video : undefined;
  }

  focus(i) {
    this.#wanted = i;
    if (!this.leads && !this.#seeking && this.#reached !== i) this.#seek();
  }

  /** Play along the clock: `time` is where the recording should be, in ms after its first frame. */
  follow(time, rate) {
    const ahead = this.video.currentTime - time / 1000;
    this.leads = true;
    this.#reached = -1;
    if (Math.abs(ahead) > FAR_S) this.video.currentTime = time / 1000;
    this.video.playbackRate = Math.abs(ahead) < NEAR_S ? rate : rate * Math.min(Math.max(1 - 4 * ahead, 0.7), 1.3);
    if (this.video.paused) this.video.play().catch(() => {});
  }

  stand() {
    if (!this.leads) return;
    this.leads = false;
    this.video.pause();
    this.focus(this.#wanted);
  }

  close() {
    this.video.pause();
  }

  #seek() {
    const i = (this.#target = this.#wanted);
    const start = this.times[i] ?? 0;
    const end = this.times[i + 1] ?? this.video.duration * 1000;
    this.#seeking = true;
    this.video.currentTime = (start + Math.max(end, start)) / 2000;
  }

  #arrived() {
    this.#seeking = false;
    if (this.leads) return;
    this.#reached = this.#target;
    this.onframe(this.#reached);
    if (this.#wanted !== this.#reached) this.#seek();
  }
}
