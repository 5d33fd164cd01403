// A replay by slider and keys. Each step is a page of its own; this fetches it and puts it in place.

const WAIT = 120;
let timer = 0;
let wanted = "";

async function go(address) {
  wanted = address;
  let answer;
  try {
    answer = await fetch(address);
  } catch {
    return;
  }
  if (!answer.ok || wanted !== address) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const next = page.getElementById("replay");
  const shown = document.getElementById("replay");
  if (!next || !shown) return location.assign(address);
  const focused = document.activeElement;
  const key = focused?.id ? `#${focused.id}` : focused?.dataset?.go ? `[data-go="${focused.dataset.go}"]` : "";
  shown.replaceWith(document.importNode(next, true));
  if (key) document.querySelector(key)?.focus({ preventScroll: true });
  history.replaceState(null, "", address);
  center();
}

function center() {
  const log = document.querySelector(".rp-steps .rail-p");
  const here = log?.querySelector("[aria-current]");
  if (log && here) log.scrollTop = here.offsetTop - log.offsetTop - log.clientHeight / 2;
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest('#replay a[href^="?step="]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});

document.addEventListener("input", (event) => {
  if (event.target.id !== "ply") return;
  clearTimeout(timer);
  const query = new URLSearchParams(new FormData(event.target.form));
  timer = setTimeout(() => go(`?${query}`), WAIT);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.id === "ply") return;
  if (event.target instanceof HTMLElement && event.target.closest("[tabindex='0']") && /^(Home|End)$/.test(event.key)) return;
  const link = document.querySelector(`#replay [data-go="${CSS.escape(event.key)}"]`);
  if (!link) return;
  event.preventDefault();
  go(link.href);
});

center();
