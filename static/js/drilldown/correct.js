/* "Not right? Drag the line." A dragged response or finish line lands on a frame of its side; a small form at the line asks
   to confirm, so that plots and players stay where they are. It is a copy of the form in the "Why" card, which works
   without this script: there the time is typed in, or taken from the cursor. */

import { NAMES } from "./values.js";

export function bindCorrections(page, player, plots) {
  const layer = plots.root.querySelector("[data-flags]");
  if ("fixed" in layer.dataset) return; // of somebody who may not correct
  layer.addEventListener("pointerdown", (event) => {
    const flag = event.target.closest("[data-flag]");
    if (flag) drag(flag, event, player, plots, (side, moment, time) => propose(page, plots, side, moment, time));
  });
  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-take-cursor]");
    if (!button) return;
    const form = button.closest("[data-correct]");
    const [side] = form.dataset.correct.split(":");
    form.querySelector("[name=value_ms]").value = fieldText(frameTime(player, side, player.clock.t));
  });
}

function drag(flag, event, player, plots, done) {
  event.preventDefault();
  event.stopPropagation(); // the cursor stays where it is until the line moves
  const { side, kind } = flag.dataset;
  flag.setPointerCapture(event.pointerId);
  player.clock.pause();
  let time = null;
  const move = (moved) => {
    const t = plots.toTime(moved.clientX - plots.box.getBoundingClientRect().left);
    time = frameTime(player, side, t);
    player.clock.seek(t);
    flag.style.transform = `translateX(${plots.toPixels(time)}px)`;
  };
  flag.addEventListener("pointermove", move);
  flag.addEventListener("pointerup", () => {
    flag.removeEventListener("pointermove", move);
    if (time !== null) done(side, kind, time);
  }, { once: true });
}

/* The time of the frame that this side shows when the clock says t. */
function frameTime(player, side, t) {
  const deck = player.decks.find((one) => one.side === side);
  return deck.track.times[deck.frameAt(t)];
}

function fieldText(time) {
  return Math.max(0, time).toFixed(2);
}

function propose(page, plots, side, moment, time) {
  const panel = plots.root.querySelector("[data-proposal]");
  const form = page.querySelector(`[data-correct="${side}:${moment}"] form`)?.cloneNode(true);
  if (!form) return;
  const words = `${NAMES[side]}: ${plots.wordOf(moment)} moved`;
  const title = Object.assign(document.createElement("b"), { textContent: words, className: side });
  form.className = "";
  form.querySelector("[data-needs-script]")?.remove();
  form.querySelector("[name=value_ms]").value = fieldText(time);
  const cancel = Object.assign(document.createElement("button"), { type: "button", className: "button-small" });
  cancel.textContent = "Cancel";
  const row = Object.assign(document.createElement("div"), { className: "row" });
  form.append(row);
  row.append(form.querySelector("button:not([type])"), cancel);
  panel.replaceChildren(title, form);
  panel.hidden = false;
  const x = plots.toPixels(time) + 8;
  panel.style.transform = `translateX(${Math.max(0, Math.min(x, plots.box.clientWidth - panel.offsetWidth))}px)`;
  const close = () => {
    panel.hidden = true;
    plots.restoreFlags();
  };
  cancel.addEventListener("click", close);
  panel.onkeydown = (event) => event.key === "Escape" && close();
  form.querySelector("[name=value_ms]").focus({ preventScroll: true });
}
