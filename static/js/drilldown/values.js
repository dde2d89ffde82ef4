/* What the plots say of one side at a time, in numbers with their units. */

import { numberText } from "../lib/numbers.js";

export const NAMES = { base: "Baseline", new: "Updated" };

/** SSIM mean, SSIM of the worst block, and how long after the frame before the frame on the screen at t came; null where
    the run has no series. */
export function valuesAt(deck, t) {
  const series = deck.track?.series;
  if (!series?.ssim_mean) return null;
  const i = deck.frameAt(t);
  return {
    side: deck.side,
    mean: numberText(series.ssim_mean[i], 4),
    worst: numberText(series.ssim_worst[i], 2),
    gap: i > 0 ? `${numberText(series.time_ms[i] - series.time_ms[i - 1], 1)} ms` : "first frame",
  };
}

/** Write the values at the cursor of both sides. */
export function writeValues(output, player) {
  const rows = player.decks.map((deck) => valuesAt(deck, player.clock.t)).filter(Boolean);
  output.replaceChildren(...rows.map(line));
}

function line({ side, mean, worst, gap }) {
  const text = document.createElement("span");
  text.className = side;
  const name = Object.assign(document.createElement("b"), { textContent: NAMES[side] });
  text.append(name, ` SSIM ${mean}, worst ${worst}, interval ${gap}`);
  return text;
}
