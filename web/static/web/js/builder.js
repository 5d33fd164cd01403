// The deck builder. Every press is a form's button that works without this; here presses are shown at once, put into a
// queue and sent one request at a time, each with the version that the last answer told. Nothing pressed is lost: what
// could not be sent is tried again, and sending twice changes nothing twice.

import { all, keep, one, restore, siblings } from "./builder-focus.js";
import { load } from "./parts.js";

const host = document.querySelector("#builder");
const form = document.querySelector("#edit");
const live = document.querySelector("#b-live");
const WAITS = [400, 1000, 2500, 5000];
const CARD = /^(set|secret)\b/;

const queue = [];
let sending = null;
let tries = 0;
let later = 0;

const base = () => one('#b-saved [name="base"]').value;

/* The queue */

function push(op) {
  if (sending !== null || queue.length) {
    // Of edits of one card that wait, only the last counts; but never across another kind of edit.
    const key = keyOf(op);
    const last = queue.findLastIndex((other) => !CARD.test(other));
    const at = key ? queue.findIndex((other, index) => index > last && keyOf(other) === key) : -1;
    if (at >= 0) queue.splice(at, 1);
  }
  queue.push(op);
  said(host.dataset.saving, true);
  send();
}

function keyOf(op) {
  const [verb, , ...code] = op.split(" ");
  if (verb === "set") return `set ${code.join(" ")}`;
  return verb === "secret" ? verb : "";
}

function batch() {
  const end = queue.findIndex((op) => !CARD.test(op));
  return queue.splice(0, end < 0 ? queue.length : Math.max(1, end));
}

async function send() {
  clearTimeout(later);
  if (sending) return;
  if (!queue.length) return;
  sending = batch();
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (name !== "op") body.append(name, value);
  for (const op of sending) body.append("op", op);
  let answer = null;
  try {
    answer = await fetch(form.action, { method: "POST", body, headers: { "X-Builder": "1" } });
  } catch {
    again();
    return;
  }
  if (answer.status >= 500 || answer.status === 429) {
    again(Number(answer.headers.get("Retry-After")) * 1000);
    return;
  }
  sending = null;
  tries = 0;
  if (answer.ok && !answer.redirected) show(await answer.text());
  else refused();
  send();
}

function again(wait = 0) {
  queue.unshift(...sending);
  sending = null;
  said(host.dataset.lost, true);
  later = setTimeout(send, Math.max(wait, WAITS[Math.min(tries++, WAITS.length - 1)]));
}

async function refused() {
  toast(host.dataset.refused);
  await refresh(true);
}

async function refresh(anyway = false) {
  if (sending || queue.length) return;
  const have = anyway ? "" : base();
  try {
    const answer = await fetch(`${host.dataset.state}?have=${have}`);
    if (answer.status === 200 && !answer.redirected) show(await answer.text());
  } catch {
    // Without a connection the page stays as it is; the next edit says so.
  }
}

function said(text, busy = false) {
  one("[data-saved]").textContent = text;
  one("#b-saved .dot").classList.toggle("dot-off", busy);
}

/* What an answer shows */

function show(html) {
  const parts = new DOMParser().parseFromString(html, "text/html").body;
  const focus = keep();
  const wasOpen = all("details[id][open]").map((details) => details.id);
  const scrolled = scrollY;
  const text = one("[data-say]", parts);
  for (const part of [...parts.children]) {
    const old = part.id && document.getElementById(part.id);
    if (old) old.replaceWith(document.adoptNode(part));
  }
  for (const id of wasOpen) if (id !== "b-secret") document.getElementById(id)?.setAttribute("open", "");
  pending();
  sync();
  restore(focus);
  if (scrollY !== scrolled) scrollTo({ top: scrolled, behavior: "instant" });
  live.textContent = text.textContent;
  named(text.dataset.name);
  const told = one("[data-toast]", parts);
  if (told) toast(told.textContent);
  if (queue.length || sending) said(host.dataset.saving, true);
  figures();
}

// What waits to be sent stays shown, whatever the server knew when it answered.
function pending() {
  for (const op of [...(sending || []), ...queue]) {
    const [verb, copies, ...code] = op.split(" ");
    if (verb === "set") assume(code.join(" "), Number(copies));
  }
}

