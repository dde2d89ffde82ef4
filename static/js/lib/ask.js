/* JSON and bytes from and to the server. What goes wrong is thrown as a Failure: its message is for people, its kind
   tells a page which cure to offer. "browser" is thrown by players that got their bytes and cannot show them. */

const WORDS = {
  session: "Your session has ended.",
  stale: "This page is out of date: somebody signed in or out meanwhile. Load it again.",
  forbidden: "Your account may not see this recording. Ask an administrator.",
  unreachable: "The server cannot be reached. Check the connection.",
  gone: "This recording is no longer on the server. Choose another run.",
  server: "The server had an error. If it stays, tell the people who run it.",
  browser: "This browser cannot show the recording. Download it below, or use a current Chrome, Edge or Firefox.",
};

export class Failure extends Error {
  constructor(kind, words = WORDS[kind]) {
    super(words);
    this.kind = kind;
  }
}

export async function ask(address, { signal } = {}) {
  return json(await answerOf(address, { headers: { Accept: "application/json" }, signal }));
}

export async function post(address, data = {}, { signal } = {}) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token };
  return json(await answerOf(address, { method: "POST", headers, body: JSON.stringify(data), signal }));
}

export async function askBytes(address, { signal } = {}) {
  const answer = await answerOf(address, { signal });
  return new Uint8Array(await answer.arrayBuffer().catch((error) => cutOff(error)));
}

/** Throw what stands in the way of an address, without fetching what is there. */
export async function probe(address, { signal } = {}) {
  await answerOf(address, { method: "HEAD", signal });
}

/* Somebody who is logged in is led elsewhere by none of these addresses but those of recordings, and then to another
   server, the object store: a redirect within this one goes to the login page. */
async function answerOf(address, options) {
  const answer = await fetch(address, options).catch((error) => cutOff(error));
  const sentAway = answer.redirected && new URL(answer.url).origin === location.origin;
  if (sentAway || answer.status === 401) throw new Failure("session");
  if (answer.status === 403) throw await refusal(answer);
  if (answer.status === 404) throw new Failure("gone");
  if (!answer.ok) throw new Failure("server");
  return answer;
}

/* 403 is said of what this role may not (X-Refused; the message says who may), of a lost session, and of a form token that
   belongs to another one. Whether the session goes on is asked of this page, which leads to the login page without one. */
async function refusal(answer) {
  const { message, detail } = await answer.json().catch(() => ({}));
  if (answer.headers.has("X-Refused")) return new Failure("forbidden", message);
  if (String(detail).startsWith("CSRF")) return new Failure("stale");
  const page = await fetch(location.href, { redirect: "manual" }).catch((error) => cutOff(error));
  return new Failure(page.type === "opaqueredirect" || page.status === 401 ? "session" : "forbidden");
}

function cutOff(error) {
  throw error.name === "AbortError" ? error : new Failure("unreachable");
}

async function json(answer) {
  return answer.json().catch((error) => {
    throw error instanceof SyntaxError ? new Failure("server") : cutOff(error);
  });
}
