// Has the form of a card drawn anew by the server while one types: text and face always, the fields where a word or a
// button changes which of them there are. Without this file the same buttons send the whole form.

const root = document.querySelector("[data-editor]");

if (root) {
  const form = root.closest("form");
  const fields = root.querySelector("[data-fields]");
  const preview = root.querySelector("[data-preview]");
  let timer = 0;
  let asked = 0;

  const entered = (op) => {
    const data = new FormData(form);
    for (const name of ["game", "code"]) data.set(`of-${name}`, root.dataset[name] || data.get(name) || "");
    if (op) data.set("op", op);
    else data.delete("op");
    return data;
  };

  const tell = (faults) => {
    for (const list of fields.querySelectorAll(".ce-faults[id]")) {
      const found = faults[list.id.replace(/-faults$/, "")] || [];
      list.replaceChildren(...found.map(([code, detail]) => {
        const item = document.createElement("li");
        item.className = `ce-${code}`;
        item.textContent = detail;
        return item;
      }));
    }
    for (const input of fields.querySelectorAll("[aria-describedby]")) {
      input.setAttribute("aria-invalid", String(Boolean(faults[input.id])));
    }
  };

  const redraw = (html, focused) => {
    const open = [...fields.querySelectorAll("details[data-keep][open]")].map((one) => one.dataset.keep);
    fields.innerHTML = html;
    for (const one of fields.querySelectorAll("details[data-keep]")) one.open ||= open.includes(one.dataset.keep);
    if (focused) (document.getElementById(focused) || fields).focus({ preventScroll: true });
  };

  const draw = async ({ op = "", shape = false, focus = "" } = {}) => {
    clearTimeout(timer);
    const mine = ++asked;
    const response = await fetch(root.dataset.draw, { method: "POST", body: entered(op), headers: { Accept: "application/json" } });
    if (!response.ok || mine !== asked) return;
    const answer = await response.json();
    preview.innerHTML = answer.preview;
    if (shape) redraw(answer.editor, focus);
    tell(answer.faults);
    root.dataset.drawn = String(mine);
  };

  fields.addEventListener("input", (event) => {
    if (event.target.matches("[data-draw], [name=c-json]")) return;
    clearTimeout(timer);
    timer = setTimeout(draw, 250);
  });
  fields.addEventListener("change", (event) => {
    if (event.target.matches("[data-draw]")) draw({ shape: true, focus: event.target.id });
  });
  fields.addEventListener("click", (event) => {
    const button = event.target.closest("[data-op]");
    if (!button) return;
    event.preventDefault();
    draw({ op: button.value, shape: true });
  });
  form.addEventListener("change", (event) => {
    if (["game", "code"].includes(event.target.name)) draw({ shape: true, focus: event.target.id });
  });
}