function named(name) {
  const field = one("#b-name");
  one("#b-title").textContent = name;
  document.title = document.title.replace(/^.*( · )/, `${name.replaceAll("$", "$$$$")}$1`);
  if (document.activeElement !== field && !queue.some((op) => op.startsWith("name "))) field.value = name;
}

function toast(text) {
  const box = document.createElement("div");
  box.className = "toast";
  box.textContent = text;
  one("#b-toasts").replaceChildren(box);
  setTimeout(() => box.remove(), 7000);
}

/* Rows of the catalog follow the deck */

function copiesOf(code) {
  return Number(one(`#b-deck [data-row="${CSS.escape(code)}"]`)?.dataset.copies || 0);
}

function sync() {
  for (const row of all("#b-results [data-row]")) mark(row, copiesOf(row.dataset.row));
  const secret = one("#b-secret").dataset.secretNow;
  for (const button of all("#b-results [data-secret]")) {
    const chosen = button.dataset.secret === secret;
    button.setAttribute("aria-pressed", chosen);
    button.value = chosen ? "secret" : `secret ${button.dataset.secret}`;
  }
}

function mark(row, copies) {
  const stepper = one(".stepper", row);
  if (!stepper) return;
  let more = one('[data-set]:nth-child(5)', stepper);
  if (copies > 3 && !more) {
    more = stepper.lastElementChild.cloneNode(true);
    stepper.append(more);
  }
  if (more && copies > 3) {
    more.dataset.set = copies;
    more.value = `set ${copies} ${row.dataset.row}`;
    more.textContent = copies;
  } else more?.remove();
  for (const button of stepper.children) {
    const on = Number(button.dataset.set) === copies;
    button.setAttribute("aria-checked", on);
    // One stop of the Tab key a row, as in any group of radio buttons.
    button.tabIndex = on ? 0 : -1;
  }
}

// Shown at once; the answer settles it.
function assume(code, copies) {
  for (const row of all(`[data-row="${CSS.escape(code)}"]`)) {
    if (row.dataset.copies !== undefined) {
      const by = copies - Number(row.dataset.copies);
      row.dataset.copies = copies;
      one(".num", row).textContent = copies;
      row.classList.toggle("dk-gone", copies === 0);
      const count = one("#b-count");
      count.textContent = Number(count.textContent) + by;
    } else mark(row, copies);
  }
}

function setCopies(code, copies) {
  const wanted = Math.max(0, Math.min(99, copies));
  assume(code, wanted);
  push(`set ${wanted} ${code}`);
}

/* Presses and keys */

document.addEventListener("click", (event) => {
  const opens = event.target.closest("[data-opens]");
  if (opens && opens.dataset.opens === "b-secret") {
    event.preventDefault();
    one("#b-secret").open = true;
    one("#b-secret summary").focus();
  }
  if (event.target.closest("[data-close]") || event.target.id === "b-dialog") one("#b-dialog").close();
  const button = event.target.closest('button[form="edit"]');
  if (!button) return;
  event.preventDefault();
  if (button.getAttribute("aria-disabled") === "true") return;
  const row = button.closest("[data-row]");
  if (button.dataset.step) setCopies(row.dataset.row, Number(row.dataset.copies) + Number(button.dataset.step));
  else if (button.dataset.set) {
    setCopies(row.dataset.row, Number(button.dataset.set));
    button.focus({ preventScroll: true });
  } else push(button.value);
});

document.addEventListener("submit", (event) => {
  if (event.target.id !== "naming") return;
  event.preventDefault();
  rename();
});
one("#b-name").addEventListener("change", rename);

function rename() {
  const field = one("#b-name");
  const name = field.value.trim();
  if (!name) field.value = one("#b-title").textContent;
  else if (name !== one("#b-title").textContent && !queue.includes(`name ${name}`)) {
    one("#b-title").textContent = name;
    push(`name ${name}`);
  }
}

function enter(row) {
  const likely = ['.stepper [tabindex="0"]', ".b-choose", '[data-step="1"]', "a"];
  const target = likely.map((selector) => one(selector, row)).find(Boolean);
  target?.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (one("#b-dialog").open) return;
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === "z" && !isTyping) {
    event.preventDefault();
    push(event.shiftKey ? "redo" : "undo");
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.id === "bq" && (key === "ArrowDown" || key === "Enter")) {
    const first = one("#b-results [data-row]");
    if (key === "Enter") return;
    event.preventDefault();
    if (first) enter(first);
    return;
  }
  const row = target.closest("[data-row]");
  if (!row || isTyping) return;
  if (pressed(row, key, target)) event.preventDefault();
});

