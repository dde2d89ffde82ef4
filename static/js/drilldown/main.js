/* <drill-down data-state="id of the JSON island">…</drill-down>
   The page of one interaction. Everything in it works without this script: native video, pictures of the plots,
   links to other runs. This wires players, plots, film strip, keys and the address together. */

import { Deck } from "./deck.js";
import { Player } from "./player.js";
import { bindTransport } from "./transport.js";
import { bindReadouts } from "./readouts.js";
import { Plots } from "./plots.js";
import { bindKeys } from "./keys.js";
import { Address } from "./address.js";
import { FilmStrip } from "./filmstrip.js";
import { Views } from "./views.js";
import { Marker } from "./marker.js";
import { bindSwaps } from "./swap.js";
import { bindCorrections } from "./correct.js";

class DrillDown extends HTMLElement {
  connectedCallback() {
    this.state = JSON.parse(document.getElementById(this.dataset.state).textContent);
    const decks = [...this.querySelectorAll("[data-side]")]
      .map((figure) => new Deck(figure, figure.dataset.side))
      .filter((deck) => deck.canvas);
    this.player = new Player(decks);
    this.plots = new Plots(this.querySelector("[data-plots]"), this.player);
    this.views = new Views(this, this.player);
    this.marker = new Marker(this, this.player, this.plots);
    this.address = new Address(this.player, this.views, this.marker);
    this.films = new FilmStrip(this.querySelector("[data-filmstrip]"), this.player, this.plots);
    bindReadouts(this, this.player);
    bindTransport(this, this.player);
    bindKeys(this);
    bindCorrections(this, this.player, this.plots);
    bindSwaps(this, (state) => this.swap(state));
    this.load();
  }

  async load() {
    const { decks } = this.player;
    this.plots.load(this.state.plots);
    this.address.restore();
    for (const deck of decks) {
      deck.addEventListener("loaded", () => {
        this.player.refit();
        this.player.clock.seek(this.player.clock.t);
        this.films.load(deck);
      });
    }
    await Promise.all(decks.map((deck) => deck.load(this.state[deck.side])));
  }

  /** Show other runs: only the side that changed is loaded again. */
  swap(state) {
    this.state = state;
    this.player.clock.pause();
    this.plots.load(state.plots);
    for (const deck of this.player.decks) if (deck.run !== state[deck.side].run) deck.load(state[deck.side]);
  }
}

customElements.define("drill-down", DrillDown);
