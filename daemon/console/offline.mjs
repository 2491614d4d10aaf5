// @ts-check
// Beside the pages: where the daemon cannot be reached, a page that says so. Nothing else is kept, for it might be old.
const SHELL = ['offline.html', 'offlinepage.mjs', 'css/base.css', 'icon.svg'];
const KEPT = 'shell-2';
const worker = /** @type {any} */ (self);

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(SHELL)).then(() => worker.skipWaiting()));
});

worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const isOfShell = SHELL.some((file) => new URL(file, worker.registration.scope).href === request.url);
  if (request.mode !== 'navigate' && !isOfShell) return;
  event.respondWith(fetch(request).catch(async () => (await caches.match(isOfShell ? request : 'offline.html')) ?? Response.error()));
});
