// @ts-check
// Keys and signs.
import { html } from '../app/html.mjs';
import { say } from '../words/language.mjs';
import { LanguageChoice } from './languagechoice.mjs';
import { Tag } from './tag.mjs';

const KEYS = /** @type {const} */ ([
  ['j / k', 'jk'],
  ['← ↑ → ↓', 'arrows'],
  ['Enter', 'enter'],
  ['Esc', 'esc'],
  ['n', 'n'],
  ['u / d', 'ud'],
  ['g / l / t', 'incident'],
  ['Home / End', 'home'],
  ['[ / ]', 'replay'],
  ['1 – 5', 'views'],
  ['f', 'f'],
  ['?', 'help'],
]);

/** @type {Kind[]} */
const SIGNS = ['irregularity', 'doubt', 'fault', 'restore', 'proposed', 'ruled'];

const dialog = () => /** @type {HTMLDialogElement | null} */ (document.getElementById('help'));

export function showHelp() {
  dialog()?.showModal();
}

export function Help() {
  return html`
    <dialog id="help" class="help" aria-labelledby="help-title">
      <h2 id="help-title">${say('help.keys')}</h2>
      <dl class="keys">${KEYS.map(([key, name]) => html`<dt><kbd>${key}</kbd></dt><dd>${say(`key.${name}`)}</dd>`)}</dl>
      <h2>${say('help.signs')}</h2>
      <dl class="signs">${SIGNS.map((kind) => html`<dt><${Tag} kind=${kind} word=${say(`word.${kind}`)} /></dt><dd>${say(`sign.${kind}`)}</dd>`)}</dl>
      <h2>${say('bar.language')}</h2>
      <${LanguageChoice} />
      <div class="buttons"><button class="strong" autofocus onClick=${() => dialog()?.close()}>${say('close')}</button></div>
    </dialog>
  `;
}
