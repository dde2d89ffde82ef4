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

/** A rough duration: "about 3 min". */
export function duration(seconds) {
  if (seconds < 90) return `about ${Math.max(Math.round(seconds / 10) * 10, 10)}\u00a0s`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)}\u00a0min`;
  return `about ${Math.round(seconds / 3600)}\u00a0h`;
}
