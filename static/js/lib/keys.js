/* Keyboard helpers shared by pages. */

/** Tell whether a key press belongs to a field, a menu or a shortcut of the browser. */
export function isTyping(event) {
  const field = event.target.closest?.("input, textarea, select, [contenteditable=true]");
  return Boolean(field) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented;
}
