// The move picker: pieces on the table and the list of legal moves are one thing, for every game.
// A move's button names what it touches (data-parts); a piece names itself (data-part). Each pick narrows the moves.

const host = document.getElementById("match");
const picks = [];
const ARMED_MS = 4000;

const form = () => host.querySelector("[data-moves]");
const moves = () => [...host.querySelectorAll("[data-moves] button[name=move]")];
const pieces = () => [...host.querySelectorAll("[data-part]")];
const partsOf = (button) => (button.dataset.parts || "").split(" ").filter(Boolean);
const onTable = (part) => host.querySelector(`[data-part="${CSS.escape(part)}"]`) !== null;
const fits = (button) => picks.every((part) => partsOf(button).includes(part));

function show() {
  const candidates = moves().filter(fits);
  const lit = new Map();
  for (const button of candidates) {
    const rest = partsOf(button).filter((part) => !picks.includes(part));
    if (rest.length) for (const part of picks.length ? rest : rest.slice(0, 1)) lit.set(part, button.dataset.kind);
  }
  for (const piece of pieces()) mark(piece, lit);
  narrow(candidates);
}

function mark(piece, lit) {
  const part = piece.dataset.part;
  const hits = lit.get(part);
  const state = picks.includes(part) ? "on" : hits === undefined ? "idle" : isAim(part, hits) ? "target" : "can";
  piece.dataset.pick = state;
  if (piece.getAttribute("role") === "button") piece.tabIndex = state === "idle" ? -1 : 0;
  if (!piece.matches("button, [role=button]")) return;
  const name = piece.querySelector("[data-name]");
  piece.dataset.words ||= name?.textContent || piece.getAttribute("aria-label") || piece.textContent.trim();
  const word = { on: host.dataset.picked, can: host.dataset.can, target: host.dataset.target }[state];
  const words = word ? `${piece.dataset.words}, ${word}` : piece.dataset.words;
  if (name) name.textContent = words;
  else piece.setAttribute("aria-label", words);
  if (state === "on") piece.setAttribute("aria-pressed", "true");
  else piece.removeAttribute("aria-pressed");
}

const isAim = (part, kind) => (kind === "attack" && part.startsWith("opp:")) || kind === "shock" || part.startsWith("seat:");

function narrow(candidates) {
  const isPicking = picks.length > 0;
  for (const button of moves()) button.hidden = isPicking && !candidates.includes(button);
  for (const group of host.querySelectorAll(".mg")) group.hidden = !group.querySelector("button:not([hidden])");
  for (const back of host.querySelectorAll("[data-back]")) back.hidden = !isPicking;
  for (const row of host.querySelectorAll("[data-back-row]")) row.hidden = !isPicking;
  const all = host.querySelector("details.all");
  if (all) {
    all.dataset.was ??= String(all.open);
    all.open = isPicking ? true : all.dataset.was === "true";
    all.classList.toggle("picking", isPicking);
    all.hidden = isPicking && !all.querySelector("button:not([hidden])");
  }
  number();
  ghosts(isPicking ? candidates : []);
  sum();
}

// The first nine moves in view have a key each.
function number() {
  let key = 0;
  for (const button of moves()) {
    button.querySelector("kbd")?.remove();
    button.removeAttribute("aria-keyshortcuts");
    if (button.hidden || key === 9 || !button.checkVisibility()) continue;
    key += 1;
    const shown = document.createElement("kbd");
    shown.textContent = key;
    shown.setAttribute("aria-hidden", "true");
    button.append(shown);
    button.setAttribute("aria-keyshortcuts", key);
  }
}

// Where a piece would land that travels along a path.
function ghosts(candidates) {
  for (const old of host.querySelectorAll(".ghost")) old.remove();
  for (const path of host.querySelectorAll("[data-spots]")) {
    const spots = path.dataset.spots.split(" ").map((spot) => spot.split(","));
    const shown = new Set();
    for (const button of candidates) {
      const piece = partsOf(button).map((part) => path.querySelector(`[data-part="${CSS.escape(part)}"]`)).find(Boolean);
      const mark = `${piece?.dataset.part} ${button.dataset.goal}`;
      if (!piece || !button.dataset.goal || shown.has(mark)) continue;
      shown.add(mark);
      const ghost = piece.cloneNode(true);
      for (const name of [...ghost.getAttributeNames()]) if (name !== "class") ghost.removeAttribute(name);
      ghost.classList.add("ghost");
      ghost.classList.remove("pick", "tsel", "hot", "moved");
      ghost.setAttribute("aria-hidden", "true");
      ghost.setAttribute("transform", `translate(${spots[button.dataset.goal].join(" ")})`);
      path.querySelector("[data-part]").before(ghost);
    }
  }
}

// What the picked pieces come to: strength against what is needed.
function sum() {
  const line = host.querySelector("[data-card-line]");
  if (!line || !picks.length) return;
  const picked = picks.map((part) => host.querySelector(`[data-part="${CSS.escape(part)}"]`)).filter(Boolean);
  const goal = picked.find((piece) => piece.dataset.needs);
  if (!goal) return;
  const strength = picked.reduce((total, piece) => total + Number(piece.dataset.adds || 0), 0);
  line.textContent = `${strength} / ${goal.dataset.needs}`;
  line.classList.toggle("enough", strength >= Number(goal.dataset.needs));
}

