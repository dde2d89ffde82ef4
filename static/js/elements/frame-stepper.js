/* <frame-stepper><img data-picture> … <div data-steps> links with data-step, [data-picture-address] … </div></frame-stepper>
   Follows the links of a run's frame viewer without leaving the page: asks the server for that part alone and takes over
   its picture and links. The arrows step while the focus is inside; with Shift from change to change, or ten frames at once,
   whichever the page has. Where the element itself has the focus, Enter presses [data-enter]. */

const KEYS = { ArrowLeft: "previous", ArrowRight: "next" };

class FrameStepper extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-step]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.follow(link);
    });
    this.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target === this) this.querySelector("[data-enter]")?.click();
      const step = KEYS[event.key];
      if (!step || event.target.matches("input, select, textarea")) return;
      const wide = `a[data-step="${step}-change"], a[data-step="${step}-ten"]`;
      const link = this.querySelector(event.shiftKey ? wide : `a[data-step="${step}"]`);
      if (!link) return;
      event.preventDefault();
      this.follow(link);
    });
  }

  async follow(link) {
    const address = link.href;
    this.setAttribute("aria-busy", "true");
    const answer = await fetch(address, { headers: { "X-Requested-With": "fetch" } }).catch(() => null);
    if (!answer?.ok || answer.redirected) {
      location.assign(address); // the server says what is wrong
      return;
    }
    const part = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-steps]");
    this.take(part, link.dataset.step);
    history.replaceState(null, "", address);
  }

  take(part, step) {
    const hadFocus = this.querySelector("[data-steps]").contains(document.activeElement);
    this.querySelector("[data-picture]").src = part.querySelector("[data-picture-address]").dataset.pictureAddress;
    this.querySelector("[data-steps]").replaceWith(part);
    this.removeAttribute("aria-busy");
    if (hadFocus) (this.querySelector(`a[data-step="${step}"]`) ?? this.querySelector("a[data-step]"))?.focus();
  }
}

customElements.define("frame-stepper", FrameStepper);
