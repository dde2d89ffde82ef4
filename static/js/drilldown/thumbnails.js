/* Small pictures of chosen frames, decoded in one pass over the file. */

import { chunkOf } from "./packets.js";

const QUEUE = 4;
const WAIT_MS = 10;

/** Calls `onpicture(frame number, canvas)` in order; a canvas is `height` px tall, times the screen's density.
    Works only while `idle()`, as players come first, and ends early once `stopped()`. */
export async function decodeThumbnails(frames, wanted, height, onpicture, { idle, stopped }) {
  const chosen = new Set(wanted);
  const tall = height * (window.devicePixelRatio || 1);
  const decoder = new VideoDecoder({
    output: (frame) => {
      const i = Math.round(frame.timestamp / 1000);
      if (chosen.has(i)) onpicture(i, draw(frame, tall));
      frame.close();
    },
    error: (error) => console.warn("the film strip stopped", error),
  });
  decoder.configure(frames.decoder.configuration);
  const last = wanted.at(-1) ?? -1;
  for (let i = 0; i <= last && decoder.state === "configured" && !stopped(); i += 1) {
    while (decoder.decodeQueueSize > QUEUE || !idle()) await new Promise((next) => setTimeout(next, WAIT_MS));
    decoder.decode(chunkOf(frames.index, frames.bytes, i));
  }
  if (decoder.state === "configured") await decoder.flush().catch(() => {});
  if (decoder.state !== "closed") decoder.close();
}

function draw(frame, height) {
  const canvas = document.createElement("canvas");
  canvas.height = Math.round(height);
  canvas.width = Math.max(1, Math.round((frame.displayWidth / frame.displayHeight) * height));
  canvas.getContext("2d", { alpha: false }).drawImage(frame, 0, 0, canvas.width, canvas.height);
  return canvas;
}
