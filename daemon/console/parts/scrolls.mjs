// @ts-check
// A table that may be wider than the page. It scrolls sideways, by the keyboard too, and has a name.
import { html } from '../app/html.mjs';

/** @param {{ label: string, children?: unknown }} props */
export const Scrolls = ({ label, children }) => html`<div class="table-frame" tabindex="0" role="group" aria-label=${label}>${children}</div>`;
