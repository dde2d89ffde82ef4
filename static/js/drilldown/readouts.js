/* The lines below the screens, and the word over a screen that is finished or still. */

import { clockText, distanceText, numberText } from "../lib/numbers.js";

export function bindReadouts(page, player) {
  for (const deck of player.decks) {
    const write = () => {
      if (deck.track?.count && deck.shown >= 0) writeLine(deck, player.clock.t);
    };
    deck.addEventListener("shown", write);
    player.clock.addEventListener("tick", write);
    player.clock.addEventListener("state", write);
  }
  player.clock.addEventListener("tick", () => markFinished(player));
}

/* Asked for anew each time: another run brings another line. */
function writeLine(deck, t) {
  const [time, full, nudge] = ["time", "full", "nudge"].map((name) => deck.figure.querySelector(`[data-${name}]`));
  time.textContent = `${clockText(deck.local(t))} · frame ${deck.shown}`;
  nudge.textContent = deck.nudge ? `nudged ${distanceText(deck.nudge)} f` : "";
  full.href = fullSize(full.dataset.full, deck.track.series.time_ms[deck.shown]);
}

/* The picture of a frame as recorded: its address carries the time in microseconds after the first frame. */
function fullSize(pattern, timeMs) {
  return pattern.replace("/0.webp", `/${Math.round(timeMs * 1000)}.webp`);
}

function markFinished(player) {
  const ends = player.decks.map((deck) => deck.moment("finish"));
  player.decks.forEach((deck, i) => {
    const marker = deck.figure.querySelector("[data-marker]");
    const words = finishWords(player.clock.t, ends[i], ends[1 - i]);
    marker.hidden = !words;
    if (marker.textContent !== words) marker.textContent = words;
  });
}

/** What to say on a screen at t, once it is ready: how much longer the other takes, or how much later this one is. */
export function finishWords(t, own, other) {
  if (own === null || other === null || other === undefined || t < own - 0.1) return "";
  const later = own - other;
  if (later > 0) return `usable ${numberText(later)} ms later`;
  return later < 0 && t < other - 0.1 ? `ready; the other takes ${numberText(-later)} ms more` : "ready";
}
