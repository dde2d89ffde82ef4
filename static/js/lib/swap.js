/* Another address of the same page without loading it anew: the parts that differ carry data-swap and a name. */

/** The page at an address as a document; nothing where the browser was sent there instead, to say what is the matter. */
export async function fetchPage(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok || answer.redirected) {
    location.assign(address);
    return null;
  }
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** Put the parts of a fresh page in the place of those that an element has. */
export function takeParts(element, fresh, only = () => true) {
  for (const part of element.querySelectorAll("[data-swap]")) {
    const next = fresh.querySelector(`[data-swap="${part.dataset.swap}"]`);
    if (next && only(part)) part.replaceWith(next);
  }
}
