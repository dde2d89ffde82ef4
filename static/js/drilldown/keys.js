/* The keyboard of the drill-down; drilldown/keys.html tells people. */

import { isTyping } from "../lib/keys.js";
import { speedBeside } from "./transport.js";

export function bindKeys(page) {
  const { player, plots, views, marker } = page;
  const { clock } = player;
  const keys = {
    " ": () => clock.toggle(),
    p: () => player.playFrom(0),
    t: () => player.go(page.state.opening),
    ",": () => player.step(-1),
    ".": () => player.step(1),
    ArrowLeft: (event) => (event.shiftKey ? clock.seek(clock.t - 1000) : player.step(-1)),
    ArrowRight: (event) => (event.shiftKey ? clock.seek(clock.t + 1000) : player.step(1)),
    "[": () => clock.setRate(speedBeside(clock.rate, -1)),
    "]": () => clock.setRate(speedBeside(clock.rate, 1)),
    a: () => player.go(0),
    r: () => player.jump("response"),
    f: () => player.jump("finish"),
    n: () => player.nextChange(),
    o: () => player.toggleLoop(page.state.moment),
    1: () => choose(player, "base"),
    2: () => choose(player, "new"),
    "+": () => plots.zoomBy(2),
    "-": () => plots.zoomBy(0.5),
    0: () => plots.fit(),
    v: () => views.next(),
    m: () => marker.toggle(),
    j: () => follow(page, page.state.next),
    k: () => follow(page, page.state.previous),
  };
  document.addEventListener("keydown", (event) => {
    const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || isTyping(event) || document.querySelector("dialog[open]")) return;
    if (event.key === " " && event.target.closest?.("button, summary")) return; // it presses that one
    event.preventDefault();
    action(event);
  });
}

function choose(player, side) {
  player.active = player.active === side ? null : side;
  for (const deck of player.decks) deck.figure.dataset.active = String(deck.side === player.active);
}

function follow(page, address) {
  if (address) location.assign(page.address.carry(address));
}
