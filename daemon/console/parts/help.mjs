// Keys and signs.
import { html } from '../app/html.mjs';
import { Tag } from './tag.mjs';

const KEYS = [
  ['j / k', 'next board, previous board'],
  ['← ↑ → ↓', 'among all boards: move; on one board: ← → step through the moves'],
  ['Enter', 'open the board'],
  ['Esc', 'back to all boards'],
  ['n', 'the next board that needs you'],
  ['u / d', 'uphold or dismiss the marked finding'],
  ['Home / End', 'first position, live position'],
  ['f', 'turn the board round'],
  ['?', 'this page'],
];

const SIGNS = [
  ['irregularity', 'Irregularity', 'A Law was broken. It says how sure: certain, likely, possible. You rule on it.'],
  ['doubt', 'Doubt', 'The evidence fits more than one account. Nobody is accused. An answer helps; later play may settle it.'],
  ['fault', 'Fault', 'The board or its line misbehaves. Never a player’s doing.'],
  ['restore', 'Restore', 'A position must stand on the board before play goes on.'],
];

const dialog = () => document.getElementById('help');

export function showHelp() {
  dialog()?.showModal();
}

export function Help() {
  return html`
    <dialog id="help" class="help" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl class="keys">${KEYS.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${text}</dd>`)}</dl>
      <h2>Signs</h2>
      <dl class="signs">${SIGNS.map(([kind, word, text]) => html`<dt><${Tag} kind=${kind} word=${word} /></dt><dd>${text}</dd>`)}</dl>
      <div class="buttons"><button class="strong" autofocus onClick=${() => dialog().close()}>Close</button></div>
    </dialog>
  `;
}
