/* Frames of an H.264 file by their number, through WebCodecs. The server says where in the file each frame lies
   (`index`, read_index in Python), so there is no demuxer here: packets are slices of the bytes.
   Around the frame in focus a window of decoded pictures is kept; a step inside it costs one drawImage. */

const CACHE_BYTES = 160e6;
const TALLEST_PX = 1200; // pictures are kept at most this tall; the original can be opened in full size
const IN_FLIGHT = 8;
const ATTEMPTS = 3; // at one picture: memory that is short for a moment comes back, a frame that is broken stays so

export class FrameDecoder {
  #cache = new Map();
  #pending = new Set();
  #decoder = null;
  #next = -1; // the next packet to feed; −1: a key frame is needed first
  #flushing = false;
  #converting = 0;
  #failures = new Map(); // of frames whose picture could not be kept: how often
  #focus = 0;
  #job = null;
  #run = 0;
  #closed = false;

  /** Tells `onframe` the number of a picture that has come, and `onerror` once that no more will come. */
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
    return this.#closed || (this.#inFlight() === 0 && !this.#flushing && !this.#job);
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

  #break(error) {
    if (this.#closed) return;
    this.close();
    queueMicrotask(() => this.onerror(error)); // never amid the call that asked for a frame
  }

  /* One job at a time, and to its end: a job is a stretch of frames to feed in order (see nextWanted). */
  #pump() {
    try {
      while (!this.#closed && !this.#flushing && this.#inFlight() < IN_FLIGHT) {
        this.#job ??= this.#nextJob();
        if (!this.#job) return;
        this.#feed();
        if (this.#next > this.#job.last || this.#next >= this.count) this.#end(this.#job);
      }
    } catch (error) {
      this.#break(error); // a packet that the decoder does not even take
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
      this.#decoder = new VideoDecoder({
        output: (frame) => this.#keep(frame),
        error: (error) => this.#break(error),
      });
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
    try {
      if (Math.abs(i - this.#focus) <= this.capacity / 2) await this.#convert(i, frame);
    } catch (error) {
      this.#failed(i, error);
    } finally {
      frame.close();
      this.#pending.delete(i); // a picture that failed is missing again: the next job asks for it
    }
    this.#pump();
  }

  async #convert(i, frame) {
    const smaller = { resizeWidth: this.width, resizeHeight: this.height };
    const picture = await this.#counted(createImageBitmap(frame, this.height < this.index.height_px ? smaller : {}));
    if (this.#closed) {
      picture.close();
      return;
    }
    this.#failures.delete(i);
    this.#cache.get(i)?.close();
    this.#cache.set(i, picture);
    this.#evict();
    this.onframe(i);
  }

  async #counted(conversion) {
    this.#converting += 1;
    try {
      return await conversion;
    } finally {
      this.#converting -= 1;
    }
  }

  #failed(i, error) {
    const times = (this.#failures.get(i) ?? 0) + 1;
    this.#failures.set(i, times);
    if (times >= ATTEMPTS) this.#break(error);
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

/** Packet i of the file; its timestamp says its number, so that the picture that comes out is known by it. */
export function chunkOf(index, bytes, i) {
  const data = bytes.subarray(index.offset[i], index.offset[i] + index.size[i]);
  return new EncodedVideoChunk({ type: index.keys.includes(i) ? "key" : "delta", timestamp: i * 1000, data });
}

/* What the decoder must know before the first packet. */
function configuration(index) {
  return {
    codec: index.codec,
    codedWidth: index.width_px,
    codedHeight: index.height_px,
    description: Uint8Array.from(atob(index.description), (letter) => letter.charCodeAt(0)),
    optimizeForLatency: true,
  };
}

/* The last key frame at or before frame i; `keys` rise. */
function keyBefore(keys, i) {
  let found = 0;
  for (const key of keys) {
    if (key > i) break;
    found = key;
  }
  return found;
}

/* What to decode for a focus: {first, last, back}, or null when all is there.
   Forward first: playing goes that way. Backward only when few frames are left behind, and then many at once:
   decoding has to start at a key frame each time. */
function nextWanted(focus, count, capacity, has) {
  const ahead = Math.min(count - 1, focus + Math.floor(capacity * 0.45));
  for (let i = focus; i <= ahead; i += 1) if (!has(i)) return { first: i, last: ahead, back: false };
  const near = Math.max(0, focus - Math.floor(capacity * 0.12));
  const far = Math.max(0, focus - Math.floor(capacity * 0.4));
  let missing = false;
  for (let i = focus - 1; i >= near; i -= 1) missing ||= !has(i);
  if (!missing) return null;
  let last = focus - 1;
  while (last > far && has(last)) last -= 1;
  return { first: Math.max(far, firstMissing(far, last, has)), last, back: true };
}

function firstMissing(from, to, has) {
  for (let i = from; i <= to; i += 1) if (!has(i)) return i;
  return to;
}
