/* Response and finish of both sides as labelled lines over the plots. Labels never lie over each other: each flag has
   a row of its own, and near the right edge a label stands on the left of its line. */

import { numberText } from "./texts.js";

const ROW_PX = 15;

export function writeFlags(layer, plots, player, marks) {
  if (!plots.range) return;
  const { left, width } = plots.area();
  const flags = marks.map((mark) => ({ ...mark, x: plots.toPixels(mark.at_ms - player.shiftOf(mark.side)) }));
  const shown = flags.filter((flag) => flag.x >= left && flag.x <= left + width).sort((a, b) => a.x - b.x);
  layer.replaceChildren(...shown.map((flag, row) => element(flag, row, left + width)));
}

function element(flag, row, edge) {
  const line = document.createElement("div");
  line.className = `flag ${flag.side}${flag.x > edge - 120 ? " is-left" : ""}`;
  line.style.transform = `translateX(${flag.x}px)`;
  Object.assign(line.dataset, { flag: "", side: flag.side, kind: flag.kind });
  const label = document.createElement("span");
  label.textContent = `${flag.kind} ${numberText(flag.at_ms)}`;
  label.style.bottom = `calc(54% - ${row * ROW_PX}px)`;
  line.append(label);
  return line;
}
