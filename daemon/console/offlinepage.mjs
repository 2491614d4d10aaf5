// @ts-check
// Without a line: the page that was asked for is tried again with its whole address, and what is kept for the daemon is told.
const AGAIN_MS = 10_000;

// Whoever came to this page itself means the console.
const again = () => (location.pathname.endsWith('/offline.html') ? location.replace('./') : location.reload());
setTimeout(again, AGAIN_MS);
for (const link of document.querySelectorAll('a.again')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    again();
  });
}

/** The orders of this tab that were not answered yet, as the console keeps them. */
function kept() {
  try {
    const told = JSON.parse(sessionStorage.getItem(`arbiter-orders ${new URL('.', document.baseURI).pathname}`) ?? '{}');
    return (told.all ?? []).filter((/** @type {{ quiet?: boolean, refused?: string }} */ one) => !one.quiet && one.refused === undefined).length;
  } catch {
    return 0;
  }
}

const n = kept();
for (const place of document.querySelectorAll('.kept')) {
  if (!(place instanceof HTMLElement) || n === 0) continue;
  place.hidden = false;
  const count = place.querySelector('b');
  if (count) count.textContent = String(n);
}
