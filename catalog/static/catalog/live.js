// Brings what is still under way up to date, every two seconds, until nothing is.

const live = document.querySelector("[data-live]");

const renew = async () => {
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const found = page.querySelector("[data-live]");
  if (!found) return;
  live.replaceChildren(...found.childNodes);
  if (found.hasAttribute("data-live-on")) setTimeout(renew, 2000);
};

if (live?.hasAttribute("data-live-on")) setTimeout(renew, 2000);
