/* "Not right? Drag the line." A dragged response or finish line lands on a frame of its side, and its time in the
   form of the "Why" card; the person confirms there. The forms work without this script: the time is typed in. */

export function bindCorrections(page, player, plots) {
  const layer = plots.root.querySelector("[data-flags]");
  layer.addEventListener("pointerdown", (event) => {
    const flag = event.target.closest("[data-flag]");
    if (flag) drag(flag, event, player, plots, (side, moment, time) => propose(page, side, moment, time));
  });
  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-take-cursor]");
    if (!button) return;
    const [side, moment] = button.closest("[data-correct]").dataset.correct.split(":");
    propose(page, side, moment, frameTime(player, side, player.clock.t));
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
    if (time !== null) setTimeout(() => done(side, kind, time)); // after the click, which closes open menus
  }, { once: true });
}

/* The time of the frame that this side shows when the clock says t. */
function frameTime(player, side, t) {
  const deck = player.decks.find((one) => one.side === side);
  return deck.track.times[deck.frameAt(t)];
}

function propose(page, side, moment, time) {
  const form = page.querySelector(`[data-correct="${side}:${moment}"]`);
  if (!form) return;
  form.open = true;
  const field = form.querySelector("[name=value_ms]");
  field.value = Math.max(0, time).toFixed(2);
  form.scrollIntoView({ block: "center" });
  field.focus({ preventScroll: true });
}
