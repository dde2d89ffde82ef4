/* The address is the state: time, nudges, view, wipe, speed and marker are written to the query, runs are in it. Where
   it says no time the page opens on the moment that tells the story (reports/drilldown/moments.py). The bug report's
   link takes all of it along, so that the report opens at the time that stands here; the links to the next and the
   previous interaction take along how one looks, not what one looks at. */

import { SPEEDS } from "./transport.js";

const WRITE_AFTER_MS = 250;
const CARRIED = ["view", "wipe", "film", "speed"]; // as in reports/drilldown/players.py

export class Address {
  #timer = 0;

  constructor(page, player, views, marker) {
    this.page = page;
    this.player = player;
    this.views = views;
    this.marker = marker;
    player.clock.addEventListener("tick", () => this.#later());
    player.clock.addEventListener("state", () => this.#later());
    for (const event of ["pointerdown", "focusin", "click"]) {
      page.addEventListener(event, (about) => this.#leaving(about.target.closest?.("[data-bug-report], a[rel]")));
    }
  }

  #leaving(link) {
    if (link?.matches("[data-bug-report]")) this.write();
    else if (link?.matches("[rel=prev], [rel=next]")) link.href = this.carry(link.getAttribute("href"));
  }

  /** The address of another interaction, with view, speed and the film's interval as they are here now. */
  carry(address) {
    this.write();
    const here = new URLSearchParams(location.search);
    const [path, asked] = address.split("?");
    const query = new URLSearchParams(asked);
    if (!CARRIED.some((name) => here.has(name) || query.has(name))) return address;
    for (const name of CARRIED) put(query, name, here.get(name) ?? "");
    return query.size ? `${path}?${query}` : path;
  }

  /** Put the players where the address says; where it says nothing, where the page opens. */
  restore() {
    const query = new URLSearchParams(location.search);
    for (const deck of this.player.decks) deck.nudge = integer(query.get(`nudge_${deck.side}`));
    const t = Number.parseFloat(query.get("t"));
    this.player.clock.t = Number.isFinite(t) ? t : this.page.state.opening;
    this.player.clock.rate = SPEEDS.find((speed) => String(speed) === query.get("speed")) ?? 1;
    this.views.slider.value = query.get("wipe") ?? "50";
    this.views.choose(query.get("view") ?? "side");
    const marker = Number.parseFloat(query.get("marker"));
    this.marker.set(Number.isFinite(marker) ? marker : null);
  }

  #later() {
    if (this.player.clock.playing || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.write();
    }, WRITE_AFTER_MS);
  }

  write() {
    const address = new URL(location.href);
    const { searchParams: query } = address;
    const { t } = this.player.clock;
    put(query, "t", Math.abs(t - this.page.state.opening) < 0.05 ? "" : t.toFixed(1));
    for (const deck of this.player.decks) put(query, `nudge_${deck.side}`, deck.nudge || "");
    put(query, "view", this.views.view === "side" ? "" : this.views.view);
    put(query, "wipe", this.views.view === "wipe" ? Math.round(this.views.slider.value) : "");
    put(query, "speed", this.player.clock.rate === 1 ? "" : this.player.clock.rate);
    put(query, "marker", this.marker.at === null ? "" : this.marker.at.toFixed(1));
    if (address.href !== location.href) history.replaceState(history.state, "", address);
    this.page.querySelector("[data-bug-report]").search = address.search;
  }
}

function put(query, name, value) {
  if (value === "") query.delete(name);
  else query.set(name, value);
}

function integer(text) {
  const value = Number.parseInt(text ?? "", 10);
  return Number.isFinite(value) && Math.abs(value) < 1000 ? value : 0;
}
