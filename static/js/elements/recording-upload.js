/* <recording-upload src="/api/v1/uploads/" finish="/import/sent/"><form>… input[type=file] …</form></recording-upload>
   Sends recordings in parts, so that length is no limit and a cut connection no loss: whole folders may be dropped
   or chosen, each file shows how far it is, and after a reload the same files go on where they were. Without a script
   the form inside sends itself in one request. The parts follow tus 1.0.0 (docs/api.md). */

const TUS = { "Tus-Resumable": "1.0.0" };
const PART_BYTES = 8 << 20;
const KEY = "upreg-upload ";
const KEPT_MS = 24 * 3600 * 1000;
const WAITS_MS = [1000, 2000, 5000, 10000, 20000, 30000];
const ADDED = /(^|\/)(__MACOSX\/|\.[^/]*$|Thumbs\.db$|desktop\.ini$)/;

class Refused extends Error {}

class RecordingUpload extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.form.noValidate = true; // a folder is chosen in another field
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(chosen(this.form));
    });
    this.addEventListener("dragover", (event) => event.preventDefault());
    this.addEventListener("drop", async (event) => {
      event.preventDefault();
      this.send(await dropped(event.dataTransfer));
    });
    this.onunload = (event) => this.busy && event.preventDefault();
    window.addEventListener("beforeunload", this.onunload);
    forgetOld();
  }

  disconnectedCallback() {
    window.removeEventListener("beforeunload", this.onunload);
  }

  async send(files) {
    if (this.busy) return;
    const wanted = files.filter(({ path }) => !ADDED.test(path));
    if (!wanted.length) return this.form.reportValidity();
    this.busy = true;
    this.form.querySelector("button").disabled = true;
    const rows = this.list(wanted);
    const done = [];
    for (const [index, { file, path }] of wanted.entries()) {
      try {
        const place = await this.sendOne(file, path, (offset) => rows[index].show(offset, file.size));
        done.push([place.replace(/\/$/, "").split("/").pop(), path]);
        rows[index].say("sent");
      } catch (error) {
        rows[index].fail(error instanceof Refused ? error.message : "could not be sent: choose it again");
      }
      this.status.textContent = `${index + 1} of ${wanted.length} files`;
    }
    this.busy = false;
    if (done.length === wanted.length) this.finish(done);
    else this.offer(done);
  }

  /* Returns the address of the upload once the server has the whole file. */
  async sendOne(file, path, show) {
    if (!file.size) throw new Refused("is empty: record or copy it again");
    const key = `${KEY}${this.getAttribute("src")} ${path} ${file.size} ${file.lastModified}`;
    let [place, offset] = await this.found(key);
    if (!place) [place, offset] = [await this.begin(file, key), 0];
    for (let tries = 0; offset < file.size; ) {
      show(offset);
      const answer = await this.part(place, offset, file.slice(offset, offset + PART_BYTES));
      if (answer?.ok) {
        offset = Number(answer.headers.get("Upload-Offset"));
        tries = 0;
        continue;
      }
      if (answer && answer.status < 500 && ![409, 423, 429, 460].includes(answer.status)) {
        localStorage.removeItem(key);
        throw new Refused(await words(answer));
      }
      if (tries >= WAITS_MS.length) throw new Refused(answer ? await words(answer) : "the server cannot be reached: choose it again later, it goes on where it was");
      await new Promise((resolve) => setTimeout(resolve, WAITS_MS[tries++]));
      const [again, stands] = await this.found(key);
      if (again) offset = stands;
    }
    show(file.size);
    return place;
  }

  async found(key) {
    const place = JSON.parse(localStorage.getItem(key) ?? "null")?.place;
    if (!place) return [null, 0];
    const answer = await fetch(place, { method: "HEAD", headers: TUS }).catch(() => null);
    if (answer?.ok) return [place, Number(answer.headers.get("Upload-Offset"))];
    if (answer) localStorage.removeItem(key);
    return [null, 0];
  }

  async begin(file, key) {
    const headers = { ...this.headers(), "Upload-Length": String(file.size), "Upload-Metadata": `filename ${base64(file.name)}` };
    const answer = await fetch(this.getAttribute("src"), { method: "POST", headers }).catch(() => null);
    if (!answer) throw new Refused("the server cannot be reached: choose it again later");
    if (answer.status !== 201) throw new Refused(await words(answer));
    const place = new URL(answer.headers.get("Location"), location.href).pathname;
    localStorage.setItem(key, JSON.stringify({ place, at: Date.now() }));
    return place;
  }

  part(place, offset, body) {
    const headers = { ...this.headers(), "Upload-Offset": String(offset), "Content-Type": "application/offset+octet-stream" };
    return fetch(place, { method: "PATCH", headers, body }).catch(() => null);
  }

  headers() {
    return { ...TUS, Accept: "application/json", "X-CSRFToken": this.form.querySelector("[name=csrfmiddlewaretoken]").value };
  }

  list(files) {
    const box = document.createElement("div");
    box.className = "upload-list";
    this.status = document.createElement("p");
    this.status.setAttribute("role", "status");
    this.status.textContent = `0 of ${files.length} files`;
    const list = document.createElement("ul");
    box.append(this.status, list);
    this.querySelector(".upload-list")?.remove();
    this.append(box);
    return files.map(({ path }) => row(list, path));
  }

  offer(done) {
    this.form.querySelector("button").disabled = false;
    if (!done.length) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Go on with the ${done.length} that were sent`;
    button.addEventListener("click", () => this.finish(done));
    this.querySelector(".upload-list").append(button);
  }

  finish(done) {
    const form = document.createElement("form");
    form.method = "post";
    form.action = this.getAttribute("finish");
    form.append(field("csrfmiddlewaretoken", this.form.querySelector("[name=csrfmiddlewaretoken]").value));
    for (const [id, path] of done) form.append(field("sent", `${id} ${path}`));
    document.body.append(form);
    form.submit();
  }
}

function field(name, value) {
  const input = document.createElement("input");
  Object.assign(input, { type: "hidden", name, value });
  return input;
}

function row(list, path) {
  const item = document.createElement("li");
  const bar = document.createElement("progress");
  const name = document.createElement("span");
  const state = document.createElement("span");
  name.textContent = path;
  bar.max = 100;
  bar.value = 0;
  bar.setAttribute("aria-label", path);
  item.append(name, bar, state);
  list.append(item);
  return {
    show: (offset, size) => (bar.value = (100 * offset) / size),
    say: (text) => (state.textContent = text),
    fail: (text) => {
      state.textContent = text;
      state.className = "worse";
    },
  };
}

function chosen(form) {
  const inputs = [...form.querySelectorAll("input[type=file]")];
  return inputs.flatMap((input) => [...input.files]).map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  return (await Promise.all(entries.map(walk))).flat();
}

async function walk(entry) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    return [{ file, path: entry.fullPath.replace(/^\//, "") }];
  }
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)); // a hundred at a time
    if (!some.length) break;
    found.push(...some);
  }
  return (await Promise.all(found.map(walk))).flat();
}

async function words(answer) {
  const told = await answer.json().catch(() => ({}));
  return told.detail ?? "was refused";
}

function base64(text) {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function forgetOld() {
  for (const key of Object.keys(localStorage).filter((each) => each.startsWith(KEY))) {
    const at = JSON.parse(localStorage.getItem(key) ?? "{}").at ?? 0;
    if (Date.now() - at > KEPT_MS) localStorage.removeItem(key);
  }
}

customElements.define("recording-upload", RecordingUpload);
