/* Both videos of a report on the clock of the drill-down. This page opens from disk, where a browser loads no modules: the
   server writes the modules below and this file into it as one script (reports/bugreport/page.py). */

import { distanceText } from "js/lib/numbers.js";
import { Side, Timeline, Track } from "js/lib/timeline.js";

(() => {
  const clocks = JSON.parse(document.getElementById("clocks").textContent);
  const at = (id) => document.getElementById(id);
  const FAR_S = 0.15; // a video this far off the clock is sought, a nearer one is led
  const BEFORE_MS = 300; // what is played before the action
  const LONGEST_INSIDE_MS = 8;
  const WITHIN_FIRST_S = 0.001; // no first picture is shorter; not 0, for a seek to the time that is shown brings no picture

  const sides = [...document.querySelectorAll("[data-side]")].flatMap((box) => {
    const series = clocks.sides[box.dataset.side];
    const video = box.querySelector("video");
    if (!series || !video) return [];
    const parts = { track: new Track(series), video, said: box.querySelector("[data-frame]") };
    return [Object.assign(new Side(), parts, { first: 0, frame: -1, ready: false })];
  });
  if (!sides.length) return;

  const line = new Timeline(sides);
  const { clock } = line;
  line.refit();
  const { from: low, to: high } = clock.range;
  clock.played = { from: Math.max(low, -BEFORE_MS), to: Math.min(high, clocks.end || high) };

  // The middle of the time that a frame stands: no rounding of any player shows its neighbour.
  function inside(side, frame) {
    const times = side.track.series.time_ms;
    const gap = frame + 1 < times.length ? times[frame + 1] - times[frame] : 2;
    return side.first + (times[frame] + Math.min(gap / 2, LONGEST_INSIDE_MS)) / 1000;
  }

  function say() {
    at("clock").textContent = `${distanceText(clock.t)} ms`;
    at("scrub").value = clock.t;
    const cursor = at("cursor");
    if (cursor) {
      cursor.hidden = clock.t < clocks.start || clock.t > clocks.end;
      cursor.style.left = `${(100 * (clock.t - clocks.start)) / (clocks.end - clocks.start)}%`;
    }
    for (const side of sides) if (side.ready) side.said.textContent = `frame ${side.frameAt(clock.t)}`;
  }

  // Standing, a video is at the frame of the clock's time.
  function stand() {
    for (const side of sides) {
      const frame = side.frameAt(clock.t);
      if (side.ready && frame !== side.frame) side.video.currentTime = inside(side, frame);
      side.frame = frame;
    }
  }

  // Keep a playing video on the clock: small differences by its speed, large ones by a seek. Tells whether it is there:
  // until it is the clock holds, or a slow machine would have played to the end before the pictures come.
  function follow(side, t) {
    const { video, track } = side;
    if (!side.ready || t < track.from || t > track.to) {
      if (!video.paused) video.pause();
      return true;
    }
    const late = (t + track.series.action_ms) / 1000 + side.first - video.currentTime;
    if (Math.abs(late) > FAR_S && !video.seeking) video.currentTime += late;
    video.playbackRate = clock.rate * (1 + Math.min(Math.max(late * 2, -0.2), 0.2));
    const pausedMeanwhile = (error) => error.name === "AbortError";
    if (video.paused && !video.ended) video.play().catch((error) => pausedMeanwhile(error) || lose(side));
    return video.ended || (!video.seeking && video.readyState > HTMLMediaElement.HAVE_CURRENT_DATA);
  }

  // The clock must not wait for a video that will not play.
  function lose(side) {
    side.ready = false;
    side.said.textContent = "this browser cannot play the file";
  }

  function turned() {
    document.querySelector("[data-do=play]").textContent = clock.playing ? "Pause" : "Play";
    if (clock.playing) return;
    for (const side of sides) {
      side.video.pause();
      side.frame = -1;
    }
    stand();
  }

  clock.ready = (t) => sides.map((side) => follow(side, t)).every(Boolean);
  clock.addEventListener("state", turned);
  clock.addEventListener("tick", () => {
    if (!clock.playing) stand();
    say();
  });

  const deeds = {
    play: () => clock.toggle(),
    back: () => line.step(-1),
    on: () => line.step(1),
    start: () => line.playFrom(0),
    action: () => line.go(0),
    response: () => line.jump("response"),
    finish: () => line.jump("finish"),
  };
  const keys = { " ": "play", p: "start", ",": "back", ".": "on", a: "action", r: "response", f: "finish" };

  for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", deeds[button.dataset.do]);
  document.addEventListener("keydown", (event) => {
    const deed = keys[event.key.toLowerCase()];
    if (!deed || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, select, a, pre")) return;
    event.preventDefault();
    deeds[deed]();
  });
  at("scrub").min = Math.max(low, clocks.start);
  at("scrub").max = Math.min(high, clocks.end);
  at("scrub").addEventListener("input", (event) => line.go(Number(event.target.value)));
  at("speed").addEventListener("change", () => clock.setRate(Number(at("speed").value)));
  for (const link of document.querySelectorAll("[data-seek]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      line.go(Number(link.dataset.seek));
      at("stage").scrollIntoView({ block: "nearest" });
    });
  }
  const plot = at("plot");
  if (plot) {
    const seek = (event) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const box = plot.querySelector(".over").getBoundingClientRect();
      line.go(clocks.start + ((event.clientX - box.left) / box.width) * (clocks.end - clocks.start));
    };
    plot.addEventListener("pointerdown", seek);
    plot.addEventListener("pointermove", seek);
  }

  // A recorder's first frame need not have the time 0: the first picture that a player shows tells. One that it showed
  // before it was asked, while this script was still read, it shows again after a seek.
  function ask(side) {
    const { video } = side;
    const showAgain = () => {
      if (!side.ready) video.currentTime = WITHIN_FIRST_S;
    };
    video.requestVideoFrameCallback((_, shown) => ready(side, shown.mediaTime));
    whenLoaded(video, () => requestAnimationFrame(() => requestAnimationFrame(showAgain)));
  }

  function ready(side, first) {
    Object.assign(side, { first, frame: -1, ready: true });
    stand();
    say();
  }

  function whenLoaded(video, then) {
    if (video.readyState > 1) then();
    else video.addEventListener("loadeddata", then, { once: true });
  }

  for (const side of sides) {
    const { video } = side;
    video.controls = false;
    video.addEventListener("click", deeds.play);
    if (video.requestVideoFrameCallback) ask(side);
    else whenLoaded(video, () => ready(side, 0));
    video.addEventListener("error", () => lose(side));
  }
  at("transport").hidden = false;
  line.go(clocks.at);
})();
