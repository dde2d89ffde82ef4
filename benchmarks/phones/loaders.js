/* More scenes (stage.js has the stage): what apps show while they load, in rounds up to the end of the recording, and
   beside them what takes its place. */

const round = (t, from, period) => 2 * Math.PI * (t - from) / period;
const onGrid = length => Math.round(length / PX) * PX;

function drop(look, x, y, size, from, until, way) {  // a dot that is moved by `way`, from when until when
  const dot = put(`left:${x}px;top:${y}px;width:${size}px;height:${size}px;border-radius:50%;background:${look.accent};z-index:5`, '', document.body, 'self');
  paint(t => {
    const [right, down] = way(t);
    dot.style.visibility = t >= from && t < until ? 'visible' : 'hidden';
    dot.style.translate = `${onGrid(right)}px ${onGrid(down)}px`;
  });
}

const loaders = {
  circles(look, from, until) {
    const [period, radius] = [between(700, 1500), between(18, 44)];
    drop(look, 174, 560, 12, from, until, t => [radius * Math.cos(round(t, from, period)), radius * Math.sin(round(t, from, period))]);
  },
  toAndFro(look, from, until) {
    const [period, reach] = [between(800, 1700), between(30, 70)];
    drop(look, 174, 560, 12, from, until, t => [reach * Math.sin(round(t, from, period)), 0]);
  },
  jumps(look, from, until) {  // three dots, one after the other; then all of them wait
    const period = between(900, 1500);
    for (const number of [0, 1, 2]) {
      drop(look, 156 + 18 * number, 560, 10, from, until, t => {
        const done = Math.max(0, (t - from) / period - 0.15 * number) % 1;
        return [0, done < 0.4 ? -14 * Math.sin(Math.PI * done / 0.4) : 0];
      });
    }
  },
  shimmer(look, from, until) {  // a light that goes over the boxes of a page, and begins anew
    const period = between(800, 1600);
    for (const row of [0, 1, 2, 3]) {
      const box = appear(put(`left:24px;top:${470 + 62 * row}px;width:312px;height:44px;border-radius:8px;background:#9aa0a8;overflow:hidden;z-index:5`, '', document.body, 'self'), from, until);
      const glow = put('left:-110px;top:0;width:110px;height:44px;background:linear-gradient(90deg,#fff0,#fff8,#fff0)', '', box, 'self');
      paint(t => { glow.style.translate = `${(430 * (((t - from) / period) % 1)).toFixed(2)}px 0`; });
    }
  },
  sweeps(look, from, until) {  // a line that runs through a bar, grows and shrinks on its way
    const period = between(900, 1700);
    const bar = appear(put(`left:0;top:80px;width:360px;height:4px;background:${look.faint};overflow:hidden;z-index:5`, '', document.body, 'self'), from, until);
    const line = put(`left:0;top:0;width:360px;height:4px;background:#1e88e5;transform-origin:0 0`, '', bar, 'self');
    paint(t => {
      const done = ((t - from) / period + 10) % 1, [left, right] = [Math.max(0, (done - 0.3) / 0.7), Math.min(1, done / 0.7)];
      line.style.transform = `translateX(${(360 * left).toFixed(2)}px) scaleX(${Math.max(0, right - left).toFixed(4)})`;
    });
  },
};

function loads(look, a, name, settles = 0) {
  const end = answers[pick(['page', 'sheet'])](look, a + between(80, 200)), from = end + between(20, 260);
  film.seconds = between(3.9, 5);
  film.settles = settles;
  const until = settles ? Math.round(film.seconds * 1000 - between(350, 900)) : Infinity;
  loaders[name](look, from, until);
  if (settles) appear(put(`left:16px;top:440px;width:328px;height:300px;border-radius:8px;background:hsl(${whole(0, 360)} 45% 55%);z-index:6`), until);
}

Object.assign(scenes, {
  /* 19: loaders that come after the answer */
  loader_circles(look, a) { loads(look, a, 'circles'); },
  loader_goes_to_and_fro(look, a) { loads(look, a, 'toAndFro'); },
  loader_jumps_and_waits(look, a) { loads(look, a, 'jumps'); },
  loader_shimmers(look, a) { loads(look, a, 'shimmer'); },
  loader_sweeps(look, a) { loads(look, a, 'sweeps'); },
  loader_circles_until_there(look, a) { loads(look, a, 'circles', 1); },
  loader_jumps_until_there(look, a) { loads(look, a, 'jumps', 1); },
  loader_shimmers_until_there(look, a) { loads(look, a, 'shimmer', 1); },
});
