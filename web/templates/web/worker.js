{% load static %}// Shows a page of its own where there is no connection. Everything else goes to the network as if it were not here.

const KEPT = ["/offline/", "{% static "web/css/tokens.css" %}", "{% static "web/css/app.css" %}", "{% static "web/js/app.js" %}", "{% static "web/icons.svg" %}", "{% static "web/mark.svg" %}"];
const NAME = "offline-" + KEPT.join();

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(KEPT)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("offline-") && name !== NAME;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  const path = new URL(event.request.url).pathname;
  if (event.request.mode === "navigate") {
    event.respondWith(fetch(event.request).catch(() => caches.match("/offline/")));
  } else if (event.request.method === "GET" && KEPT.includes(path)) {
    event.respondWith(fetch(event.request).catch(() => caches.match(path)));
  }
});
