/* Small pictures of chosen frames, decoded in one pass over the file. */

const QUEUE = 4;
const WAIT_MS = 10;

/** Works only while `idle()`: players come first. Calls `onpicture(frame number, canvas)` in order; the canvas is `height` px tall, times the screen's density. */
export async function decodeThumbnails(frames, wanted, height, onpicture, idle) {
  const { index, bytes } = frames;
  const chosen = new Set(wanted);
  const decoder = new VideoDecoder({
    output: (frame) => {
      const i = Math.round(frame.timestamp / 1000);
      if (chosen.has(i)) onpicture(i, draw(frame, height * (window.devicePixelRatio || 1)));
      frame.close();
    },
    error: () => {},
  });
  decoder.configure(frames.decoder.configuration);
  const last = wanted.at(-1) ?? -1;
  for (let i = 0; i <= last && decoder.state === "configured"; i += 1) {
    while (decoder.decodeQueueSize > QUEUE || !idle()) await new Promise((next) => setTimeout(next, WAIT_MS));
    const data = bytes.subarray(index.offset[i], index.offset[i] + index.size[i]);
    decoder.decode(new EncodedVideoChunk({ type: index.keys.includes(i) ? "key" : "delta", timestamp: i * 1000, data }));
  }
  await decoder.flush();
  decoder.close();
}

function draw(frame, height) {
  const canvas = document.createElement("canvas");
  canvas.height = Math.round(height);
  canvas.width = Math.max(1, Math.round((frame.displayWidth / frame.displayHeight) * height));
  canvas.getContext("2d", { alpha: false }).drawImage(frame, 0, 0, canvas.width, canvas.height);
  return canvas;
}
