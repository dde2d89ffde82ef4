/* More scenes (stage.js has the stage): what comes just after the answer and is none, because it went on before, and
   beside each an answer that resembles it. */

const RED = ['#ff3b30', '#e5484d', '#d0021b'];

function pulse(element, low, period, span, due) {  // out and back within `span`, the last time before `due` begins there
  paint(t => {
    const at = ((t - due) % period + period) % period;
    element.style.opacity = (1 - (1 - low) * (0.5 - 0.5 * Math.cos(2 * Math.PI * Math.min(1, at / span)))).toFixed(3);
  });
}
function lamp(element, period, lit, due) {  // lit for so long from `due` on, and in every period
  paint(t => { element.style.visibility = ((t - due) % period + period) % period < lit ? 'visible' : 'hidden'; });
}
function pill(look, left = 6, width = 46) {
  look.clock.style.zIndex = 2;
  return put(`left:${left}px;top:2px;width:${width}px;height:20px;border-radius:10px;background:${pick(RED)}`, '', look.bar, 'self');
}
function light(look, size) {
  return put(`left:${whole(52, 200)}px;top:${12 - size / 2}px;width:${size}px;height:${size}px;border-radius:50%;background:${pick(RED)}`, '', look.bar, 'self');
}
const soon = (look, a) => [answers[pick(['dialog', 'sheet', 'toggle', 'instant'])](look, a + between(70, 250)), a + between(0, 100)];

Object.assign(scenes, {
  /* 16: what pulses in the system's bars, just after the answer */
  pill_pulses_after(look, a) {  // iOS: it fades and comes back
    film.action += 600;
    const [end] = soon(look, film.action), period = between(1000, 1700);
    pulse(pill(look), between(0.3, 0.7), period, pick([600, 800, period]), end + between(20, 240));
    film.seconds = between(3.4, 4);
    film.settles = null;
  },
  clock_on_red_pulses(look, a) {  // wide, and it rests between
    film.action += 600;
    const [end] = soon(look, film.action);
    pulse(pill(look, 0, 72), between(0.5, 0.8), between(1200, 1600), between(400, 700), end + between(20, 240));
    film.seconds = between(3.4, 4);
    film.settles = null;
  },
  light_goes_after(look, a) {  // Android: on and off at once
    film.action += 500;
    const [end] = soon(look, film.action), period = between(1000, 1600);
    lamp(light(look, pick([8, 10, 14])), period, period * between(0.4, 0.6), end + between(20, 240) - (random() < 0.5 ? period / 2 : 0));
    film.seconds = between(3.2, 4);
    film.settles = null;
  },
  light_flashes_after(look, a) {  // shortly, once in a while
    film.action += 700;
    const [end] = soon(look, film.action);
    lamp(light(look, pick([8, 12])), between(1100, 1500), between(120, 300), end + between(20, 240));
    film.seconds = between(3.2, 4);
    film.settles = null;
  },
  title_changes_at_the_top(look, a) {  // the answer, and the last of it, in the bar
    const end = answers.instant(look, a + between(70, 200)), at = end + between(60, 220);
    put('left:90px;top:4px;width:180px;height:18px', '', look.bar);
    const title = put('left:100px;top:4px;white-space:nowrap', words(2), look.bar), [from, to] = [title.textContent, words(2)];
    paint(t => { title.textContent = t < at ? from : to; });
  },
  button_at_the_top_again(look, a) {  // it was used before as well, and changes after the row
    film.action += 900;
    const button = put('left:230px;top:4px;width:26px;height:16px;border-radius:8px;background:#777', '', look.bar);
    const knob = put('left:2px;top:2px;width:12px;height:12px;border-radius:50%;background:#fff', '', button);
    const end = answers.instant(look, film.action + between(70, 200)), first = a - between(200, 400), again = end + between(60, 220);
    paint(t => {
      const on = share(t, first, 120) - share(t, again, 120);
      knob.style.translate = `${(10 * on).toFixed(2)}px 0`;
      button.style.background = on > 0.5 ? '#2e9e5b' : '#777';
    });
  },
});

/* ---- a field that is sent ---- */

function chat(look, {top, height = 44, empty = ''}) {
  put(`left:12px;top:${top}px;width:292px;height:${height}px;border-radius:10px;background:${look.card}`);
  put(`left:312px;top:${top}px;width:40px;height:44px;border-radius:22px;background:${look.accent}`);
  return put(`left:24px;top:${top + 11}px;font:17px sans-serif;white-space:pre;color:${empty ? look.faint : look.ink}`, empty);
}

function sent(look, at, {top, text, empty = '', width = 2, away, period = 530, comes, x = 24, stays = false}) {
  const typed = chat(look, {top}), hint = put(`left:24px;top:${top + 11}px;font:17px sans-serif;white-space:pre;color:${look.faint}`, empty);
  typed.textContent = text;
  appear(hint, at);
  appear(typed, -1, at);
  const end = 24 + Math.ceil(typed.getBoundingClientRect().width) + 1, phase = between(0, 2 * period);
  const bar = caret(24, top + 10, width, 24, pick(['#1e88e5', '#0a84ff', look.ink]), t => {
    if (t < away) return (t + phase) % (2 * period) < period;
    return t >= comes && (stays || (t - comes) % (2 * period) < period);
  });
  paint(t => { bar.style.left = `${t < at ? end : x}px`; });
  return bar;
}

