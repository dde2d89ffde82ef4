/* What phones show while they are filmed. `build(name, seed)` lays out a page and says when the user acts;
   `show(ms)` paints it as it is at that time. Nothing runs by itself: the clock is the caller's, so that every
   picture is known, and the same seed gives the same film. What is of the class `self` (a caret, a clock, a cursor)
   is not of the interaction: `alone(true)` hides it, so that truth leaves it out. Lengths are CSS px; a pixel of the
   film is 2/3 of one. */

let seed, painters, film;
const PX = 2 / 3;
const WORDS = 'inbox mail travel music photos paint garden river cloud stone bread window paper yellow morning market ' +
  'letter bridge winter coffee island silver engine forest planet summer';

function random() {  // mulberry32
  seed = (seed + 0x6D2B79F5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}
const between = (low, high) => low + (high - low) * random();
const whole = (low, high) => Math.floor(between(low, high + 1));
const pick = list => list[Math.floor(random() * list.length)];
const words = count => Array.from({length: count}, () => pick(WORDS.split(' '))).join(' ');
const share = (t, from, span) => Math.min(1, Math.max(0, (t - from) / span));
const eased = (t, from, span) => 1 - (1 - share(t, from, span)) ** 3;

function put(style, html = '', parent = document.body, kind = '') {
  const made = document.createElement('div');
  made.style.cssText = style;
  made.innerHTML = html;
  made.className = kind;
  parent.append(made);
  return made;
}
const paint = painter => painters.push(painter);
function appear(element, from, until = Infinity) {
  paint(t => { element.style.visibility = t >= from && t < until ? 'visible' : 'hidden'; });
  return element;
}
function fade(element, from, span, low, high) {
  paint(t => { element.style.opacity = (low + (high - low) * share(t, from, span)).toFixed(4); });
}

/* ---- the phone ---- */

function phone({photo = false} = {}) {
  document.body.innerHTML = '';
  painters = [];
  const dark = random() < 0.4, accent = pick(['#3949ab', '#00796b', '#c2185b', '#455a64', '#ef6c00']);
  const look = dark ? {back: '#16181c', card: '#24272d', ink: '#e8e8ea', faint: '#9a9ca3', accent}
    : {back: '#f6f6f8', card: '#ffffff', ink: '#1d1e22', faint: '#70727a', accent};
  document.body.style.background = look.back;
  document.body.style.color = look.ink;
  film = {action: Math.round(between(700, 1300) * 10) / 10, seconds: 3, type: 'tap', outcome: 'ok', settles: 1, note: ''};
  if (photo) { photograph(); } else { list(look, document.body, 24); }
  look.bar = put('left:0;top:0;width:360px;height:24px;background:rgba(0,0,0,.35);color:#fff;font:600 12px sans-serif;z-index:9');
  look.clock = put('left:12px;top:4px', `${whole(10, 19)}:${whole(10, 58)}`, look.bar);
  put('right:12px;top:6px;width:20px;height:11px;border:1px solid #fff;border-radius:3px', '', look.bar);
  put('right:40px;top:5px;border:7px solid transparent;border-top:12px solid #fff;border-bottom:0', '', look.bar);
  return look;
}

function list(look, parent, top) {
  put(`left:0;top:0;width:360px;height:${top + 56}px;background:${look.accent}`, '', parent);
  put(`left:20px;top:${top + 16}px;color:#fff;font:500 19px sans-serif`, words(2), parent);
  const holder = put(`left:0;top:${top + 56}px;width:360px;height:${724 - top}px;overflow:hidden`, '', parent);
  const rows = put('left:0;top:0;width:360px;height:2000px', '', holder);
  for (let row = 0; row < 22; row++) {
    const y = 8 + 72 * row;
    put(`left:16px;top:${y + 12}px;width:40px;height:40px;border-radius:50%;background:hsl(${whole(0, 360)} 45% 50%)`, '', rows);
    put(`left:72px;top:${y + 12}px;font:15px sans-serif;white-space:nowrap`, words(2), rows);
    put(`left:72px;top:${y + 34}px;font:13px sans-serif;color:${look.faint};white-space:nowrap`, words(5), rows);
    put(`left:72px;top:${y + 66}px;width:288px;height:1px;background:${look.faint};opacity:.25`, '', rows);
  }
  look.rows = rows;
}

function photograph() {  // hills of noise in six octaves, with grain: what a wallpaper looks like to an encoder
  const canvas = document.createElement('canvas'), [width, height] = [540, 1170];
  Object.assign(canvas, {width, height});
  canvas.style.cssText = 'position:absolute;left:0;top:0;width:360px;height:780px';
  const picture = canvas.getContext('2d').createImageData(width, height), hue = between(0, 3);
  const octaves = Array.from({length: 6}, (_, at) => {
    const cell = 300 / 2 ** at, columns = Math.ceil(width / cell) + 2, rows = Math.ceil(height / cell) + 2;
    return {cell, columns, values: Float32Array.from({length: columns * rows}, random), gain: 0.5 ** at};
  });
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
    let sum = 0;
    for (const {cell, columns, values, gain} of octaves) {
      const column = Math.floor(x / cell), row = Math.floor(y / cell), right = x / cell - column, down = y / cell - row;
      const at = row * columns + column, top = values[at] + (values[at + 1] - values[at]) * right;
      const low = values[at + columns] + (values[at + columns + 1] - values[at + columns]) * right;
      sum += gain * (top + (low - top) * down);
    }
    const light = 40 + 85 * sum + 10 * (random() - 0.5);
    for (const plane of [0, 1, 2]) {
      picture.data[4 * (y * width + x) + plane] = light * (0.75 + 0.25 * Math.sin(hue + 2 * plane + y / 500));
    }
    picture.data[4 * (y * width + x) + 3] = 255;
  }
  canvas.getContext('2d').putImageData(picture, 0, 0);
  document.body.append(canvas);
  for (let icon = 0; icon < 8; icon++) {
    const x = 28 + 84 * (icon % 4), y = 480 + 110 * Math.floor(icon / 4);
    put(`left:${x}px;top:${y}px;width:52px;height:52px;border-radius:14px;background:hsl(${whole(0, 360)} 60% 55%)`);
    put(`left:${x - 10}px;top:${y + 58}px;width:72px;text-align:center;color:#fff;font:11px sans-serif`, words(1));
  }
}

