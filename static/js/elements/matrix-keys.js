/* <matrix-keys><table class="matrix"> … one link a cell … </table></matrix-keys>
   One stop for the Tab key instead of thousands: the arrows go from cell to cell, Home and End to the ends of a row,
   Enter opens a cell as any link. A cell without a link is passed over. */

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

class MatrixKeys extends HTMLElement {
  connectedCallback() {
    this.rows = [...this.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.querySelector("a")));
    for (const link of this.rows.flat()) if (link) link.tabIndex = -1;
    const first = this.rows.flat().find(Boolean);
    if (first) first.tabIndex = 0;
    const scroll = this.querySelector(".matrix-scroll");
    scroll.scrollLeft = scroll.scrollWidth; // the newest versions stand at the right
    this.addEventListener("keydown", (event) => this.move(event));
    this.addEventListener("focusin", (event) => this.keep(event.target.closest("tbody a")));
  }

  keep(link) {
    if (!link) return;
    for (const other of this.querySelectorAll('tbody a[tabindex="0"]')) other.tabIndex = -1;
    link.tabIndex = 0;
  }

  move(event) {
    const link = event.target.closest("tbody a");
    if (!link || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.rows.findIndex((cells) => cells.includes(link));
    const next = this.next(event.key, row, this.rows[row].indexOf(link));
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.closest("tr").cells[0].scrollIntoView({ block: "nearest", inline: "nearest" });
    next.scrollIntoView({ block: "nearest", inline: "center" });
  }

  next(key, row, column) {
    if (key === "Home") return this.rows[row].find(Boolean);
    if (key === "End") return this.rows[row].findLast(Boolean);
    const [down, right] = STEPS[key] ?? [0, 0];
    if (!down && !right) return null;
    for (let y = row + down, x = column + right; this.rows[y] && x >= 0 && x < this.rows[y].length; y += down, x += right)
      if (this.rows[y][x]) return this.rows[y][x];
    return null;
  }
}

customElements.define("matrix-keys", MatrixKeys);
