/* <budget-slider data-share="3.3" data-otherwise="pass"><form> <input type="range" name="budget">
     <b data-budget></b> <span data-says="fail|pass|not_enough_data">…</span> … </form></budget-slider>
   Says while the slider moves what the gate would decide at that budget. The address follows, so that a reload or a
   link shows the same. Without a script the form sends itself. */

class BudgetSlider extends HTMLElement {
  connectedCallback() {
    const range = this.querySelector("input[type=range]");
    range.addEventListener("input", () => this.say(Number(range.value)));
    range.addEventListener("change", () => {
      const address = new URL(location.href);
      address.searchParams.set("budget", range.value);
      history.replaceState(null, "", address);
    });
    this.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  }

  say(budget) {
    const share = this.dataset.share === "" ? null : Number(this.dataset.share);
    const decision = share !== null && share > budget ? "fail" : this.dataset.otherwise;
    this.querySelector("[data-budget]").textContent = `${Number(budget.toFixed(1))} %`;
    for (const word of this.querySelectorAll("[data-says]")) word.hidden = word.dataset.says !== decision;
  }
}

customElements.define("budget-slider", BudgetSlider);
