/* Numbers as the server writes them: thin spaces between thousands. */

export function number(value) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A rough duration: "about 3 min". */
export function duration(seconds) {
  if (seconds < 90) return `about ${Math.max(Math.round(seconds / 10) * 10, 10)}\u00a0s`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)}\u00a0min`;
  return `about ${Math.round(seconds / 3600)}\u00a0h`;
}
