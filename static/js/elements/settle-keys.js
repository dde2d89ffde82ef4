/* <settle-keys> [data-key="1"] [data-key="2"] … <frame-stepper> … </settle-keys>
   One key settles a doubt: 1 and 2 press the buttons that name them, wherever the focus is but in a field. Arrows and Enter
   go to the stepper also while nothing has the focus. */

const STEPPING = new Set(["ArrowLeft", "ArrowRight", "Enter"]);

class SettleKeys extends HTMLElement {
  connectedCallback() {
    this.press = (event) => {
      const away = event.target.closest?.("input, select, textarea, dialog, [popover]");
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || away) return;
      const stepper = this.querySelector("frame-stepper");
      if (event.key === "1" || event.key === "2") this.querySelector(`[data-key="${event.key}"]`)?.click();
      else if (stepper && event.target === document.body && STEPPING.has(event.key)) {
        event.preventDefault();
        stepper.focus();
        stepper.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, shiftKey: event.shiftKey }));
      }
    };
    document.addEventListener("keydown", this.press);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.press);
  }
}

customElements.define("settle-keys", SettleKeys);
