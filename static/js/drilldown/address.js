/* The address is the state: time and nudges are written to the query, runs are in it already. */

const WRITE_AFTER_MS = 250;

export class Address {
  #timer = 0;

  constructor(player) {
    this.player = player;
    player.clock.addEventListener("tick", () => this.#later());
    player.clock.addEventListener("state", () => this.#later());
  }

  /** Put the players where the address says; the action where it says nothing. */
  restore() {
    const query = new URLSearchParams(location.search);
    for (const deck of this.player.decks) deck.nudge = integer(query.get(`nudge_${deck.side}`));
    this.player.clock.t = Number.parseFloat(query.get("t")) || 0;
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
    put(query, "t", this.player.clock.t ? this.player.clock.t.toFixed(1) : "");
    for (const deck of this.player.decks) put(query, `nudge_${deck.side}`, deck.nudge || "");
    if (address.href !== location.href) history.replaceState(history.state, "", address);
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
