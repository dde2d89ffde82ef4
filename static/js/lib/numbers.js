/* Numbers as the pages write them: a true minus, a thin space between thousands, a sign where a difference is meant. */

const THIN = "\u202f";

export function numberText(value, decimals = 0) {
  const [whole, rest] = Math.abs(value).toFixed(decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, THIN);
  return (value < 0 && Number(value.toFixed(decimals)) !== 0 ? "−" : "") + grouped + (rest ? `.${rest}` : "");
}

export function distanceText(value, decimals = 0) {
  return (Number(value.toFixed(decimals)) > 0 ? "+" : "") + numberText(value, decimals);
}

/** Seconds after the action: +0.640 s. */
export function clockText(ms) {
  return `${distanceText(ms / 1000, 3)} s`;
}
