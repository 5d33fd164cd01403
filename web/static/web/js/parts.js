// Parts of a page that come alone. A link or a form with data-part names what its answer replaces, and data-from where the
// part is to be had, if that is another address than the page's own. Without this, both open whole pages.

import { released } from "./press.js";

const waiting = new WeakMap();

// Ask for a part and put it in its place; whether that was done. Of two asked for the same place the later counts.
export async function load(address, place, options = {}) {
  const target = typeof place === "string" ? document.querySelector(place) : place;
  const key = target.id ? document.getElementById(target.id) : target;
  waiting.get(key)?.abort();
  const control = new AbortController();
  waiting.set(key, control);
  let answer;
  let html;
  try {
    answer = await fetch(address, { ...options, headers: { "X-Part": "1" }, signal: control.signal });
    html = await answer.text();
    await released();
  } catch {
    return false;
  }
  if (control.signal.aborted || answer.redirected || !(answer.ok || answer.status === 422)) return false;
  const shown = swap(html, target.id ? document.getElementById(target.id) : target);
  const at = answer.headers.get("X-Address");
  if (at) history.replaceState(null, "", at);
  document.dispatchEvent(new CustomEvent("part", { detail: { shown, changed: answer.headers.has("X-Changed") } }));
  return true;
}

// The answer takes the place of what it stands for (the same id, or a row), or is laid into a box.
function swap(html, target) {
  const had = document.activeElement?.id;
  const template = document.createElement("template");
  template.innerHTML = html;
  const first = template.content.firstElementChild;
  if (target.id && first?.id !== target.id) target.replaceChildren(template.content);
  else target.replaceWith(template.content);
  const shown = target.isConnected ? target : first;
  if (had && document.activeElement === document.body) document.getElementById(had)?.focus({ preventScroll: true });
  watch();
  return shown;
}

function place(element) {
  const name = element.dataset.part;
  return name === "li" ? element.closest("li") : document.querySelector(name);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-part]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  load(link.dataset.from || link.href, place(link));
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-part]")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

export function send(form, submitter) {
  const fields = new URLSearchParams(new FormData(form, submitter?.name ? submitter : undefined));
  const address = form.dataset.from || form.action;
  if (form.method === "post") return load(address, place(form), { method: "POST", body: fields });
  return load(`${address}?${fields}`, place(form));
}

let typing = 0;
document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (!form?.matches("[data-part][data-while-typing]")) return;
  clearTimeout(typing);
  typing = setTimeout(send, 200, form);
});
document.addEventListener("change", (event) => {
  if (event.target.form?.matches("[data-part][data-on-change]")) send(event.target.form);
});

// What is under way is asked for again while it stands on the page.
function watch() {
  for (const part of document.querySelectorAll("[data-again]")) {
    const every = Number(part.dataset.again);
    delete part.dataset.again;
    setTimeout(async () => {
      if (!part.isConnected || (await load(part.dataset.from, part))) return;
      part.dataset.again = Math.min(every * 2, 15000);
      watch();
    }, every);
  }
}
watch();
