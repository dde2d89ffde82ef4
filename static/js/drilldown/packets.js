/* From the index that the server sends (reports/services/proxies_index.py) to what a VideoDecoder takes. */

/** Packet i of the file; its timestamp says its number, so that the picture that comes out is known by it. */
export function chunkOf(index, bytes, i) {
  const data = bytes.subarray(index.offset[i], index.offset[i] + index.size[i]);
  return new EncodedVideoChunk({ type: index.keys.includes(i) ? "key" : "delta", timestamp: i * 1000, data });
}

/** What the decoder must know before the first packet. */
export function configuration(index) {
  return {
    codec: index.codec,
    codedWidth: index.width_px,
    codedHeight: index.height_px,
    description: Uint8Array.from(atob(index.description), (letter) => letter.charCodeAt(0)),
    optimizeForLatency: true,
  };
}
