/* Scenes (stage.js has the stage): what goes wrong on phones, and beside each what resembles it. */

Object.assign(scenes, {
  /* ordinary interactions, on which a rule that is too greedy shows */
  dialog_opens(look, a) { answers.dialog(look, a + between(60, 250)); },
  page_opens(look, a) { answers.page(look, a + between(60, 250)); },
  row_appears(look, a) { answers.instant(look, a + between(60, 250)); },
  ripple_then_page(look, a) { answers.ripple(look, a + 40); answers.page(look, a + between(250, 350)); },
  switch_moves(look, a) { answers.toggle(look, a + between(60, 200)); },
  checkbox(look, a) {
    put('left:318px;top:176px;width:18px;height:18px;border:2px solid #888;border-radius:3px');
    appear(put('left:318px;top:176px;width:22px;height:22px;border-radius:3px;background:#2e7d32;color:#fff;font:700 16px sans-serif;text-align:center', '✓'), a + between(60, 200));
  },
  badge(look, a) {
    appear(put('left:44px;top:150px;width:14px;height:14px;border-radius:50%;background:#e53935;color:#fff;font:9px/14px sans-serif;text-align:center', '1'), a + between(80, 300));
  },
  thin_line(look, a) { appear(put(`left:16px;top:${88 + 72 * 4 - 2}px;width:328px;height:1.34px;background:${look.accent}`), a + between(60, 250)); },
  toast_comes_and_goes(look, a) {
    film.seconds = 5;
    const toast = put('left:60px;top:660px;width:240px;height:44px;border-radius:22px;background:#333;color:#fff;font:14px/44px sans-serif;text-align:center;z-index:4', words(3));
    const from = a + between(80, 200), gone = from + 1900;
    paint(t => { toast.style.opacity = (share(t, from, 150) - share(t, gone, 150)).toFixed(4); });
  },
  launch(look, a) {
    film.type = 'launch';
    film.seconds = 4;
    const splash = put(`left:0;top:0;width:360px;height:780px;background:${look.accent};z-index:4`);
    put('left:140px;top:340px;width:80px;height:80px;border-radius:20px;background:#fff', '', splash);
    const page = put(`left:0;top:0;width:360px;height:780px;background:${look.back};overflow:hidden;z-index:5`);
    list(look, page, 24);
    const first = a + between(150, 300), there = first + between(350, 700);
    paint(t => { splash.style.opacity = share(t, first, 130).toFixed(3); splash.style.scale = (0.6 + 0.4 * eased(t, first, 130)).toFixed(3); });
    appear(page, there);
    appear(put(`left:16px;top:100px;width:328px;height:120px;border-radius:8px;background:hsl(${whole(0, 360)} 50% 50%)`, '', page), there + between(150, 450));
  },

  /* 1: the system's bars */
  wifi_arrow_first(look, a) {
    const at = a + between(15, 60);
    arrow(look, at, at + between(1200, 1500));
    some(look, at + between(360, 500));
    film.seconds = 3.4;
  },
  wifi_arrow_last(look, a) {
    const end = some(look, a + between(70, 200));
    arrow(look, end + between(350, 500), Infinity);
    film.seconds = 3.2;
  },
  clock_turns(look, a) {
    const end = some(look, a + between(70, 200)), turn = end + between(400, 700), now = look.clock.textContent;
    ticker(look.clock, count => now.slice(0, -1) + ((Number(now.at(-1)) + count) % 10), 60000, 60000 - turn);
  },
  recorder_icon(look, a) {
    const icon = put('left:56px;top:6px;width:12px;height:12px;border-radius:50%;background:#ff3b30', '', look.bar, 'self'), phase = between(0, 2000);
    paint(t => { icon.style.visibility = (t + phase) % 2000 < 1000 ? 'visible' : 'hidden'; });
    some(look, a + between(300, 600));
    film.settles = null;
  },
  recording_pill(look, a) {
    look.clock.style.zIndex = 2;
    const pill = put('left:6px;top:2px;width:46px;height:20px;border-radius:10px;background:#ff3b30', '', look.bar, 'self'), phase = between(0, 3000);
    paint(t => { pill.style.opacity = (0.75 + 0.25 * Math.cos(2 * Math.PI * Math.max(0, ((t + phase) % 1500) - 700) / 800)).toFixed(2); });
    some(look, a + between(150, 500));
    film.settles = null;
  },
  home_indicator_last(look, a) {
    const end = large(look, a + between(80, 200));
    const bar = put(`left:113px;top:767px;width:134px;height:5px;border-radius:3px;background:${look.ink};z-index:7`, '', document.body, 'self');
    fade(bar, end + between(350, 700), 450, 1, 0);
  },
  home_indicator_first(look, a) {
    const bar = put(`left:113px;top:767px;width:134px;height:5px;border-radius:3px;background:${look.ink};z-index:7`, '', document.body, 'self');
    fade(bar, a + between(20, 60), 200, 1, 0.15);
    answers[pick(['dialog', 'toggle', 'instant'])](look, a + between(560, 700));
    film.seconds = 3.4;
  },
  snackbar_at_the_edge(look, a) {  // at the edge, and the answer
    const bar = put('left:0;top:740px;width:360px;height:40px;background:#323232;color:#fff;font:14px/40px sans-serif;text-indent:16px;z-index:4', words(4)), at = a + between(80, 250);
    paint(t => { bar.style.translate = `0 ${Math.round(40 * (1 - eased(t, at, 150)))}px`; });
  },
  tab_at_the_bottom(look, a) {  // a tab at the edge takes its colour first, then the content comes
    const bar = put(`left:0;top:732px;width:360px;height:48px;background:${look.card};z-index:4`), at = a + between(60, 120);
    for (const x of [60, 168, 276]) put(`left:${x}px;top:12px;width:24px;height:24px;border-radius:6px;background:${look.faint}`, '', bar);
    appear(put(`left:168px;top:12px;width:24px;height:24px;border-radius:6px;background:${look.accent}`, '', bar), at);
    answers.instant(look, at + between(100, 200));
  },

  /* 2: carets */
  one_letter(look, a) { film.type = 'type'; film.seconds = between(2.4, 2.8); typing(look, pick(['m', 'a', 'e']), [a + between(50, 120)], pick([2, 3, 4])); },
  narrow_letter(look, a) { film.type = 'type'; film.seconds = between(2.4, 2.8); typing(look, pick(['i', 'l']), [a + between(50, 350)], pick([2, 3])); },
  letters(look, a) {
    film.type = 'type';
    const first = a + between(50, 120), second = first + between(150, 300);
    typing(look, 'bot', [first, second, second + between(150, 300)], pick([2, 3, 5]));
  },
  blink_then_letter(look, a) { film.type = 'type'; film.seconds = 3.2; typing(look, 'n', [a + between(500, 800)], pick([3, 4, 6])); },
  caret_and_dialog(look, a) {  // the caret blinks once or twice in the whole clip
    film.seconds = between(2, 2.4);
    film.action = Math.round(between(350, 550));
    field(look, '');
    const blink = film.action + between(60, 200);
    caret(30, 132, pick([2, 3, 4, 6]), 26, look.ink, t => (t - blink + 10600) % 1060 >= 530);
    answers[pick(['sheet', 'instant'])](look, blink + between(280, 400));
  },
  caret_comes_with_focus(look, a) {  // the line under the field takes its colour; the caret comes with it and blinks
    const at = a + between(60, 200);
    field(look, words(2));
    appear(put(`left:16px;top:172px;width:328px;height:2px;background:${look.faint}`), -1, at);
    caret(30, 132, pick([2, 3]), 26, look.ink, t => t >= at && (t - at) % 1060 < 530);
  },
  large_thing_blinks(look, a) {  // 392 × 200 px, before the action and up to the end: no caret
    const card = put(`left:50px;top:560px;width:${392 * PX}px;height:${200 * PX}px;background:${look.accent};z-index:2`, '', document.body, 'self'), phase = between(0, 1000);
    paint(t => { card.style.visibility = (t + phase) % 1000 < 500 ? 'visible' : 'hidden'; });
    answers.instant(look, a + between(100, 300));
    film.seconds = 4;
    film.settles = 0;
  },
  large_thing_flashes(look, a) {  // the same, twice, as the answer
    const card = put(`left:50px;top:500px;width:${392 * PX}px;height:${200 * PX}px;background:${look.accent};z-index:2`), at = a + between(80, 200), step = between(180, 300);
    paint(t => { card.style.visibility = t >= at && t < at + 3 * step && Math.floor((t - at) / step) % 2 === 0 ? 'visible' : 'hidden'; });
  },

  /* 3: slow tickers in a short clip */
  countdown(look, a) {
    ticker(put(`left:150px;top:600px;width:60px;height:60px;border-radius:8px;background:${look.card};font:700 40px/60px sans-serif;text-align:center`), count => 9 - count, 1000, 1000 - (a - between(200, 600)) % 1000);
    answers[pick(['dialog', 'toggle', 'instant'])](look, a + between(80, 200));
    film.seconds = between(2.5, 2.9);
    film.settles = null;
  },
  countdown_first(look, a) {  // it counts once between action and answer
    ticker(put(`left:150px;top:600px;width:60px;height:60px;border-radius:8px;background:${look.card};font:700 40px/60px sans-serif;text-align:center`), count => 9 - count, 1000, 1000 - (a + between(40, 150)) % 1000);
    answers[pick(['dialog', 'toggle', 'instant'])](look, a + between(500, 650));
    film.seconds = between(2.5, 2.9);
    film.settles = null;
  },
  player(look, a) {
    put(`left:0;top:700px;width:360px;height:80px;background:${look.card}`);
    put(`left:60px;top:716px;width:240px;height:3px;background:${look.faint}`);
    const bar = put(`left:60px;top:716px;width:10px;height:3px;background:${look.accent}`, '', document.body, 'self'), every = pick([250, 500, 1000]);
    paint(t => { bar.style.width = `${30 + Math.floor(t / every) * PX * every / 250}px`; });
    ticker(put('left:60px;top:728px;font:12px sans-serif'), count => clockwise(31 + count), 1000, between(0, 1000));
    answers[pick(['page', 'toggle', 'instant'])](look, a + between(80, 600));
    film.seconds = between(2.4, 3);
    film.settles = null;
  },
  seconds_clock(look, a) {
    ticker(put(`left:200px;top:96px;padding:4px 12px;background:${look.card};font:500 22px sans-serif`), count => `10:${clockwise(754 + count)}`, 1000, 1000 - (a + between(450, 700)) % 1000);
    answers[pick(['sheet', 'toggle'])](look, a + between(80, 200));
    film.seconds = between(2.4, 2.9);
    film.settles = null;
  },
  counter_is_tapped(look, a) {  // a small thing that changes alone, and is the answer
    const count = put(`left:150px;top:600px;width:60px;height:60px;border-radius:8px;background:${look.card};font:700 40px/60px sans-serif;text-align:center`), at = a + between(70, 160), start = whole(2, 8);
    paint(t => { count.textContent = start + Number(t >= at); });
  },
  counter_is_tapped_again(look, a) {  // it was tapped before, too
    const count = put(`left:150px;top:600px;width:60px;height:60px;border-radius:8px;background:${look.card};font:700 40px/60px sans-serif;text-align:center`), at = a + between(70, 160), start = whole(2, 7);
    film.action += 400;
    paint(t => { count.textContent = start + Number(t >= at - 500) + Number(t >= at + 400); });
  },

  /* 4: a mouse cursor */
  cursor_then_dialog(look, a) {
    const [x, y] = [between(60, 300), between(200, 600)], end = large(look, a + between(100, 250));
    cursor([[a - 550, x + between(-50, 50), y + 130], [a - 120, x, y], [end + 350, x, y], [end + 800, x - 40, y + between(80, 150)]]);
  },
  cursor_never_rests(look, a) {
    film.settles = null;
    answers[pick(['dialog', 'instant', 'page'])](look, a + between(200, 400));
    cursor([[0, 60, 640], [700, 200, 300], [a + 100, 180, 420], [a + 900, 250, 560], [3000, 90, 500]]);
  },
  cursor_alone(look, a) {
    film.outcome = 'no_response';
    const [x, y] = [between(60, 250), between(200, 600)];
    cursor([[a - 500, x, y + 120], [a - 100, x, y], [a + between(200, 400), x, y], [a + 1000, x + 60, y + 100]]);
  },
  cursor_sets_out_after_click(look, a) {  // it moves off at once, the page comes later
    const [x, y] = [between(60, 250), between(250, 600)];
    cursor([[a - 500, x, y + 120], [a - 100, x, y], [a + 40, x, y], [a + 380, x + 70, y + 90]]);
    answers[pick(['page', 'dialog'])](look, a + between(550, 700));
    film.seconds = 3.4;
  },
  cursor_clicks_button(look, a) {  // the button under it darkens first
    const at = a + between(25, 60), button = put(`left:90px;top:520px;width:180px;height:48px;border-radius:6px;background:${look.accent}`);
    paint(t => { button.style.filter = t >= at && t < at + 130 ? 'brightness(.65)' : 'none'; });
    cursor([[a - 600, 260, 650], [a - 150, 190, 540], [a + 1200, 190, 540], [a + 1600, 220, 600]]);
    answers[pick(['page', 'instant'])](look, at + between(160, 300));
    film.seconds = 3.4;
  },
  cursor_leaves_a_fade(look, a) {  // it sets out while the key that it pressed still fades
    const at = a + between(25, 60), fades = between(500, 700);
    const key = put(`left:200px;top:560px;width:72px;height:56px;border-radius:8px;background:${look.accent};z-index:2`);
    paint(t => { key.style.opacity = t < at ? 0.2 : (1 - 0.8 * share(t, at, fades)).toFixed(3); });
    cursor([[a - 600, 40, 300], [a - 150, 230, 585], [a + 200, 230, 585], [a + 1100, 60, 180]]);
  },
  cursor_passes_over_rows(look, a) {  // rows light up under it, as on a desktop
    const end = large(look, a + between(100, 200)), way = [[a - 500, 300, 120], [a - 120, 180, 40], [end + 350, 180, 40], [end + 900, 150, 720]];
    for (let row = 0; row < 3; row++) {
      const top = 560 + 60 * row, box = put(`left:0;top:${top}px;width:360px;height:44px;background:#8888;z-index:7`, '', document.body, 'self');
      paint(t => {
        const part = share(t, way[2][0], way[3][0] - way[2][0]), y = 40 + 680 * part * part * (3 - 2 * part);
        box.style.visibility = y >= top && y <= top + 44 ? 'visible' : 'hidden';
      });
    }
    cursor(way);
  },
  chip_is_dragged(look, a) {  // a small patch that moves rigidly, and is the answer
    film.type = 'swipe';
    const chip = put(`left:40px;top:620px;width:34px;height:34px;border-radius:50%;background:${look.accent};z-index:2`), at = a + between(30, 80);
    paint(t => { chip.style.translate = `${Math.round(200 * eased(t, at, 450) / PX) * PX}px ${Math.round(-120 * eased(t, at, 450) / PX) * PX}px`; });
  },

  /* 7: late, and stays */
  late_banner(look, a) {
    large(look, a + between(80, 200));
    const banner = put(`left:12px;top:36px;width:336px;height:64px;border-radius:12px;background:${look.card};border:1px solid ${look.faint};z-index:6`, `<p style="padding:0 16px;font:14px sans-serif">${words(4)}</p>`), at = 3000 - between(100, 220);
    paint(t => { banner.style.opacity = t < at ? 0 : t < at + 50 ? 0.5 : 1; });
  },
  late_picture(look, a) {
    answers.page(look, a + between(80, 200));
    const picture = put(`left:16px;top:96px;width:328px;height:180px;background:hsl(${whole(0, 360)} 40% 55%);z-index:6`), at = 3000 - between(150, 320);
    paint(t => { picture.style.opacity = t < at ? 0 : t < at + 90 ? 0.3 : 1; });
  },
  late_tick(look, a) {
    answers.sheet(look, a + between(80, 200));
    appear(put('left:310px;top:500px;width:22px;height:22px;border-radius:50%;background:#2e7d32;color:#fff;font:700 16px/22px sans-serif;text-align:center;z-index:6', '✓'), 3000 - between(60, 200));
  },
  spinner_to_the_end(look, a) {
    const end = large(look, a + between(80, 200));
    spinner(164, 200, 32, end + between(0, 250));
    film.settles = 0;
    film.note = 'a spinner comes with it or after it';
  },

  /* 8: thin and slow */
  scrollbar_fades(look, a) {
    film.type = 'scroll';
    film.seconds = 3.6;
    const at = a + between(20, 60), end = scrolled(look, at, between(300, 600), between(350, 600));
    const bar = put(`left:${360 - 8 * PX}px;top:${between(120, 400)}px;width:${8 * PX}px;height:130px;background:${look.faint};z-index:5`);
    const rest = end + between(250, 500), span = between(300, 500);
    paint(t => { bar.style.opacity = (t < at ? 0 : 0.8 * (1 - share(t, rest, span))).toFixed(4); });
  },
  scrollbar_goes_at_once(look, a) {
    film.type = 'scroll';
    const at = a + between(20, 60), end = scrolled(look, at, between(300, 600), between(350, 600));
    appear(put(`left:${360 - 8 * PX}px;top:${between(120, 400)}px;width:${8 * PX}px;height:130px;background:${look.faint};z-index:5`), at, end + between(300, 500));
  },
  dot_fades(look, a) {
    const dot = put(`left:${between(60, 280)}px;top:${between(200, 650)}px;width:${34 * PX}px;height:${34 * PX}px;border-radius:50%;background:${look.accent};z-index:3`);
    fade(dot, a + between(80, 250), between(350, 600), pick([0, 0.1]), pick([0.8, 1]));
  },
  dot_goes(look, a) {
    const dot = put(`left:${between(60, 280)}px;top:${between(200, 650)}px;width:${34 * PX}px;height:${34 * PX}px;border-radius:50%;background:${look.accent};z-index:3`);
    fade(dot, a + between(80, 250), between(350, 600), 1, 0);
  },
  line_fades_in(look, a) {
    const line = put(`left:16px;top:${88 + 72 * whole(2, 7) - 2}px;width:328px;height:${2 * PX}px;background:${look.accent}`);
    fade(line, a + between(80, 250), between(300, 450), 0, 1);
  },

  /* 9: used before, used again */
  switch_again(look, a) { film.action += 700; answers.toggle(look, a - between(300, 500), a + 700 + between(60, 200)); },
  scroll_again(look, a) {
    film.type = 'scroll';
    film.action = a + 900;
    film.seconds = 4;
    const [first, second] = [a - 200, film.action + between(30, 80)];
    paint(t => { look.rows.style.top = `${-Math.round((260 * eased(t, first, 500) + 340 * eased(t, second, 500)) / PX) * PX}px`; });
  },
  pages_again(look, a) {  // a page came and went where another opens now
    film.action = a + 1300;
    film.seconds = 4.4;
    const back = put(`left:0;top:0;width:360px;height:780px;background:${look.back};overflow:hidden;z-index:2`);
    list(look, back, 24);
    paint(t => { back.style.translate = `${Math.round(360 * (1 - eased(t, a - 400, 300) + eased(t, a + 400, 300)))}px 0`; });
    answers.page(look, film.action + between(80, 200));
  },

  /* 10: on a photograph */
  over_wallpaper(look, a) { answers[pick(['sheet', 'instant'])](look, a + between(150, 350)); },

  /* 12: the action is at the first picture */
  at_once(look, a) { film.action = 0; film.seconds = 2.2; some(look, between(300, 600)); },

  /* 14: steps so weak that an encoder skips parts of them, and slots that were lost */
  turns_slowly(look, a) { film.seconds = 3.6; turning(look, a + between(80, 200), new Set()); },
  turns_and_loses(look, a) { film.seconds = 3.6; turning(look, a + between(80, 200), new Set(Array.from({length: 9}, () => whole(3, 80)))); },
  pulses(look, a) {
    film.seconds = 3.6;
    const disc = put(`left:110px;top:420px;width:140px;height:140px;border-radius:50%;background:${look.accent};z-index:3`), at = a + between(80, 200);
    paint(t => { disc.style.scale = (1 + 0.06 * Math.sin(Math.PI * share(t, at, 1500) * 5)).toFixed(4); });
  },
  sheen(look, a) {
    film.seconds = 3.6;
    const at = a + between(80, 200);
    for (let row = 0; row < 5; row++) {
      const card = put(`left:16px;top:${200 + 90 * row}px;width:328px;height:70px;border-radius:8px;background:#9aa0a8;overflow:hidden;z-index:3`);
      const light = put('left:-120px;top:0;width:120px;height:70px;background:linear-gradient(90deg,#fff0,#fff5,#fff0)', '', card);
      paint(t => { light.style.translate = `${(450 * share(t, at, 1400)).toFixed(2)}px 0`; });
    }
  },

  /* 11, as its opposite: a little thing that does move to the end */
  little_spinner(look, a) { some(look, a + between(80, 200)); spinner(330, 36, 16, -1000); film.settles = 0; },
});
