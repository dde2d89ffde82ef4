/* Frames of a recording through a <video> element: for browsers without WebCodecs, pages without https, and files
   that are played but not decoded here. A frame is reached by seeking to the middle of the time it is shown. */

export class VideoFrames {
  paints = false;
  #wanted = 0;
  #reached = -1;
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
    this.times = place.index?.time_ms ?? place.time_ms ?? [];
    this.width = video.videoWidth;
    this.height = video.videoHeight;
    video.addEventListener("seeked", () => this.#arrived());
  }

  has(i) {
    return this.#reached === i;
  }

  picture(i) {
    return this.has(i) ? this.video : undefined;
  }

  focus(i) {
    this.#wanted = i;
    if (!this.#seeking && this.#reached !== i) this.#seek();
  }

  close() {
    this.video.pause();
  }

  #seek() {
    const i = this.#wanted;
    const start = this.times[i] ?? 0;
    const end = this.times[i + 1] ?? this.video.duration * 1000;
    this.#seeking = true;
    this.target = i;
    this.video.currentTime = (start + Math.max(end, start)) / 2000;
  }

  #arrived() {
    this.#seeking = false;
    this.#reached = this.target;
    this.onframe(this.#reached);
    if (this.#wanted !== this.#reached) this.#seek();
  }
}