function bubble(look, at, text, span = 180) {
  const box = put(`left:120px;top:560px;width:220px;height:56px;border-radius:16px;background:${look.accent};color:#fff;font:15px/56px sans-serif;text-indent:14px;z-index:3`, text);
  paint(t => { box.style.opacity = share(t, at, span).toFixed(3); box.style.translate = `0 ${Math.round(40 * (1 - eased(t, at, span)))}px`; });
  return at + span;
}

Object.assign(scenes, {
  /* 17: a caret that comes back at another place */
  sent_and_caret_later(look, a) {  // the field is cleared; the caret comes at the line's start within its period
    const at = a + between(60, 200), text = words(whole(2, 4));
    const end = bubble(look, at, text);
    sent(look, at, {top: 716, text, away: at, comes: end + between(120, 420), width: pick([2, 3, 4])});
    film.seconds = between(2.6, 3.6);
  },
  sent_with_hint(look, a) {  // a hint stands where the caret comes
    const at = a + between(60, 200), text = words(3), end = bubble(look, at, text);
    sent(look, at, {top: 716, text, empty: 'Message', away: at, comes: end + between(120, 420), width: pick([2, 3]), x: 23});
    film.seconds = between(2.6, 3.6);
  },
  sent_and_ends_soon(look, a) {  // the recording ends before the caret goes again
    const at = a + between(60, 200), text = words(3), end = bubble(look, at, text), comes = end + between(150, 420);
    sent(look, at, {top: 716, text, away: at, comes, width: pick([2, 3, 4])});
    film.seconds = (comes + between(200, 480)) / 1000;
  },
  field_loses_and_regains(look, a) {  // the caret goes with the tap, and comes where the finger asked for it, in the same line
    const at = a + between(60, 200), text = words(3), end = answers.sheet(look, at) - 0, typed = field(look, text);
    const width = Math.ceil(typed.getBoundingClientRect().width), phase = between(0, 1060), comes = end + between(150, 420), w = pick([2, 3]);
    caret(28 + width + 1, 132, w, 26, look.ink, t => t < at && (t + phase) % 1060 < 530);
    caret(27, 132, w, 26, look.ink, t => t >= comes && (t - comes) % 1060 < 530);
    film.seconds = between(2.6, 3.6);
  },
  sent_from_a_lower_line(look, a) {  // two lines were typed; the field is one line high again
    const at = a + between(60, 200), text = words(2), end = bubble(look, at, text), comes = end + between(120, 420), w = pick([2, 3]), phase = between(0, 1060);
    chat(look, {top: 690, height: 70});
    const cover = put(`left:0;top:680px;width:308px;height:40px;background:${look.back}`), typed = put('left:24px;top:702px;font:17px sans-serif;white-space:pre', `${text}<br>${words(1)}`);
    appear(cover, at);
    appear(typed, -1, at);
    caret(130, 722, w, 24, look.ink, t => t < at && (t + phase) % 1060 < 530);
    caret(24, 732, w, 24, look.ink, t => t >= comes && (t - comes) % 1060 < 530);
    film.seconds = between(2.6, 3.6);
  },
  focus_moves_on(look, a) {  // twin: a second field is tapped; its caret is the answer's end
    const at = a + between(60, 200), phase = between(0, 1060), w = pick([2, 3]);
    field(look, words(2));
    put(`left:16px;top:200px;width:328px;height:52px;background:${look.card}`);
    appear(put(`left:16px;top:172px;width:328px;height:2px;background:${look.faint}`), at);
    appear(put(`left:16px;top:252px;width:328px;height:2px;background:${look.accent}`), at);
    put(`left:28px;top:132px;width:${(w * PX).toFixed(3)}px;height:26px`);
    caret(180, 132, w, 26, look.ink, t => t < at && (t + phase) % 1060 < 530);
    caret(30, 212, w, 26, look.ink, t => t >= at && (t - at) % 1060 < 530);
  },
  bar_stays(look, a) {  // twin: an upright mark comes after the answer and stays; no caret was there before
    const at = a + between(60, 200), end = answers.instant(look, at), comes = end + between(200, 420);
    appear(put(`left:${whole(60, 300)}px;top:${whole(600, 700)}px;width:${3 * PX}px;height:26px;background:${look.accent};z-index:3`), comes);
  },
  quote_bar_after_sending(look, a) {  // twin: a caret blinked before; an upright mark of another height comes, and stays
    const at = a + between(60, 200), text = words(3), end = bubble(look, at, text);
    sent(look, at, {top: 716, text, away: at, comes: at, width: 2});
    appear(put(`left:${whole(60, 300)}px;top:200px;width:${3 * PX}px;height:40px;background:${look.accent};z-index:3`), end + between(250, 420));
    film.seconds = 3.2;
  },
});
