/* The row of buttons below the screens. A button says what it does in data-do. */

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

export function bindTransport(page, player) {
  const stage = page.querySelector(".stage");
  const bar = page.querySelector("[data-transport]");
  const { clock } = player;
  bar.hidden = false;
  const actions = {
    play: () => clock.toggle(),
    previous: () => player.step(-1),
    following: () => player.step(1),
    action: () => player.go(0),
    response: () => player.jump("response"),
    finish: () => player.jump("finish"),
    change: () => player.nextChange(),
    loop: () => player.toggleLoop(page.state.moment),
    start: () => player.playFrom(0),
    opening: () => player.go(page.state.opening),
  };
  stage.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    actions[button?.dataset.do]?.();
    if (button && event.detail) button.blur(); // pressed with a pointer: Space goes on to play and pause
    if (button?.dataset.nudgeBy) nudge(player, ...button.dataset.nudgeBy.split(":"));
  });
  const speed = bar.querySelector("[data-speed]");
  speed.addEventListener("change", () => clock.setRate(Number(speed.value)));
  clock.addEventListener("state", () => show(bar, clock, speed));
}

/** Shift one side against the clock by refreshes. */
export function nudge(player, side, by) {
  const deck = player.decks.find((one) => one.side === side);
  if (!deck) return;
  deck.nudge += Number(by);
  player.clock.seek(player.clock.t);
  player.clock.dispatchEvent(new Event("state"));
}

/** The speed one step slower (−1) or faster (1) than now. */
export function speedBeside(rate, step) {
  const at = SPEEDS.findIndex((value) => value >= rate);
  return SPEEDS[Math.min(Math.max(at + step, 0), SPEEDS.length - 1)];
}

function show(bar, clock, speed) {
  const play = bar.querySelector('[data-do="play"]');
  play.setAttribute("aria-pressed", String(clock.playing));
  for (const icon of play.querySelectorAll("[data-icon]")) icon.hidden = (icon.dataset.icon === "pause") !== clock.playing;
  play.querySelector("[data-word]").textContent = clock.playing ? "Pause" : "Play";
  bar.querySelector('[data-do="loop"]').setAttribute("aria-pressed", String(Boolean(clock.loop)));
  speed.value = String(clock.rate);
}
