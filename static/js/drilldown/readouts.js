/* The lines below the screens, and the word over a screen that is finished or still. */

import { clockText, distanceText, numberText } from "../lib/numbers.js";

const DROPS = "dropped_frames"; // what the page is about, where not response or finish

export function bindReadouts(page, player) {
  for (const deck of player.decks) {
    const write = () => {
      if (deck.track?.count && deck.shown >= 0) writeLine(deck, player.clock.t);
    };
    deck.addEventListener("shown", write);
    player.clock.addEventListener("tick", write);
    player.clock.addEventListener("state", write);
  }
  player.clock.addEventListener("tick", () => markReached(player, page.state));
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

function markReached(player, story) {
  for (const deck of player.decks) {
    const other = player.decks.find((one) => one !== deck);
    const marker = deck.figure.querySelector("[data-marker]");
    const said = screenWords(player.clock.t, deck, other, story);
    marker.hidden = !said;
    if (marker.textContent !== said) marker.textContent = said;
  }
}

/** What to say on a screen at t once it has responded, of the metric that leads (`about`): that it is there, and how much
    later or sooner than the other; or what it dropped, here and in all. In this pair of runs, as the sentence above
    speaks of medians. */
function screenWords(t, own, other, { about, words }) {
  const reached = ["finish", "response"].filter((kind) => own.moment(kind) !== null && t >= own.moment(kind) - 0.1);
  if (!reached.length) return "";
  if (about === DROPS) return dropWords(own.local(t), dropsOf(own), dropsOf(other));
  const atOnce = own.moment("finish") === own.moment("response") && reached.includes(about);
  return momentWords(atOnce ? about : reached[0], own, other, words);
}

function momentWords(moment, own, other, words) {
  const { reached } = words[moment];
  const apart = (own.moment(moment) ?? 0) - (other?.moment(moment) ?? own.moment(moment));
  if (Math.abs(apart) < 0.5) return reached;
  return `${reached} · in this pair: ${numberText(Math.abs(apart))} ms ${apart > 0 ? "later" : "sooner"}`;
}

function dropsOf(deck) {
  return deck?.track?.series.dropped ?? null;
}

function dropWords(local, own, other) {
  if (!own) return "";
  const all = lost(own);
  const apart = other ? all - lost(other) : 0;
  const than = apart ? `, ${numberText(Math.abs(apart))} ${apart > 0 ? "more" : "fewer"}` : "";
  const here = own.find((drop) => local >= drop.from_ms && local < drop.to_ms);
  if (here) return `${framesText(here.frames)} dropped here · in this pair: ${numberText(all)}${than}`;
  return `in this pair: ${framesText(all)} dropped${than}`;
}

function lost(drops) {
  return drops.reduce((sum, drop) => sum + drop.frames, 0);
}

function framesText(count) {
  return `${numberText(count)} ${count === 1 ? "frame" : "frames"}`;
}
