/* How the two screens are looked at: side by side; one over the other with a wipe; their difference; or with the map
   of what changed laid over each. The chosen view and the wipe are kept in the address. */

const DOUBLINGS = 2; // a difference of 1 level is invisible; four times as much is seen

export const VIEWS = ["side", "wipe", "difference", "changes"];

export class Views {
  view = "side";
  #queued = false;

  constructor(page, player) {
    this.stage = page.querySelector(".stage");
    this.overlay = page.querySelector(".overlay");
    this.canvas = page.querySelector("[data-overlay]");
    this.slider = page.querySelector("[data-wipe]");
    this.divider = page.querySelector("[data-divider]");
    this.player = player;
    this.stage.addEventListener("click", (event) => {
      const choice = event.target.closest("[data-view-choice]")?.dataset.viewChoice;
      if (choice) this.choose(choice);
    });
    this.slider.addEventListener("input", () => this.#wiped());
    this.#bindDrag();
    for (const deck of player.decks) deck.addEventListener("shown", () => this.#later());
  }

  choose(view) {
    this.view = VIEWS.includes(view) ? view : "side";
    const both = this.view === "wipe" || this.view === "difference";
    this.stage.dataset.view = this.view;
    this.overlay.hidden = !both;
    this.slider.hidden = this.divider.hidden = this.view !== "wipe";
    for (const button of this.stage.querySelectorAll("[data-view-choice]")) {
      button.setAttribute("aria-pressed", String(button.dataset.viewChoice === this.view));
    }
    for (const map of this.stage.querySelectorAll("[data-changemap]")) this.#showMap(map);
    this.#wiped();
    this.player.clock.dispatchEvent(new Event("state"));
  }

  next() {
    this.choose(VIEWS[(VIEWS.indexOf(this.view) + 1) % VIEWS.length]);
  }

  /* The map is made on the server: asked for only when it is looked at. */
  #showMap(map) {
    map.hidden = this.view !== "changes";
    if (!map.hidden && map.getAttribute("src") !== map.dataset.src) map.src = map.dataset.src;
  }

  #wiped() {
    this.divider.style.left = `${this.slider.value}%`;
    this.#later();
  }

  #later() {
    if (this.#queued || this.overlay.hidden) return;
    this.#queued = true;
    requestAnimationFrame(() => {
      this.#queued = false;
      this.#draw();
    });
  }

  #draw() {
    const [base, now] = this.player.decks.map((deck) => deck.picture());
    const shape = this.player.decks.find((deck) => deck.frames)?.frames;
    if (!shape || !(base || now)) return;
    if (this.canvas.width !== shape.width || this.canvas.height !== shape.height) {
      Object.assign(this.canvas, { width: shape.width, height: shape.height });
    }
    // A picture's difference from itself would say that the sides show the same: with one side it is shown as it is.
    if (this.view === "difference" && base && now) drawDifference(this.canvas, base, now);
    else drawWipe(this.canvas, base ?? now, now ?? base, Number(this.slider.value) / 100);
  }

  #bindDrag() {
    const move = (event) => {
      const { left, width } = this.canvas.getBoundingClientRect();
      this.slider.value = String((100 * (event.clientX - left)) / width);
      this.#wiped();
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      if (this.view !== "wipe") return;
      this.canvas.setPointerCapture(event.pointerId);
      move(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) move(event);
    });
  }
}

/* Left of `split` (0 to 1) the first picture, right of it the second. */
function drawWipe(canvas, first, second, split) {
  const pen = canvas.getContext("2d", { alpha: false });
  const { width, height } = canvas;
  const at = Math.round(width * split);
  pen.globalCompositeOperation = "source-over";
  pen.drawImage(first, 0, 0, width, height);
  pen.save();
  pen.beginPath();
  pen.rect(at, 0, width - at, height);
  pen.clip();
  pen.drawImage(second, 0, 0, width, height);
  pen.restore();
}

/* |first − second| per colour, made four times as strong: black where the sides show the same. */
function drawDifference(canvas, first, second) {
  const pen = canvas.getContext("2d", { alpha: false });
  const { width, height } = canvas;
  pen.globalCompositeOperation = "source-over";
  pen.drawImage(first, 0, 0, width, height);
  pen.globalCompositeOperation = "difference";
  pen.drawImage(second, 0, 0, width, height);
  pen.globalCompositeOperation = "lighter";
  for (let i = 0; i < DOUBLINGS; i += 1) pen.drawImage(canvas, 0, 0);
  pen.globalCompositeOperation = "source-over";
}
