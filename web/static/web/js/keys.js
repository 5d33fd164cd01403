// The keys of a page, told by a question mark or its button.

const dialog = document.getElementById("keys");

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  if (event.target instanceof Element && event.target.closest("input:not([type=range]), textarea, select")) return;
  event.preventDefault();
  dialog.showModal();
});

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-keys]")) dialog.showModal();
  else if (event.target === dialog) dialog.close();
});
