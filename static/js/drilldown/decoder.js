/* Frames of an H.264 file by their number, through WebCodecs. The server says where in the file each frame lies
   (reports/services/proxies_index.py), so there is no demuxer here: packets are slices of the bytes.
   Around the frame in focus a window of decoded pictures is kept; a step inside it costs one drawImage. */

import { chunkOf, configuration } from "./packets.js";
import { keyBefore, nextWanted } from "./window.js";

const CACHE_BYTES = 160e6;
const TALLEST_PX = 1200; // pictures are kept at most this tall; the original can be opened in full size
const IN_FLIGHT = 8;

export class FrameDecoder {
  #cache = new Map();
  #pending = new Set();
  #decoder = null;
  #next = -1; // the next packet to feed; −1: a key frame is needed first
  #flushing = false;
  #converting = 0;
  #focus = 0;
  #job = null;
  #run = 0;
  #closed = false;

  constructor(index, bytes, onframe, onerror) {
    this.index = index;
    this.bytes = bytes;
    this.onframe = onframe;
    this.onerror = onerror;
    this.configuration = configuration(index);
    this.count = index.time_ms.length;
    const scale = Math.min(1, TALLEST_PX / index.height_px);
    this.width = Math.round(index.width_px * scale);
    this.height = Math.round(index.height_px * scale);
    this.capacity = Math.max(24, Math.min(240, Math.floor(CACHE_BYTES / (this.width * this.height * 4))));
  }

  static async supports(index) {
    if (!("VideoDecoder" in window)) return false; // an address without https, or an old browser
    const answer = await VideoDecoder.isConfigSupported(configuration(index)).catch(() => null);
    return Boolean(answer?.supported);
  }

  get(i) {
    return this.#cache.get(i);
  }

  /** Whether all that is wanted around the focus has been decoded. */
  get idle() {
    return this.#inFlight() === 0 && !this.#flushing && !this.#job;
  }

  /** Say which frame is looked at; it and its surroundings will be decoded. */
  focus(i) {
    this.#focus = i;
    if (this.#job) this.#dropUselessJob();
    this.#pump();
  }

  close() {
    this.#closed = true;
    if (this.#decoder && this.#decoder.state !== "closed") this.#decoder.close();
    for (const picture of this.#cache.values()) picture.close();
    this.#cache.clear();
  }

  /* One job at a time, and to its end: a job is a stretch of frames to feed in order (see window.js). */
  #pump() {
    while (!this.#closed && !this.#flushing && this.#inFlight() < IN_FLIGHT) {
      this.#job ??= this.#nextJob();
      if (!this.#job) return;
      this.#feed();
      if (this.#next > this.#job.last || this.#next >= this.count) this.#end(this.#job);
    }
  }

  #nextJob() {
    const job = nextWanted(this.#focus, this.count, this.capacity, (i) => this.#has(i));
    if (!job) return null;
    const key = keyBefore(this.index.keys, job.first);
    if (this.#next < 0 || this.#next > job.first) this.#restart(key);
    else if (key > this.#next) this.#next = key;
    return job;
  }

  #end(job) {
    this.#job = null;
    if (job.back || this.#next >= this.count) this.#flush();
  }

  /* A job that will not bring the picture looked at is dropped for one that will. */
  #dropUselessJob() {
    const comes = this.#has(this.#focus) || (this.#next <= this.#focus && this.#focus <= this.#job.last);
    if (!comes) this.#job = null;
  }

  #inFlight() {
    return (this.#decoder?.decodeQueueSize ?? 0) + this.#converting;
  }

  #has(i) {
    return this.#cache.has(i) || this.#pending.has(i);
  }

  #restart(key) {
    this.#pending.clear();
    this.#run += 1;
    if (this.#decoder) this.#decoder.reset();
    else {
      this.#decoder = new VideoDecoder({ output: (frame) => this.#keep(frame), error: this.onerror });
      this.#decoder.addEventListener("dequeue", () => this.#pump());
    }
    this.#decoder.configure(this.configuration);
    this.#next = key;
  }

  #feed() {
    this.#decoder.decode(chunkOf(this.index, this.bytes, this.#next));
    this.#pending.add(this.#next);
    this.#next += 1;
  }

  /* The decoder may hold its last pictures back until it is flushed; after that it starts at a key frame. */
  #flush() {
    const run = this.#run;
    this.#flushing = true;
    this.#decoder
      .flush()
      .then(() => (this.#next = run === this.#run ? -1 : this.#next))
      .catch(() => {}) // reset or closed meanwhile
      .then(() => {
        this.#flushing = false;
        this.#pump();
      });
  }

  async #keep(frame) {
    const i = Math.round(frame.timestamp / 1000);
    if (Math.abs(i - this.#focus) <= this.capacity / 2) await this.#convert(i, frame);
    frame.close();
    this.#pending.delete(i);
    this.#pump();
  }

  async #convert(i, frame) {
    this.#converting += 1;
    const smaller = { resizeWidth: this.width, resizeHeight: this.height };
    const picture = await createImageBitmap(frame, this.height < this.index.height_px ? smaller : {});
    this.#converting -= 1;
    if (this.#closed) {
      picture.close();
      return;
    }
    this.#cache.get(i)?.close();
    this.#cache.set(i, picture);
    this.#evict();
    this.onframe(i);
  }

  #evict() {
    while (this.#cache.size > this.capacity) {
      let farthest = this.#focus;
      for (const i of this.#cache.keys()) {
        if (Math.abs(i - this.#focus) > Math.abs(farthest - this.#focus)) farthest = i;
      }
      this.#cache.get(farthest).close();
      this.#cache.delete(farthest);
    }
  }
}
