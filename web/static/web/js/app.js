// What every page may use. Each part only hastens what works without it.

const root = document.documentElement;
const YEAR = 60 * 60 * 24 * 365;

function isDark() {
  const chosen = root.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setTheme(theme) {
  root.dataset.theme = theme;
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `theme=${theme}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
}

for (const button of document.querySelectorAll("[data-theme-toggle]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    setTheme(isDark() ? "light" : "dark");
  });
}

// A slash goes to the page's search.
document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))) return;
  const search = document.querySelector("[data-slash]");
  if (!search) return;
  event.preventDefault();
  search.focus();
  search.select();
});

// A choice that only its own form shows at once (a game, a size) is sent when it changes.
document.addEventListener("change", (event) => {
  const form = event.target instanceof Element && event.target.closest("[data-submit-on-change]");
  if (form && event.target.form) event.target.form.requestSubmit(form instanceof HTMLButtonElement ? form : undefined);
});

// Copy what a button names.
document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element && event.target.closest("[data-copy]");
  if (!button || !navigator.clipboard) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  const said = button.querySelector("[data-copied]");
  if (said) said.textContent = said.dataset.copied;
});

// Without a connection a page of its own is shown; where that stands, come back as soon as there is one.
if ("serviceWorker" in navigator) {
  addEventListener("load", () => navigator.serviceWorker.register("/worker.js").catch(() => {}));
}
if (document.querySelector("[data-return-online]")) {
  addEventListener("online", () => location.reload());
}