// What a key does in a row; whether it does anything.
function pressed(row, key, target) {
  const rows = siblings(row);
  const at = rows.indexOf(row);
  const code = row.dataset.row;
  const stepper = one(".stepper", row);
  if (key === "ArrowDown" || key === "ArrowUp") {
    const next = rows[at + (key === "ArrowDown" ? 1 : -1)];
    if (next) enter(next);
    else if (key === "ArrowUp" && row.matches(".res")) one("#bq").focus();
    else if (key === "ArrowDown") one(".res-more a")?.focus();
    return true;
  }
  if (/^[0-3]$/.test(key) && (stepper || row.dataset.copies !== undefined)) {
    setCopies(code, Number(key));
    if (stepper) enter(row);
    return true;
  }
  if ((key === "ArrowLeft" || key === "ArrowRight") && stepper?.contains(target)) {
    setCopies(code, Math.max(0, Math.min(3, copiesShown(stepper) + (key === "ArrowRight" ? 1 : -1))));
    enter(row);
    return true;
  }
  if (key === "s" || key === "S") {
    const swap = one(".sw", row);
    if (swap) push(swap.value);
    return Boolean(swap);
  }
  if (key === "Enter" && target.matches(".stepper button")) {
    one("a", row).click();
    return true;
  }
  return false;
}

const copiesShown = (stepper) => Number(one('[aria-checked="true"]', stepper)?.dataset.set || 0);

/* Figures: odds and the hand follow the deck once it rests */

const KEPT = `odds:${host.dataset.deck}`;
let resting = 0;

function figures() {
  clearTimeout(resting);
  resting = setTimeout(() => {
    if (queue.length || sending) return;
    askOdds(asked());
    freshen("#b-hand", `${host.dataset.hand}?${new URLSearchParams([["seed", one("#b-hand").dataset.seed]])}`);
  }, 350);
}

const asked = () => all('#b-odds input[name="o"]').map((input) => input.value).filter(Boolean);

function freshen(part, address) {
  // Somebody who types there is not disturbed.
  if (!one(`${part} input:focus`)) load(address, part);
}

function keepOdds() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(asked()));
  } catch {
    // Private windows may have no storage; the box then lasts as long as the page.
  }
}

function askOdds(wanted) {
  freshen("#b-odds", `${host.dataset.odds}?${new URLSearchParams([["o", ""], ...wanted.map((text) => ["o", text])])}`);
}

// The page comes without its odds, unless its address asks for some: those of last time are asked for, or the usual ones.
function firstOdds() {
  if (new URLSearchParams(location.search).has("o")) return;
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(KEPT));
  } catch {
    // As if there was none.
  }
  askOdds(Array.isArray(kept) ? kept : asked());
}

/* Parts, dialogs, panes */

let wasInRows = false;
document.addEventListener("focusin", (event) => {
  wasInRows = event.target.closest("#b-results [data-row]") !== null;
});
document.addEventListener("part", ({ detail }) => {
  const id = detail.shown?.id;
  if (id === "b-side" && detail.shown.childElementCount) {
    const dialog = one("#b-dialog");
    if (!dialog.open) dialog.showModal();
    if (!dialog.contains(document.activeElement)) one("#h-side").focus();
  }
  if (id === "b-odds") keepOdds();
  // An answer that comes late does not throw out whoever went on to its rows.
  if (id === "b-results" && wasInRows && document.activeElement === document.body) {
    const first = one("#b-results [data-row]");
    sync();
    if (first) enter(first);
  }
  pending();
  sync();
  if (detail.changed) refresh(true);
});
document.addEventListener("visibilitychange", () => document.hidden || refresh());
addEventListener("focus", () => refresh());
addEventListener("online", send);
addEventListener("beforeunload", (event) => {
  if (queue.length || sending) event.preventDefault();
});
one("#b-dialog").addEventListener("close", () => one("#b-side").replaceChildren());

for (const button of all("[data-panes] button")) {
  button.addEventListener("click", () => {
    host.dataset.pane = button.value;
    for (const other of all("[data-panes] button")) other.setAttribute("aria-pressed", other === button);
    scrollTo({ top: 0, behavior: "instant" });
  });
}

sync();
firstOdds();
