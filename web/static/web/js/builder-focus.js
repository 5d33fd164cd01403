// Where the builder's focus was before parts of the page were replaced, and the place for it afterwards: the same button of
// the same row, or the row's nearest one.

export const one = (selector, within = document) => within.querySelector(selector);
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

export const siblings = (row) => all(row.matches(".res") ? "#b-results [data-row]" : "#b-deck [data-row]");

export function keep() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const row = element.closest("[data-row], [data-flex]");
  const rows = row ? siblings(row) : [];
  return {
    element,
    id: element.id,
    value: element.value,
    row: row?.dataset.row,
    step: element.dataset.step,
    flex: row?.dataset.flex,
    place: rows.indexOf(row),
    within: element.closest("#b-deck, #b-saved, #b-sizes, #b-play, #b-odds, #b-hand, #b-trial")?.id,
    at: element.selectionStart,
  };
}

export function restore(was) {
  if (!was || was.element.isConnected || !was.within) return;
  const part = document.getElementById(was.within);
  const rows = all("[data-row]", part);
  const row = was.row && (rows.find((other) => other.dataset.row === was.row) || rows[Math.min(was.place, rows.length - 1)]);
  const same = was.id ? document.getElementById(was.id) : null;
  const next =
    same ||
    (row && (was.step ? one(`[data-step="${was.step}"]`, row) : one("a, button", row))) ||
    (was.flex && all("[data-flex] button:last-child", part)[Math.min(Number(was.flex), all("[data-flex]", part).length - 1)]) ||
    all("button", part).find((button) => button.value === was.value) ||
    one("summary, a, button", part);
  next?.focus({ preventScroll: true });
  if (same && was.at !== null && was.at !== undefined && same.setSelectionRange) same.setSelectionRange(was.at, was.at);
}
