/* Two pictures in one canvas. */

const DOUBLINGS = 2; // a difference of 1 level is invisible; four times as much is seen

/** Left of `split` (0 to 1) the first picture, right of it the second. */
export function drawWipe(canvas, first, second, split) {
  const pen = canvas.getContext("2d", { alpha: false });
  const { width, height } = canvas;
  const at = Math.round(width * split);
  pen.globalCompositeOperation = "source-over";
  pen.drawImage(first, 0, 0, width, height);
  pen.save();
  pen.beginPath();
  pen.rect(at, 0, width - at, height);
  pen.clip();
  pen.drawImage(second, 0, 0, width, height);
  pen.restore();
}

/** |first − second| per colour, made four times as strong: black where the sides show the same. */
export function drawDifference(canvas, first, second) {
  const pen = canvas.getContext("2d", { alpha: false });
  const { width, height } = canvas;
  pen.globalCompositeOperation = "source-over";
  pen.drawImage(first, 0, 0, width, height);
  pen.globalCompositeOperation = "difference";
  pen.drawImage(second, 0, 0, width, height);
  pen.globalCompositeOperation = "lighter";
  for (let i = 0; i < DOUBLINGS; i += 1) pen.drawImage(canvas, 0, 0);
  pen.globalCompositeOperation = "source-over";
}
