/* Which frames a decoder should work on next. Pure functions: numbers in, numbers out. */

/** The last key frame at or before frame i; `keys` rise. */
export function keyBefore(keys, i) {
  let found = 0;
  for (const key of keys) {
    if (key > i) break;
    found = key;
  }
  return found;
}

/** What to decode for a focus: {first, last, back}, or null when all is there.
    Forward first: playing goes that way. Backward only when few frames are left behind, and then many at once:
    decoding has to start at a key frame each time. */
export function nextWanted(focus, count, capacity, has) {
  const ahead = Math.min(count - 1, focus + Math.floor(capacity * 0.45));
  for (let i = focus; i <= ahead; i += 1) if (!has(i)) return { first: i, last: ahead, back: false };
  const near = Math.max(0, focus - Math.floor(capacity * 0.12));
  const far = Math.max(0, focus - Math.floor(capacity * 0.4));
  let missing = false;
  for (let i = focus - 1; i >= near; i -= 1) missing ||= !has(i);
  if (!missing) return null;
  let last = focus - 1;
  while (last > far && has(last)) last -= 1;
  return { first: Math.max(far, firstMissing(far, last, has)), last, back: true };
}

function firstMissing(from, to, has) {
  for (let i = from; i <= to; i += 1) if (!has(i)) return i;
  return to;
}