/* ---- what answers: each begins at `at` and returns when it ends ---- */

const answers = {
  dialog(look, at) {
    const shade = put('left:0;top:0;width:360px;height:780px;background:#000;z-index:3');
    const box = put(`left:40px;top:300px;width:280px;height:170px;border-radius:8px;background:${look.card};z-index:4`,
      `<p style="padding:0 24px;font:16px sans-serif">${words(7)}</p>`);
    fade(shade, at, 180, 0, 0.45);
    paint(t => { box.style.opacity = eased(t, at, 180).toFixed(4); box.style.scale = (0.9 + 0.1 * eased(t, at, 180)).toFixed(4); });
    return at + 180;
  },
  page(look, at) {
    const next = put(`left:0;top:0;width:360px;height:780px;background:${look.back};overflow:hidden;z-index:3`);
    list(look, next, 24);
    paint(t => { next.style.translate = `${Math.round(360 * (1 - eased(t, at, 300)))}px 0`; });
    return at + 300;
  },
  sheet(look, at) {
    const sheet = put(`left:0;top:480px;width:360px;height:300px;border-radius:16px 16px 0 0;background:${look.card};z-index:3`,
      `<p style="padding:8px 24px;font:17px sans-serif;line-height:2">${words(12)}</p>`);
    paint(t => { sheet.style.translate = `0 ${Math.round(300 * (1 - eased(t, at, 250)))}px`; });
    return at + 250;
  },
  toggle(look, at, back = Infinity) {
    const y = 92 + 72 * whole(2, 8), on = t => share(t, at, 120) - share(t, back, 120);
    const track = put(`left:306px;top:${y}px;width:40px;height:22px;border-radius:11px;background:#8a8d93`);
    const full = put(`left:306px;top:${y}px;width:40px;height:22px;border-radius:11px;background:#2e9e5b`);
    const knob = put(`left:308px;top:${y + 2}px;width:18px;height:18px;border-radius:50%;background:#fff`);
    paint(t => { full.style.opacity = on(t).toFixed(3); knob.style.translate = `${(18 * on(t)).toFixed(2)}px 0`; });
    return Number.isFinite(back) ? back + 120 : at + 120;
  },
  instant(look, at) {
    appear(put(`left:16px;top:${152 + 72 * whole(1, 6)}px;width:328px;height:64px;border-radius:6px;background:${look.accent};color:#fff`,
      `<p style="padding:0 20px;font:15px sans-serif">${words(4)}</p>`), at);
    return at;
  },
  ripple(look, at) {
    const row = put(`left:0;top:${88 + 72 * whole(1, 7)}px;width:360px;height:72px;overflow:hidden`);
    const wave = put(`left:80px;top:-64px;width:200px;height:200px;border-radius:50%;background:${look.ink}`, '', row);
    paint(t => {
      wave.style.scale = (0.2 + 1.8 * eased(t, at, 250)).toFixed(4);
      wave.style.opacity = t < at ? 0 : (0.16 * (1 - share(t, at + 250, 150))).toFixed(4);
    });
    return at + 400;
  },
};
const some = (look, at) => answers[pick(['dialog', 'page', 'sheet', 'toggle', 'instant'])](look, at);
const large = (look, at) => answers[pick(['dialog', 'page', 'sheet'])](look, at);