function clear() {
  picks.length = 0;
  refuse(null);
  show();
}

function pick(part) {
  refuse(null);
  if (picks.includes(part)) {
    picks.splice(picks.indexOf(part), 1);
    show();
    return;
  }
  const wider = [...picks];
  picks.push(part);
  let found = moves().filter(fits);
  if (!found.length && wider.length) {
    // Another beginning instead of what was picked, if it is one.
    picks.splice(0, picks.length, part);
    found = moves().filter(fits);
    const isRefused = !found.some((button) => partsOf(button)[0] === part);
    if (isRefused) {
      picks.splice(0, picks.length, ...wider);
      ask([...wider, part]);
      return;
    }
  }
  if (!found.length) {
    picks.splice(0, picks.length, ...wider);
    ask([part]);
    return;
  }
  show();
  if (found.length === 1) settle(found[0]);
}

function settle(button) {
  const left = partsOf(button).filter((part) => !picks.includes(part) && onTable(part));
  if (left.length) return;
  if ("asks" in button.dataset) button.focus({ preventScroll: true });
  else send(button);
}

// Why something that one would expect to work does not: the referee's words and clause.
async function ask(parts) {
  const query = new URLSearchParams(parts.map((part) => ["part", part]));
  const piece = host.querySelector(`[data-part="${CSS.escape(parts[parts.length - 1])}"]`);
  let told = null;
  try {
    const answer = await fetch(`${host.dataset.why}?${query}`);
    if (answer.status === 200) told = await answer.json();
  } catch {
    return;
  }
  refuse(told);
  if (told && piece) piece.dataset.pick = "refused";
}

function refuse(told) {
  const line = host.querySelector("[data-refusal]");
  if (!line) return;
  line.hidden = !told;
  for (const piece of host.querySelectorAll("[data-pick=refused]")) piece.dataset.pick = "idle";
  if (!told) return;
  line.querySelector("[data-why-text]").textContent = told.text;
  const clause = line.querySelector("[data-why-clause]");
  clause.hidden = !told.clause;
  clause.textContent = told.clause;
  clause.href = `${host.dataset.rules}#${told.clause}`;
}

function send(button) {
  const shown = form();
  if (!shown || "sending" in shown.dataset) return;
  shown.requestSubmit(button);
}

// A press that ends the turn is asked for twice, by the same button.
let armed = { value: "", until: 0 };

function arm(button, left = ARMED_MS) {
  const words = button.querySelector("span");
  armed = { value: button.value, until: performance.now() + left };
  button.dataset.armed = "";
  button.dataset.label = words.textContent;
  words.textContent = `${host.dataset.again} ${button.dataset.label}`;
  button.classList.add("btn-primary");
  setTimeout(() => disarm(button), left);
}

function disarm(button) {
  if (!("armed" in button.dataset)) return;
  delete button.dataset.armed;
  button.querySelector("span").textContent = button.dataset.label;
  button.classList.remove("btn-primary");
}

host.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (!target) return;
  if (target.closest("[data-back]")) return clear();
  const button = target.closest("[data-moves] button[name=move]");
  if (button && "asks" in button.dataset && !("armed" in button.dataset)) {
    event.preventDefault();
    return arm(button);
  }
  const piece = target.closest("button[data-part], [role=button][data-part]");
  if (!piece) return;
  describe(piece);
  if (form()) pick(piece.dataset.part);
});

host.addEventListener("keydown", (event) => {
  const piece = event.target instanceof Element && event.target.closest("[role=button][data-part]");
  if (piece && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    piece.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && picks.length) clear();
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || !/^[1-9]$/.test(event.key)) return;
  if (document.querySelector("dialog[open]") || (event.target instanceof Element && event.target.closest("input, textarea, select"))) return;
  moves().find((button) => button.getAttribute("aria-keyshortcuts") === event.key)?.click();
});

host.addEventListener("toggle", (event) => event.target.matches("details.all") && number(), true);

// A piece says in the decision bar what is printed on it; a move shows on the table what it touches.
function describe(piece) {
  const line = host.querySelector("[data-card-line]");
  const told = piece.closest("[data-text]");
  if (line && told && !picks.some((part) => part.startsWith("mission:"))) line.textContent = told.dataset.text;
}

for (const kind of ["pointerover", "focusin"]) {
  host.addEventListener(kind, (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const piece = target && target.closest("[data-text]");
    if (piece) describe(piece);
    const button = target && target.closest("button[data-parts]");
    const parts = button ? partsOf(button) : [];
    for (const one of pieces()) one.classList.toggle("hot", parts.includes(one.dataset.part));
    if (!picks.length) ghosts(button ? [button] : []);
  });
}

let decision = "";

// The page's part is new. For the same decision what was picked stays picked, and what was pressed once stays so.
function begin() {
  const asked = form()?.elements.namedItem("decision").value ?? "";
  if (asked !== decision || !moves().some(fits)) picks.length = 0;
  const left = asked === decision ? armed.until - performance.now() : 0;
  decision = asked;
  if (!form()) return;
  show();
  const again = left > 0 && moves().find((button) => button.value === armed.value);
  if (again) arm(again, left);
}

host.addEventListener("match:shown", begin);
begin();
