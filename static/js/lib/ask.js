/* JSON from and to the server. An answer that is no JSON becomes {error}. */

export async function ask(address) {
  return read(await fetch(address, { headers: { Accept: "application/json" } }));
}

export async function post(address, data = {}) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token };
  return read(await fetch(address, { method: "POST", headers, body: JSON.stringify(data) }));
}

async function read(answer) {
  return answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
}
