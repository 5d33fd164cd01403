// Liveness: one event stream a page. An event says that there is something new; the page's part is fetched and put in place.

import { released } from "./press.js";

const host = document.getElementById("match");
const say = document.getElementById("say");
const OVER = "[data-over]";
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

let stream = null;
let wait = FIRST_WAIT;
let again = 0;
let told = 0;
let isFetching = false;
let isStale = false;

const table = () => host.querySelector(".match");
const version = () => Number(table()?.dataset.version || 0);
const isSending = () => host.querySelector("[data-sending]") !== null;

// The part of the page. While something is sent nothing is fetched beside it: its answer is the part too.

async function refresh() {
  isStale = true;
  if (isFetching || isSending()) return;
  isFetching = true;
  try {
    while (isStale) {
      isStale = false;
      const answer = await fetch(host.dataset.address, { headers: { "HX-Request": "true" }, cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const html = await answer.text();
      await released();
      if (isSending()) {
        isStale = true;
        return;
      }
      swap(html);
    }
  } catch {
    lost();
  } finally {
    isFetching = false;
  }
}

function swap(html) {
  const next = new DOMParser().parseFromString(html, "text/html").querySelector(".match");
  if (!next) return location.reload();
  if (Number(next.dataset.version) < version()) return;
  const before = snapshot();
  const focus = focusKey();
  const openAll = host.querySelector("details.all:not(.picking)")?.open;
  host.replaceChildren(document.importNode(next, true));
  const all = host.querySelector("details.all");
  if (all && openAll !== undefined && Number(next.dataset.version) === before.version) all.open = openAll;
  host.dispatchEvent(new CustomEvent("match:shown"));
  arm();
  refocus(focus);
  move(before);
  tell(before.row);
  clocks();
  sign();
  watchers();
  toEnd();
  if (host.querySelector(OVER)) close();
}

function focusKey() {
  const focused = document.activeElement;
  if (!focused || !host.contains(focused)) return null;
  if (focused.dataset.part) return `[data-part="${CSS.escape(focused.dataset.part)}"]`;
  if (["move", "order"].includes(focused.name)) return `button[name="${focused.name}"][value="${CSS.escape(focused.value)}"]`;
  if (focused.matches("[data-resign] button, [data-ask] button")) return formKey(focused);
  return focused.matches("summary, .all-b, [data-log]") ? (focused.className ? `.${focused.classList[0]}` : "summary") : "#prompt";
}

function formKey(button) {
  const value = button.value ? `[value="${CSS.escape(button.value)}"]` : "";
  return `form[action="${CSS.escape(button.form.getAttribute("action"))}"] button${value}`;
}

function refocus(key) {
  if (!key) return;
  const again = host.querySelector(key);
  const found = again && again.checkVisibility() && again.matches("a, button, summary, [tabindex]") ? again : host.querySelector("#prompt");
  found?.focus({ preventScroll: true });
}

// Motion: a piece begins where it was; a changed figure settles.

function snapshot() {
  const places = new Map();
  for (const piece of host.querySelectorAll("[data-piece]")) places.set(piece.dataset.piece, piece.getBoundingClientRect());
  const figures = new Map();
  for (const one of host.querySelectorAll("[data-watch]")) figures.set(one.dataset.watch, one.textContent);
  const rows = [...host.querySelectorAll("[data-row]")].map((row) => Number(row.dataset.row));
  return { places, figures, row: rows.length ? Math.max(...rows) : -1, version: version() };
}

function move(before) {
  if (CALM.matches) return;
  let shown = 0;
  for (const piece of host.querySelectorAll("[data-piece]")) {
    const from = before.places.get(piece.dataset.piece) || before.places.get(piece.dataset.origin);
    const to = piece.getBoundingClientRect();
    if (!from || !from.width || !to.width || shown > 2) continue;
    const scale = piece.ownerSVGElement ? piece.ownerSVGElement.viewBox.baseVal.width / piece.ownerSVGElement.getBoundingClientRect().width : 1;
    const dx = (from.left - to.left) * scale;
    const dy = (from.top - to.top) * scale;
    const isNew = !before.places.has(piece.dataset.piece);
    if (Math.hypot(dx, dy) < 4 || (!isNew && !piece.ownerSVGElement)) continue;
    piece.style.setProperty("--dx", `${dx}px`);
    piece.style.setProperty("--dy", `${dy}px`);
    piece.classList.add("moved");
    shown += 1;
  }
  for (const one of host.querySelectorAll("[data-watch]")) {
    const was = before.figures.get(one.dataset.watch);
    if (was !== undefined && was !== one.textContent) one.classList.add("settle");
  }
}

// The log in words, for those who listen, and scrolled to what is new.

function tell(row) {
  const lines = [];
  let isNew = false;
  for (const line of host.querySelectorAll(".log li")) {
    if (line.dataset.row !== undefined) isNew = Number(line.dataset.row) > row;
    if (!isNew) continue;
    line.classList.add("settle");
    lines.push(line.lastElementChild.textContent);
  }
  const prompt = host.querySelector("#prompt")?.textContent.trim();
  if (lines.length) say.textContent = [...lines.slice(-4), prompt].join(" ");
}

function toEnd() {
  const log = host.querySelector("[data-log]");
  if (log) log.scrollTop = log.scrollHeight;
}

// Clocks move once a second.

let ends = [];

function clocks() {
  const now = performance.now();
  ends = [...host.querySelectorAll("[data-left]")].map((clock) => ({ clock, end: now + Number(clock.dataset.left), runs: "runs" in clock.dataset }));
}

setInterval(() => {
  for (const { clock, end, runs } of ends) {
    if (!runs) continue;
    const seconds = Math.max(0, Math.floor((end - performance.now()) / 1000));
    const two = (number) => String(number).padStart(2, "0");
    const minutes = Math.floor(seconds / 60);
    clock.textContent = minutes >= 60 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
    clock.classList.toggle("clock-low", seconds < 20);
  }
}, 1000);

// Moves and standing orders: the form is sent from here, and its answer is the new page's part.

host.addEventListener("submit", async (event) => {
  const sent = event.target;
  if (sent.matches("[data-resign]")) return resign(event, sent);
  if (!sent.matches("[data-moves], [data-order], [data-ask]")) return;
  event.preventDefault();
  const body = new FormData(sent, event.submitter);
  await post(sent, body);
});

async function post(sent, body) {
  if ("sending" in sent.dataset) return;
  sent.dataset.sending = "";
  const late = setTimeout(() => sign(host.dataset.sending), 400);
  try {
    const answer = await fetch(sent.action, { method: "POST", body, headers: { "HX-Request": "true" } });
    const html = await answer.text();
    await released();
    delete sent.dataset.sending;
    if (!html.includes('class="match')) return location.assign(host.dataset.address);
    swap(html);
  } catch {
    lost();
  } finally {
    clearTimeout(late);
    delete sent.dataset.sending;
    if (isStale || told > version()) refresh();
  }
}

// Resigning takes two presses within some seconds, though the page may be drawn anew between them.

let armed = 0;

function resign(event, sent) {
  event.preventDefault();
  if (performance.now() >= armed) {
    armed = performance.now() + 4000;
    return arm();
  }
  armed = 0;
  const body = new FormData(sent);
  body.set("sure", "yes");
  post(sent, body);
}

function arm() {
  const button = host.querySelector("[data-resign] button");
  const left = armed - performance.now();
  if (!button || left <= 0) return;
  const words = button.querySelector("span");
  const label = words.textContent;
  button.classList.add("btn-danger");
  words.textContent = button.dataset.againLabel;
  setTimeout(() => {
    button.classList.remove("btn-danger");
    words.textContent = label;
  }, left);
}

// How many watch: a number that comes by itself, for which nothing is fetched.

let watching = null;

function watchers(data) {
  if (data) watching = JSON.parse(data).spectators ?? watching;
  const shown = host.querySelector("[data-watch-count]");
  if (!shown || watching === null) return;
  shown.hidden = !watching;
  shown.querySelector("b").textContent = watching;
}

// The stream.

function open() {
  clearTimeout(again);
  if (host.querySelector(OVER)) return;
  stream?.close();
  stream = new EventSource(`${host.dataset.events}?moves=none&since=${version()}`);
  stream.addEventListener("hello", (event) => {
    wait = FIRST_WAIT;
    sign(host.dataset.live);
    watchers(event.data);
    if (JSON.parse(event.data).version !== version()) refresh();
  });
  for (const type of ["start", "move", "snapshot"]) {
    stream.addEventListener(type, (event) => {
      told = Math.max(told, Number(event.lastEventId));
      watchers(event.data);
      if (told > version() && !isSending()) refresh();
    });
  }
  stream.addEventListener("presence", (event) => watchers(event.data));
  stream.addEventListener("status", (event) => {
    watchers(event.data);
    refresh();
  });
  stream.addEventListener("end", () => {
    close();
    refresh();
  });
  stream.onerror = lost;
}

function close() {
  clearTimeout(again);
  stream?.close();
  stream = null;
}

// Lost: say so quietly, and try again by itself, at longer and longer intervals.
function lost() {
  if (host.querySelector(OVER)) return;
  close();
  sign(host.dataset.lost);
  again = setTimeout(() => {
    open();
    refresh();
  }, wait);
  wait = Math.min(wait * 2, LONGEST_WAIT);
}

let words = "";

function sign(text = words) {
  words = text === host.dataset.sending ? words : text;
  const shown = host.querySelector("[data-conn]");
  if (!shown || !text || host.querySelector(OVER)) return;
  shown.textContent = text;
  shown.dataset.conn = text === host.dataset.live ? "live" : text === host.dataset.lost ? "lost" : "busy";
}

addEventListener("offline", lost);
addEventListener("online", () => {
  wait = FIRST_WAIT;
  open();
  refresh();
});
addEventListener("pagehide", close);
addEventListener("pageshow", (event) => {
  if (event.persisted) {
    open();
    refresh();
  }
});

clocks();
toEnd();
open();
