/* Opens the best way to show single frames of a recording: WebCodecs where the browser has it, else the <video>. */

import { FrameDecoder } from "./decoder.js";
import { VideoFrames } from "./videoframes.js";

/** `place` is the answer of api/runs/<id>/playback/. Returns null where nothing can be shown. */
export async function openFrames(place, video, onframe) {
  if (place.index && (await FrameDecoder.supports(place.index))) {
    const bytes = await download(place.video);
    if (bytes) return new DecodedFrames(place, bytes, onframe);
  }
  if (!place.video) return null;
  return VideoFrames.open(place, video, onframe);
}

class DecodedFrames {
  paints = true;

  constructor(place, bytes, onframe) {
    this.bytes = bytes;
    this.index = place.index;
    this.decoder = new FrameDecoder(place.index, bytes, onframe, (error) => this.#broken(error));
    this.width = this.decoder.width;
    this.height = this.decoder.height;
  }

  has(i) {
    return this.failed || this.decoder.get(i) !== undefined;
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

  #broken(error) {
    this.failed = true; // the clock must not wait for pictures that never come
    console.warn("decoding stopped", error);
  }
}

async function download(address) {
  const answer = await fetch(address);
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
}
