// The browser's clock, until `takeClock()`; then ours: time passes in `tick(ms)` alone, and a frame is drawn at its end.
(() => {
  const own = {
    frame: window.requestAnimationFrame.bind(window),
    now: performance.now.bind(performance),
    date: Date.now.bind(Date),
    after: window.setTimeout.bind(window),
    every: window.setInterval.bind(window),
    notAfter: window.clearTimeout.bind(window),
    notEvery: window.clearInterval.bind(window),
    notFrame: window.cancelAnimationFrame.bind(window),
  };
  const PAINTS_MS = 60; // as long as the page takes over a frame: it draws with what a graphics card would do
  const OURS = 2 ** 31; // numbers of timers from here on are ours
  const start = own.date();
  let taken = false;
  let now = 0;
  let last = OURS;
  let frames = new Map();
  const timers = new Map();

  const wait = (ms) => new Promise((done) => own.after(done, ms));
  const put = (timer, number = ++last) => {
    timers.set(number, { ...timer, at: now + timer.ms });
    return number;
  };

  const stamp = Object.getOwnPropertyDescriptor(Event.prototype, "timeStamp").get;
  Object.defineProperty(Event.prototype, "timeStamp", {
    get() {
      return taken ? now : stamp.call(this); // how fast a finger was is told by these
    },
  });
  performance.now = () => (taken ? now : own.now());
  Date.now = () => (taken ? Math.floor(start + now) : own.date());
  window.requestAnimationFrame = (call) => {
    if (!taken) return own.frame(call);
    frames.set(++last, call);
    return last;
  };
  window.cancelAnimationFrame = (number) => frames.delete(number) || own.notFrame(number);
  window.setTimeout = (call, ms = 0, ...given) =>
    taken ? put({ call, given, ms }) : own.after(call, ms, ...given);
  window.setInterval = (call, ms = 0, ...given) =>
    taken ? put({ call, given, ms: Math.max(1, ms), again: true }) : own.every(call, ms, ...given);
  window.clearTimeout = (number) => timers.delete(number) || own.notAfter(number);
  window.clearInterval = (number) => timers.delete(number) || own.notEvery(number);

  window.takeClock = () => {
    now = own.now();
    taken = true;
  };
  window.tick = async (ms) => {
    const until = now + ms;
    for (;;) {
      const due = [...timers].filter(([, timer]) => timer.at <= until).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      const [number, timer] = due;
      now = Math.max(now, timer.at);
      timers.delete(number);
      if (timer.again) put(timer, number);
      timer.call(...timer.given);
      await wait(0); // what follows from it may set timers as well
    }
    now = until;
    const drawn = frames;
    frames = new Map();
    for (const call of drawn.values()) call(now);
    await wait(PAINTS_MS);
    for (let painted = 0; painted < 2; painted++) await new Promise((done) => own.frame(done));
  };
})();
