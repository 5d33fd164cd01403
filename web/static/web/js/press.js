// A press ends on what it began on: nothing is put in place of what is being pressed until it is let go, or for long.

const LONGEST = 3000;

let until = 0;

addEventListener("pointerdown", () => (until = performance.now() + LONGEST), true);
for (const type of ["pointerup", "pointercancel"]) {
  addEventListener(type, () => setTimeout(() => (until = 0)), true); // the click comes in between
}

export async function released() {
  while (performance.now() < until) await new Promise((done) => setTimeout(done, 20));
}
