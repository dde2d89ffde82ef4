/* <drill-down data-state="id of the JSON island">…</drill-down>
   The page of one interaction. Everything in it works without this script: native video, pictures of the plots,
   links to other runs. This wires players, plots, film strip, keys and the address together. */

import { Deck } from "./deck.js";
import { Player } from "./player.js";
import { bindTransport } from "./transport.js";
import { bindReadouts } from "./readouts.js";
import { fetchPage, takeParts } from "../lib/swap.js";
import { Plots } from "./plots.js";
import { bindKeys } from "./keys.js";
import { Address } from "./address.js";
import { FilmStrip } from "./filmstrip.js";
import { Views } from "./views.js";
import { Marker } from "./marker.js";
import { bindCorrections } from "./correct.js";

const PINNED_SHARE = 0.3; // of the height of the window, as in drilldown-stage.css

class DrillDown extends HTMLElement {
  connectedCallback() {
    this.state = JSON.parse(document.getElementById(this.dataset.state).textContent);
    const decks = [...this.querySelectorAll("[data-side]")]
      .map((figure) => new Deck(figure, figure.dataset.side))
      .filter((deck) => deck.canvas);
    this.player = new Player(decks);
    const wordOf = (kind) => this.state.words[kind].label.toLowerCase();
    this.plots = new Plots(this.querySelector("[data-plots]"), this.player, wordOf);
    this.views = new Views(this, this.player);
    this.marker = new Marker(this, this.player, this.plots);
    this.address = new Address(this, this.player, this.views, this.marker);
    this.films = new FilmStrip(this, this.player);
    bindReadouts(this, this.player);
    bindTransport(this, this.player);
    bindKeys(this);
    bindCorrections(this, this.player, this.plots);
    bindSwaps(this, (state) => this.swap(state));
    bindPinning(this);
    this.load();
  }

  async load() {
    const { decks } = this.player;
    this.plots.load(this.state.plots);
    this.address.restore();
    // The side that comes first may end before the time that was asked for: it is kept until both are there.
    const { clock } = this.player;
    const asked = clock.t;
    let standing = asked; // as long as nobody moved the clock
    const changed = (deck) => {
      const untouched = clock.t === standing;
      this.player.refit();
      if (decks.some((one) => one.track)) clock.seek(untouched ? asked : clock.t); // without frames no time is in range
      standing = untouched && decks.some((one) => one.loading) ? clock.t : null;
      this.films.load(deck);
    };
    for (const deck of decks) {
      for (const event of ["loaded", "failed"]) deck.addEventListener(event, () => changed(deck));
      deck.addEventListener("loaded", () => this.plots.loadMissing());
    }
    await Promise.all(decks.map((deck) => deck.load(this.state[deck.side])));
  }

  /** Show other runs: only the side that changed is loaded again. */
  swap(state) {
    const samePair = state.plots === this.state.plots;
    this.state = state;
    this.films.refresh();
    if (samePair) return;
    this.player.clock.pause();
    this.plots.load(state.plots);
    for (const deck of this.player.decks) if (deck.run !== state[deck.side].run) deck.load(state[deck.side]);
  }
}

/* Another run without loading the page anew: the same address is asked for, the parts that differ (data-swap) are
   taken over, and the players keep their time. Without this script the links load the page.
   Calls `onstate` with the state of the page that a link leads to, once its parts are in place. */
function bindSwaps(page, onstate) {
  const go = async (address, only = () => true) => {
    const fresh = await fetchPage(address);
    if (!fresh) return;
    takeParts(page, fresh, only);
    onstate(JSON.parse(fresh.getElementById(page.dataset.state).textContent));
  };
  page.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-run], a[data-interval]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    const address = withRuns(link.getAttribute("href"));
    const film = link.hasAttribute("data-interval");
    history[film ? "replaceState" : "pushState"](null, "", address);
    go(address, film ? (part) => part.dataset.swap === "film" : undefined);
  });
  window.addEventListener("popstate", () => go(location.href));
}

/* Where plots stand below the players (a narrow page), the players are pinned on top, small, while the plots or the film
   strip are looked at. The stage keeps its height, so that nothing jumps. */
function bindPinning(page) {
  const [stage, screens] = [".stage", ".screens"].map((name) => page.querySelector(name));
  const narrow = matchMedia("(max-width: 1100px)");
  const pinned = () => screens.classList.contains("is-pinned");
  let tall = 0;
  const look = () => {
    if (!pinned()) tall = screens.offsetHeight;
    const left = stage.getBoundingClientRect().top + tall; // of them in sight, where they stand in the page
    const last = page.querySelector("[data-film]").getBoundingClientRect();
    const pin = narrow.matches && left < PINNED_SHARE * innerHeight && last.bottom > innerHeight / 2;
    if (pin === pinned()) return;
    stage.style.minHeight = pin ? `${stage.offsetHeight}px` : "";
    screens.classList.toggle("is-pinned", pin);
  };
  document.addEventListener("scroll", look, { passive: true });
  narrow.addEventListener("change", look);
}

/* The link was written when the page loaded; time, nudges and view have moved on since. */
function withRuns(href) {
  const address = new URL(location.href);
  const asked = new URLSearchParams(href.slice(href.indexOf("?")));
  for (const name of ["base_run", "new_run", "film"]) if (asked.get(name)) address.searchParams.set(name, asked.get(name));
  return address;
}

customElements.define("drill-down", DrillDown);
