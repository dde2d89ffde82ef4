// What the apps share: how they are asked to look, what to write on a page, and where a finger finds something.
const asked = new URLSearchParams(location.search);
const LOOK = { dark: asked.get("dark") === "1", ios: asked.get("ios") === "1", colour: Number(asked.get("colour")) };
const COLOURS = ["#3f51b5", "#00897b", "#e64a19", "#2e7d32", "#8e24aa", "#6d4c41"];
const TINT = COLOURS[LOOK.colour % COLOURS.length];
const TREES = ["Birch", "Cedar", "Maple", "Rowan", "Larch", "Willow", "Hazel", "Alder", "Linden", "Spruce", "Aspen", "Beech"];
const LOREM = "A thin-leaved tree of the north that likes light and grows where others do not. ";
const scenes = {}; // name: {build(body), interactions: [...]}; a kit's script fills it

// Keep a scene. An interaction is [name, gesture, {before, seconds, caret}], a gesture one of those below.
const scene = (name, build, ...interactions) => {
  scenes[name] = {
    build,
    interactions: interactions.map(([title, gesture, more = {}]) => ({
      name: title, gesture, before: [], seconds: 2.6, caret: false, ...more,
    })),
  };
};
const tap = (selector, right = 0.5, down = 0.5) => ["tap", selector, right, down];
const swipe = (selector, dx, dy, ms = 120) => ["swipe", selector, dx, dy, ms];
const key = (letter) => ["key", letter];

// Find an element; " >> " leads into a shadow tree, ":at(N)" takes another than the first that is seen.
const find = (selector) => {
  let root = document;
  let found = null;
  for (const part of selector.split(" >> ")) {
    const [, css, at = "0"] = part.match(/^(.*?)(?::at\((\d+)\))?$/);
    const seen = [...root.querySelectorAll(css)].filter((one) => one.getClientRects().length);
    found = seen[Number(at)];
    if (!found) throw new Error(`nothing is seen that is ${part}`);
    root = found.shadowRoot ?? found;
  }
  return found;
};
// A place within an element, in parts of its size: [x, y] in CSS px.
const place = (selector, right, down) => {
  const box = find(selector).getBoundingClientRect();
  return [box.x + box.width * right, box.y + box.height * down];
};
// Leave all moves of a finger to the page's own scripts: once Chromium itself may scroll by one, a frame may never end,
// if frames are begun from outside.
const scrollNothing = (root = document) => {
  const rule = document.createElement("style");
  rule.textContent = "* { touch-action: none !important }";
  (root.head ?? root).append(rule);
  for (const one of root.querySelectorAll("*")) if (one.shadowRoot) scrollNothing(one.shadowRoot);
};
const element = (html) => {
  const made = document.createElement("template");
  made.innerHTML = html.trim();
  return made.content.firstElementChild;
};
const lines = (count, line) => Array.from({ length: count }, (_, at) => line(TREES[at % TREES.length], at)).join("");
// A picture that needs no file: a hill under a sky, in colours of its own.
const picture = (at, width = 360, height = 240) => {
  const hue = (at * 67 + LOOK.colour * 30) % 360;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 36 24" preserveAspectRatio="none">
<defs><linearGradient id="g" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="hsl(${hue} 70% 80%)"/><stop offset="1" stop-color="hsl(${hue} 60% 55%)"/></linearGradient></defs>
<rect width="36" height="24" fill="url(#g)"/><circle cx="${6 + ((at * 5) % 24)}" cy="6" r="3" fill="hsl(${hue + 60} 80% 70%)"/>
<path d="M0 18 Q9 8 18 17 T36 14 V24 H0Z" fill="hsl(${hue + 120} 40% 40%)"/><path d="M0 21 Q12 14 24 20 T36 19 V24 H0Z" fill="hsl(${hue + 140} 45% 30%)"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};
window.told = () => Object.entries(scenes).flatMap(([name, { interactions }]) => interactions.map((one) => ({ scene: name, ...one })));
window.addEventListener("load", () => {
  const wanted = asked.get("scene");
  if (wanted) scenes[wanted].build(document.body);
  window.built = true;
});
