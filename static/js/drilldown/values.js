/* What the plots say under the cursor, in numbers, for both sides. */

import { numberText } from "./texts.js";

export function writeValues(output, player) {
  output.replaceChildren(...player.decks.flatMap((deck) => line(deck, player.clock.t)));
}

function line(deck, t) {
  const series = deck.track?.series;
  if (!series?.ssim_mean) return [];
  const i = deck.frameAt(t);
  const gap = i > 0 ? `${numberText(series.time_ms[i] - series.time_ms[i - 1], 1)} ms` : "–";
  const text = document.createElement("span");
  text.className = deck.side;
  const [mean, worst] = [numberText(series.ssim_mean[i], 4), numberText(series.ssim_worst[i], 2)];
  text.textContent = `${mean}, worst ${worst}, ${gap}`;
  text.title = "SSIM mean, worst block, interval to the frame before";
  return [text];
}
