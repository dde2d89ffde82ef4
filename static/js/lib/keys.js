/* Keyboard helpers shared by pages. */

/** Tell whether a key press belongs to a field, a dialog over the page, an input method or a shortcut of the browser. */
export function isTyping(event) {
  const field = event.target.closest?.("input, textarea, select, [contenteditable]:not([contenteditable=false])");
  const dialog = document.querySelector("dialog:modal");
  const shortcut = event.ctrlKey || event.metaKey || event.altKey;
  const typed = field?.checkVisibility(); // one in a dialog that was just closed keeps the focus until the next picture
  return Boolean(typed || dialog) || shortcut || event.isComposing || event.defaultPrevented;
}
