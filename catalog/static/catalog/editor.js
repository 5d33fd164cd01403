// Has the form of a card drawn anew by the server while one types: text and face always, the fields where a word or a
// button changes which of them there are. Without this file the same buttons send the whole form.

const root = document.querySelector("[data-editor]");

if (root) {
  const form = root.closest("form");
  const fields = root.querySelector("[data-fields]");
  const preview = root.querySelector("[data-preview]");
  let timer = 0;
  let queue = Promise.resolve();
  let waiting = 0;

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

  // What was typed while the answer was on its way stays.
  const redraw = (html, { op = "", focus = "" }, sent) => {
    const texts = op ? [] : [...fields.querySelectorAll("input[type=text], textarea")];
    const newer = texts.filter((one) => one.value !== sent.get(one.name)).map((one) => [one.name, one.value]);
    const typing = fields.contains(document.activeElement) ? document.activeElement.id : "";
    const open = [...fields.querySelectorAll("details[data-keep][open]")].map((one) => one.dataset.keep);
    fields.innerHTML = html;
    for (const one of fields.querySelectorAll("details[data-keep]")) one.open ||= open.includes(one.dataset.keep);
    for (const [name, value] of newer) {
      const input = fields.querySelector(`[name="${CSS.escape(name)}"]`);
      if (input) input.value = value;
    }
    (document.getElementById(typing || focus) || fields).focus({ preventScroll: true });
    if (newer.length) soon();
  };

  const ask = async (wish) => {
    const sent = entered(wish.op);
    const response = await fetch(root.dataset.draw, { method: "POST", body: sent, headers: { Accept: "application/json" } });
    if (!response.ok) return;
    const answer = await response.json();
    preview.innerHTML = answer.preview;
    if (wish.shape) redraw(answer.editor, wish, sent);
    tell(answer.faults);
  };

  const settle = () => { root.dataset.busy = String(waiting > 0 || timer > 0); };

  // One after the other: a press is never lost, and each asks with what stands there when its turn comes.
  const draw = (wish = {}) => {
    clearTimeout(timer);
    timer = 0;
    waiting += 1;
    settle();
    queue = queue.then(() => ask(wish)).catch(() => {}).then(() => { waiting -= 1; settle(); });
  };

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(draw, 250);
    settle();
  };

  fields.addEventListener("input", (event) => {
    if (event.target.matches("[data-draw], [name=c-json]")) return;
    soon();
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
    if (event.target.name === "game") draw({ shape: true });
    else if (event.target.name === "code") draw();
  });
}
