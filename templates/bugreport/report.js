// Both videos on one clock whose zero is the user's action; each side steps by its own frame times.
"use strict";
(() => {
  const clocks = JSON.parse(document.getElementById("clocks").textContent);
  const at = (id) => document.getElementById(id);
  const GAP = 0.06; // ms: times are rounded
  const sides = [...document.querySelectorAll("[data-side]")].flatMap((box) => {
    const clock = clocks.sides[box.dataset.side];
    const video = box.querySelector("video");
    return clock && video ? [{ ...clock, video, first: 0, frame: -1, ready: false, said: box.querySelector("[data-frame]") }] : [];
  });
  if (!sides.length) return;

  const span = (side) => [-side.action, side.times.at(-1) - side.action];
  const low = Math.min(...sides.map((side) => span(side)[0]));
  const high = Math.max(...sides.map((side) => span(side)[1]));
  const view = [Math.max(low, clocks.start), Math.min(high, clocks.end)];
  let now = 0;
  let playing = null;

  function frameAt(side, t) {
    let [from, to] = [0, side.times.length - 1];
    while (from < to) {
      const middle = Math.ceil((from + to) / 2);
      if (side.times[middle] - side.action <= t + GAP) from = middle;
      else to = middle - 1;
    }
    return from;
  }

  // The middle of the time that a frame stands: no rounding of any player shows its neighbour.
  function inside(side, frame) {
    const here = side.times[frame];
    const gap = frame + 1 < side.times.length ? side.times[frame + 1] - here : 2;
    return side.first + (here + Math.min(gap / 2, 8)) / 1000;
  }

  function label(t) {
    const whole = Math.round(t);
    return `${whole > 0 ? "+" : whole < 0 ? "−" : ""}${Math.abs(whole)} ms`;
  }

  function say() {
    at("clock").textContent = label(now);
    at("scrub").value = now;
    const cursor = at("cursor");
    if (cursor) {
      cursor.hidden = now < clocks.start || now > clocks.end;
      cursor.style.left = `${(100 * (now - clocks.start)) / (clocks.end - clocks.start)}%`;
    }
    for (const side of sides) if (side.ready) side.said.textContent = `frame ${frameAt(side, now)}`;
  }

  function show(t) {
    now = Math.min(Math.max(t, low), high);
    for (const side of sides) {
      const frame = frameAt(side, now);
      if (side.ready && frame !== side.frame) side.video.currentTime = inside(side, frame);
      side.frame = frame;
    }
    say();
  }

  function pause() {
    if (!playing) return;
    playing = null;
    document.querySelector("[data-do=play]").textContent = "Play";
    for (const side of sides) {
      side.video.pause();
      side.frame = -1;
    }
    show(now);
  }

  function play() {
    const end = Math.min(high, clocks.end || high);
    if (now >= end - 1) show(Math.max(low, -300));
    playing = { end, from: now, since: performance.now(), rate: Number(at("speed").value) };
    document.querySelector("[data-do=play]").textContent = "Pause";
    for (const side of sides) side.video.playbackRate = playing.rate;
    requestAnimationFrame(tick);
  }

  function tick() {
    if (!playing) return;
    now = playing.from + (performance.now() - playing.since) * playing.rate;
    if (now >= playing.end) {
      now = playing.end;
      pause();
      return;
    }
    for (const side of sides) follow(side);
    say();
    requestAnimationFrame(tick);
  }

  // Keep a playing video on the clock: small differences by its speed, large ones by a seek.
  function follow(side) {
    const [from, to] = span(side);
    const { video } = side;
    if (!side.ready || now < from || now > to) {
      if (!video.paused) video.pause();
      return;
    }
    const late = (now + side.action) / 1000 + side.first - video.currentTime;
    if (Math.abs(late) > 0.15 && !video.seeking) video.currentTime += late;
    video.playbackRate = playing.rate * (1 + Math.min(Math.max(late * 2, -0.2), 0.2));
    if (video.paused && !video.ended) video.play().catch(() => {});
  }

  function step(by) {
    pause();
    const moments = sides.map((side) => {
      const next = frameAt(side, now) + by;
      return next >= 0 && next < side.times.length ? side.times[next] - side.action : by * Infinity;
    });
    const back = sides.map((side) => side.times[frameAt(side, now)] - side.action).filter((t) => t < now - GAP);
    const target = by > 0 ? Math.min(...moments) : Math.max(...back, ...moments);
    if (Number.isFinite(target)) show(target);
  }

  function jump(name) {
    pause();
    const found = sides.map((side) => side[name]).filter((value) => value != null);
    const later = found.filter((value) => value > now + GAP);
    if (found.length) show(later.length ? Math.min(...later) : Math.min(...found));
  }

  const deeds = {
    play: () => (playing ? pause() : play()),
    back: () => step(-1),
    on: () => step(1),
    action: () => { pause(); show(0); },
    response: () => jump("response"),
    finish: () => jump("finish"),
  };
  const keys = { " ": "play", k: "play", ",": "back", ".": "on", a: "action", r: "response", f: "finish" };

  for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", deeds[button.dataset.do]);
  document.addEventListener("keydown", (event) => {
    const deed = keys[event.key.toLowerCase()];
    if (!deed || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, select, a, pre")) return;
    event.preventDefault();
    deeds[deed]();
  });
  at("scrub").min = view[0];
  at("scrub").max = view[1];
  at("scrub").addEventListener("input", (event) => { pause(); show(Number(event.target.value)); });
  at("speed").addEventListener("change", () => { if (playing) { pause(); play(); } });
  for (const link of document.querySelectorAll("[data-seek]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      pause();
      show(Number(link.dataset.seek));
      at("stage").scrollIntoView({ block: "nearest" });
    });
  }
  const plot = at("plot");
  if (plot) {
    const seek = (event) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const box = plot.querySelector(".over").getBoundingClientRect();
      pause();
      show(clocks.start + ((event.clientX - box.left) / box.width) * (clocks.end - clocks.start));
    };
    plot.addEventListener("pointerdown", seek);
    plot.addEventListener("pointermove", seek);
  }

  // A recorder's first frame need not have the time 0: the first picture that a player shows tells.
  function ready(side, first) {
    Object.assign(side, { first, frame: -1, ready: true });
    show(now);
  }

  for (const side of sides) {
    const { video } = side;
    video.controls = false;
    video.addEventListener("click", deeds.play);
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback((_, shown) => ready(side, shown.mediaTime));
    else if (video.readyState > 1) ready(side, 0);
    else video.addEventListener("loadeddata", () => ready(side, 0), { once: true });
    video.addEventListener("error", () => { side.said.textContent = "this browser cannot play the file"; });
  }
  at("transport").hidden = false;
  say();
})();