/* ---- what goes on beside it ---- */

function caret(x, y, width, height, colour, shown) {
  const bar = put(`left:${x}px;top:${y}px;width:${(width * PX).toFixed(3)}px;height:${height}px;background:${colour};z-index:2`,
    '', document.body, 'self');
  paint(t => { bar.style.visibility = shown(t) ? 'visible' : 'hidden'; });
  return bar;
}

function field(look, text) {
  put(`left:16px;top:120px;width:328px;height:52px;background:${look.card};border-bottom:2px solid ${look.accent}`);
  return put('left:28px;top:133px;font:18px sans-serif;white-space:pre', text);
}

function typing(look, letters, times, width = 2, period = 530) {
  const start = words(1), typed = field(look, start), phase = between(0, 2 * period);
  const bar = caret(28, 132, width, 26, pick(['#1e88e5', '#e91e63', look.ink]), t => {
    const last = times.filter(at => at <= t).pop();
    return (last === undefined ? t + phase : t - last) % (2 * period) < period;
  });
  paint(t => {
    typed.textContent = start + letters.slice(0, times.filter(at => at <= t).length);
    bar.style.left = `${28 + Math.ceil(typed.getBoundingClientRect().width) + 1}px`;
  });
}

function cursor(path) {  // [[ms, x, y], …]: at rest before the first and after the last, straight between them
  const shape = put('left:0;top:0;width:16px;height:22px;z-index:8', '<svg width="16" height="22"><path d="M1 1v17l4-4 3 7 3-1-3-7h6z" ' +
    'fill="#000" stroke="#fff" stroke-width="1.4"/></svg>', document.body, 'self');
  paint(t => {
    const after = path.findIndex(([ms]) => ms > t);
    const [from, to] = after < 0 ? [path.at(-1), path.at(-1)] : [path[Math.max(0, after - 1)], path[after]];
    const part = to[0] === from[0] ? 0 : share(t, from[0], to[0] - from[0]), smooth = part * part * (3 - 2 * part);
    shape.style.translate = `${Math.round((from[1] + (to[1] - from[1]) * smooth) / PX) * PX}px ` +
      `${Math.round((from[2] + (to[2] - from[2]) * smooth) / PX) * PX}px`;
  });
}

function spinner(x, y, size, from) {
  const ring = appear(put(`left:${x}px;top:${y}px;width:${size}px;height:${size}px;border-radius:50%;border:3px solid #9994;` +
    'border-top-color:#1e88e5;box-sizing:border-box;z-index:5', '', document.body, 'self'), from);
  paint(t => { ring.style.rotate = `${Math.round((t - from) / 2.5) % 360}deg`; });
}

function ticker(element, text, every, phase) {
  element.classList.add('self');
  paint(t => { element.textContent = text(Math.floor((t + phase) / every)); });
}

const clockwise = count => `${Math.floor(count / 60)}:${String(count % 60).padStart(2, '0')}`;
const arrow = (look, from, until) => appear(put('right:58px;top:8px;border:4px solid transparent;border-bottom:6px solid #fff;border-top:0',
  '', look.bar, 'self'), from, until);

function turning(look, at, lost) {
  const square = put(`left:100px;top:400px;width:160px;height:160px;border-radius:24px;background:${look.accent};z-index:3`);
  put('left:40px;top:40px;width:80px;height:80px;border-radius:12px;background:#fff8', '', square);
  paint(t => {
    let slot = Math.max(0, Math.floor((t - at) * 0.06 + 1e-6));
    while (lost.has(slot)) slot--;
    square.style.rotate = `${(0.7 * Math.min(slot, 90)).toFixed(2)}deg`;
  });
}

function scrolled(look, at, pixels, span) {
  paint(t => { look.rows.style.top = `${-Math.round(pixels * eased(t, at, span) / PX) * PX}px`; });
  return at + span;
}

const scenes = {};  // scenes.js, late.js and loaders.js have them

function build(name, number) {
  seed = number;
  const look = phone({photo: name === 'over_wallpaper'});
  scenes[name](look, film.action);
  show(0);
  return film;
}

function show(ms) {
  for (const painter of painters) painter(ms);
  const own = document.body.cloneNode(true), others = own.querySelectorAll('.self');
  others.forEach(element => element.remove());
  return {state: document.body.innerHTML, own: own.innerHTML, others: others.length};
}

const alone = yes => document.documentElement.classList.toggle('alone', yes);  // without what is of the class `self`
