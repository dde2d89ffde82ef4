/* Single frames of a recording: asks the server how a run can be shown, has a proxy made where one is needed, and opens
   the best way that the browser has: WebCodecs, else the <video>. */

import { Failure, ask, askBytes, post, probe } from "../lib/ask.js";
import { DONE, MOVED, poll } from "../lib/poll.js";
import { FrameDecoder } from "./decoder.js";

const POLL_MS = 600;
const SELDOM_MS = 10_000; // a long queue is not asked more often than this
const FAR_S = 0.08; // a playing <video> this far off the clock jumps
const NEAR_S = 0.004; // and one this near is left alone
const LATE_MS = 500; // a picture that is not announced by then is there: some browsers announce none that stays the same

/** Resolves to the answer that says ready, failed or missing; tells `onprogress` the percent while a proxy is made. */
export async function awaitPlayback(address, onprogress, signal) {
  let place, percent;
  const look = async () => {
    place = await ask(address, { signal });
    if (place.state === "wanted") await post(place.proxy, {}, { signal });
    else if (place.state !== "making") return DONE;
    const before = percent;
    percent = place.progress_pct ?? 0;
    if (!signal.aborted) onprogress(percent);
    return percent === before ? undefined : MOVED;
  };
  await poll(look, { least: POLL_MS, most: SELDOM_MS, signal });
  return place;
}

/** Where the answer says that a proxy would step quicker: have it made, and resolve to it (null if there is none). */
export async function awaitQuicker(address, place, signal) {
  if (!place.proxy) return null;
  let state;
  const look = async () => {
    ({ state } = await post(place.proxy, {}, { signal }));
    return state === "making" ? undefined : DONE;
  };
  await poll(look, { least: POLL_MS, most: SELDOM_MS, signal });
  if (state !== "wanted") return null; // "wanted" again: it is done
  const better = await ask(address, { signal });
  return better.state === "ready" && !better.proxy ? better : null;
}

/** `place` is the answer of api/runs/<id>/playback/. Tells `onframe` the number of a frame that has come, and `onbroken`
    once if frames stop coming; with `decode: false` only the <video> is tried. Throws a Failure. */
export async function openFrames(place, video, { onframe, onbroken, signal, decode = true }) {
  if (!place.video) throw new Failure("recording", place.message);
  if (decode && place.index && (await FrameDecoder.supports(place.index))) {
    return new DecodedFrames(place, await askBytes(place.video, { signal }), onframe, onbroken);
  }
  return VideoFrames.open(place, video, { onframe, onbroken, signal });
}

class DecodedFrames {
  paints = true;

  constructor(place, bytes, onframe, onbroken) {
    this.bytes = bytes;
    this.index = place.index;
    this.decoder = new FrameDecoder(place.index, bytes, onframe, (error) => {
      console.warn("decoding stopped", error);
      onbroken();
    });
    this.width = this.decoder.width;
    this.height = this.decoder.height;
  }

  has(i) {
    return this.decoder.get(i) !== undefined;
  }

  picture(i) {
    return this.decoder.get(i);
  }

  focus(i) {
    this.decoder.focus(i);
  }

  close() {
    this.decoder.close();
  }
}

/* For browsers without WebCodecs, for pages without https, and for files that WebCodecs gave up.
   Standing, a frame is reached by seeking to the middle of the time it is shown: exact, but slower. That the seek has
   ended ("seeked") does not say that its picture can be drawn: that is waited for as well. Playing, the element plays by
   itself and is led along the clock: it may be a refresh or two off (docs/adr/0005-players.md). */
class VideoFrames {
  paints = false;
  leads = false; // true while the element plays by itself
  #wanted = 0;
  #reached = -1;
  #target = 0;
  #sought = null; // while a frame is sought: resolves when its picture can be drawn
  #closed = new AbortController();

  static async open(place, video, { onframe, onbroken, signal }) {
    video.preload = "auto";
    video.src = place.video;
    await new Promise((done) => {
      for (const event of ["loadeddata", "error"]) video.addEventListener(event, done, { once: true });
      signal.addEventListener("abort", done, { once: true });
      video.load();
    });
    if (video.error) {
      await probe(place.video, { signal }); // the element does not tell a lost session from a file it cannot play
      throw new Failure("browser");
    }
    return new VideoFrames(place, video, onframe, onbroken);
  }

  constructor(place, video, onframe, onbroken) {
    this.video = video;
    this.onframe = onframe;
    this.times = place.index?.time_ms ?? [];
    this.width = video.videoWidth;
    this.height = video.videoHeight;
    const { signal } = this.#closed;
    video.addEventListener("seeked", () => this.#arrived(), { signal });
    video.addEventListener("error", onbroken, { signal });
  }

  has(i) {
    return this.leads || this.#reached === i;
  }

  picture(i) {
    return this.has(i) ? this.video : undefined;
  }

  focus(i) {
    this.#wanted = i;
    if (!this.leads && !this.#sought && this.#reached !== i) this.#seek();
  }

  /** Play along the clock: `time` is where the recording should be, in ms after its first frame. */
  follow(time, rate) {
    const ahead = this.video.currentTime - time / 1000;
    this.leads = true;
    this.#reached = -1;
    this.#sought = null;
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
    this.#closed.abort();
    this.#sought = null;
    this.video.pause();
  }

  #seek() {
    const i = (this.#target = this.#wanted);
    const start = (this.times[i] ?? 0) / 1000;
    const end = Math.max(this.times[i + 1] / 1000 || this.video.duration, start);
    const half = (end - start) / 2;
    const early = Math.min(NEAR_S, half); // so much sooner a picture may say that it is: times are rounded
    const fits = (time) => half === 0 || (time >= start - early && time < end - early);
    const sought = presented(this.video, fits, () => this.#sought === sought);
    this.#sought = sought;
    this.video.currentTime = start + half;
  }

  async #arrived() {
    const sought = this.#sought;
    await Promise.race([sought, new Promise((done) => setTimeout(done, LATE_MS))]);
    if (!sought || sought !== this.#sought) return; // led along, closed, or another one meanwhile
    this.#sought = null;
    this.#reached = this.#target;
    this.onframe(this.#reached);
    if (this.#wanted !== this.#reached) this.#seek();
  }
}

/* Resolves when the element has a picture whose time fits (seconds in its file), as long as it is `asked` for; at once in
   a browser that does not tell. */
async function presented(video, fits, asked) {
  if (!video.requestVideoFrameCallback) return;
  let time;
  do time = await new Promise((done) => video.requestVideoFrameCallback((_, about) => done(about.mediaTime)));
  while (!fits(time) && asked());
}
