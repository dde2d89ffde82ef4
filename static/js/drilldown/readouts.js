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
  player.clock.addEventListener("tick", () => markReached(player, page.state.words));
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

function markReached(player, words) {
  for (const deck of player.decks) {
    const other = player.decks.find((one) => one !== deck);
    const marker = deck.figure.querySelector("[data-marker]");
    const said = reachedWords(player.clock.t, deck, other, words);
    marker.hidden = !said;
    if (marker.textContent !== said) marker.textContent = said;
  }
}

/** What to say on a screen at t, once it has responded or is ready, and by how much it is later or sooner than the
    other: in this pair of runs, as the sentence above speaks of medians. */
function reachedWords(t, own, other, words) {
  const moment = ["finish", "response"].find((kind) => own.moment(kind) !== null && t >= own.moment(kind) - 0.1);
  if (!moment) return "";
  const { reached } = words[moment];
  const apart = (own.moment(moment) ?? 0) - (other?.moment(moment) ?? own.moment(moment));
  if (Math.abs(apart) < 0.5) return reached;
  return `${reached} · in this pair: ${numberText(Math.abs(apart))} ms ${apart > 0 ? "later" : "sooner"}`;
}
