/* The lines below the screens, and the word over a screen that is finished or still. */

import { clockText, distanceText } from "./texts.js";

export function bindReadouts(page, player) {
  for (const deck of player.decks) {
    const time = deck.figure.querySelector("[data-time]");
    const nudge = deck.figure.querySelector("[data-nudge]");
    const write = () => {
      if (!deck.track?.count || deck.shown < 0) return;
      time.textContent = `${clockText(deck.local(player.clock.t))} · frame ${deck.shown}`;
      nudge.textContent = deck.nudge ? `nudged ${distanceText(deck.nudge)} f` : "";
    };
    deck.addEventListener("shown", write);
    player.clock.addEventListener("tick", write);
    player.clock.addEventListener("state", write);
  }
  player.clock.addEventListener("tick", () => markFinished(player));
}

function markFinished(player) {
  const ends = player.decks.map((deck) => player.momentOf(deck, "finish"));
  player.decks.forEach((deck, i) => {
    const marker = deck.figure.querySelector("[data-marker]");
    const words = finishWords(player.clock.t, ends[i], ends[1 - i]);
    marker.hidden = !words;
    if (marker.textContent !== words) marker.textContent = words;
  });
}

/** What to say over a screen at t: it is ready while the other is not, or it became ready later. */
export function finishWords(t, own, other) {
  if (own === null || other === null || other === undefined || t < own - 0.1) return "";
  const later = own - other;
  if (later < 0) return t < other - 0.1 ? "ready, waiting for the other" : `ready ${distanceText(later)} ms`;
  return later > 0 ? `usable ${distanceText(later)} ms later` : "ready at the same time";
}
