// @ts-check
// Starts the console.
import { render } from 'preact';
import { html } from './html.mjs';
import { App } from './app.mjs';
import { startLive } from '../state/live.mjs';

const root = document.getElementById('console');
if (root) {
  root.replaceChildren();
  render(html`<${App} />`, root);
  startLive();
  // As an app, where the browser trusts the certificate; else it is a plain page.
  navigator.serviceWorker?.register(new URL('offline.mjs', document.baseURI), { type: 'module' }).catch(() => {});
}
