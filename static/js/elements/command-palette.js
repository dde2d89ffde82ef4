/* <command-palette src="/search/live/" page="/search/" data-user="7"><dialog> form with input[role=combobox],
     [role=listbox], .palette-empty, [role=status] </dialog></command-palette>
   Finds anything while one types. Opens on Ctrl or Cmd-K, on "/" and from the search field of the header. Arrows move,
   Enter opens, Escape closes. Without words: the pages visited last (kept in this browser, per user) and all pages. */

import { ask } from "../lib/ask.js";
import { isTyping } from "../lib/keys.js";

const PAUSE_MS = 90; // between the last letter and the question
const KEPT = 8;
const NOT_KEPT = /^\/(?:search|help|login)?\/?$|^\/search\//; // one finds these without being reminded
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

class CommandPalette extends HTMLElement {
  connectedCallback() {
    this.dialog = this.querySelector("dialog");
    this.field = this.querySelector("input");
    this.list = this.querySelector("[role=listbox]");
    this.empty = this.querySelector(".palette-empty");
    this.status = this.querySelector("[role=status]");
    this.remember();
    document.addEventListener("keydown", (event) => this.shortcut(event));
    this.bindHeader(document.querySelector("#top-search"), document.querySelector("[data-find]"));
    this.field.addEventListener("input", () => this.typed());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.querySelector("form").addEventListener("submit", (event) => this.submit(event));
    this.querySelector("[data-close]").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  shortcut(event) {
    const asked = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (asked) {
      event.preventDefault();
      if (this.dialog.open) this.dialog.close();
      else if (!document.querySelector("dialog:modal")) this.open("");
    } else if (event.key === "/" && !isTyping(event)) {
      event.preventDefault();
      const field = document.querySelector("[data-search]");
      if (!field) this.open("");
      field?.focus();
      field?.select();
    }
  }

  /* The field of the header is a real one: it takes the focus from the Tab key, and hands on what is typed there. On a
     phone a link stands in its place. */
  bindHeader(field, link) {
    link?.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.open("");
    });
    field?.addEventListener("click", () => this.open(field.value));
    field?.addEventListener("input", () => {
      this.open(field.value);
      field.value = "";
    });
  }

  open(words) {
    this.field.value = words;
    this.dialog.showModal();
    this.field.focus();
    this.look();
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), PAUSE_MS);
  }

  /** Ask for what has these words; the answer to an older question is dropped. */
  look() {
    clearTimeout(this.timer);
    this.timer = null;
    this.asking?.abort();
    this.asking = new AbortController();
    const words = this.words;
    const address = `${this.getAttribute("src")}?q=${encodeURIComponent(words)}`;
    this.answer = ask(address, { signal: this.asking.signal })
      .then((found) => this.show(found, words))
      .catch((error) => error.name === "AbortError" || this.say(error.message));
    return this.answer;
  }

  get words() {
    return this.field.value.trim();
  }

  get options() {
    return [...this.list.querySelectorAll("[role=option]")];
  }

  get chosen() {
    return this.list.querySelector("[aria-selected=true]");
  }

  show(found, words) {
    this.shown = words;
    const recent = words ? [] : this.recent.map((page) => ({ ...page, parts: [[page.label, false]] }));
    const groups = recent.length ? [{ name: "Recent", hits: recent }, ...found.groups] : found.groups;
    const all = { label: words, parts: [["All results for ", false], [words, true]], note: "" };
    all.address = `${this.getAttribute("page")}?q=${encodeURIComponent(words)}`;
    const more = words && groups.some((group) => group.more) ? [{ name: "More", hits: [all] }] : [];
    this.list.replaceChildren(...[...groups, ...more].map(groupNode));
    this.options.forEach((option, at) => (option.id = `palette-hit-${at}`));
    this.field.setAttribute("aria-expanded", String(this.options.length > 0));
    this.list.scrollTop = 0;
    this.choose(this.options[0]);
    const count = groups.reduce((sum, group) => sum + group.hits.length, 0);
    this.say(count ? "" : "Nothing has all these words.");
    this.status.textContent = words && count ? `${count} found` : "";
  }

  say(text) {
    if (text) {
      this.list.replaceChildren();
      this.choose(null);
      this.field.setAttribute("aria-expanded", "false");
    }
    this.empty.textContent = text;
    this.empty.hidden = !text;
  }

  choose(option) {
    this.chosen?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.field.setAttribute("aria-activedescendant", option.id);
    else this.field.removeAttribute("aria-activedescendant");
  }

  key(event) {
    if (event.isComposing) return;
    if (event.key === "Escape" && this.field.value) {
      event.preventDefault(); // else the search field would only be emptied
      this.dialog.close();
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const options = this.options;
    if (!options.length) return;
    const at = options.indexOf(this.chosen) + step;
    this.choose(options[(at + options.length) % options.length]);
  }

  async submit(event) {
    event.preventDefault();
    if (this.timer || this.shown !== this.words) await (this.timer ? this.look() : this.answer);
    const option = this.chosen;
    if (option) option.click();
    else if (this.words) location.assign(`${this.getAttribute("page")}?q=${encodeURIComponent(this.words)}`);
  }

  get store() {
    return `upreg-recent-${this.dataset.user}`;
  }

  get recent() {
    try {
      return JSON.parse(localStorage.getItem(this.store) ?? "[]").filter((page) => page.address !== here());
    } catch {
      return []; // storage is blocked, or holds what we did not write
    }
  }

  remember() {
    if (NOT_KEPT.test(location.pathname)) return;
    const page = { label: document.title.replace(/ · UPReg$/, ""), note: "", address: here() };
    const others = this.recent.filter((each) => each.label !== page.label);
    try {
      localStorage.setItem(this.store, JSON.stringify([page, ...others].slice(0, KEPT)));
    } catch {
      /* storage is blocked: nothing is remembered */
    }
  }
}

function here() {
  return location.pathname + location.search;
}

function groupNode(group) {
  const node = document.createElement("div");
  node.className = "palette-group";
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", group.name);
  const head = document.createElement("p");
  head.textContent = group.name;
  head.setAttribute("aria-hidden", "true");
  node.append(head, ...group.hits.map(hitNode));
  return node;
}

function hitNode(hit) {
  const node = document.createElement("a");
  node.className = "palette-hit";
  node.href = hit.address;
  node.tabIndex = -1;
  node.setAttribute("role", "option");
  node.setAttribute("aria-selected", "false");
  const label = document.createElement("span");
  label.append(...hit.parts.map(([text, isWord]) => (isWord ? markNode(text) : text)));
  const note = document.createElement("span");
  note.className = "soft";
  note.textContent = hit.note;
  node.append(label, note);
  return node;
}

function markNode(text) {
  const node = document.createElement("mark");
  node.textContent = text;
  return node;
}

customElements.define("command-palette", CommandPalette);
