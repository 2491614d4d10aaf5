// @ts-check
// All boards at a glance, those that need the arbiter first.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { useExpected } from '../state/floor.mjs';
import { useLink } from '../state/link.mjs';
import { boardById, isWaiting, useOrder } from '../state/store.mjs';
import { ENDED } from '../state/urgency.mjs';
import { say } from '../words/language.mjs';
import { Card } from './card.mjs';

/** So few boards are shown larger. */
const FEW = 8;

export function Hall() {
  const ids = useOrder();
  const { status } = useLink();
  const held = useHeldFocus();
  const expected = useExpected();
  if (ids.length === 0) return html`<p class="empty">${say(status === 'live' ? 'hall.none' : 'hall.connecting')}</p>`;
  /** @type {{ waiting: string[], playing: string[], unbegun: string[], ended: string[] }} */
  const { waiting, playing, unbegun, ended } = { waiting: [], playing: [], unbegun: [], ended: [] };
  /** @param {string} id */
  const isDone = (id) => (expected.has(id) ? Boolean(expected.get(id)?.result) : boardById(id)?.urgency.rank === ENDED);
  // Before its game has begun nobody is at play there, whatever stands on the board.
  const isAwaited = (/** @type {string} */ id) => expected.get(id)?.result === '';
  for (const id of ids) (isWaiting(id) ? waiting : isDone(id) ? ended : isAwaited(id) ? unbegun : playing).push(id);
  return html`
    <h1 class="spoken">${say('bar.all')}</h1>
    <div class=${ids.length <= FEW ? 'hall few' : 'hall'} ...${held}>
      <${Group} title=${say('hall.waiting')} kind="waiting" ids=${waiting} expected=${expected} />
      <${Group} title=${say('hall.playing')} kind="playing" ids=${playing} expected=${expected} />
      <${Group} title=${say('absent')} kind="unbegun" ids=${unbegun} expected=${expected} />
      <${Group} title=${say('hall.ended')} kind="ended" ids=${ended} expected=${expected} />
    </div>
  `;
}

/** @type {Map<string, unknown>} */
const cards = new Map();

/** A card renders itself when its board changes: where only others move, it is the same one. @param {string} id */
function cardOf(id) {
  const card = cards.get(id) ?? html`<li key=${id}><${Card} id=${id} /></li>`;
  cards.set(id, card);
  return card;
}

/** @param {{ title: string, kind: string, ids: string[], expected?: Map<string, import('../state/floor.mjs').Expected> }} props */
function Group({ title, kind, ids, expected }) {
  if (ids.length === 0) return null;
  return html`
    <section class=${`group group-${kind}`} aria-label=${title}>
      <h2>${title} <span class="count">${ids.length}</span></h2>
      <ul class="cards">${ids.map((id) => (expected?.has(id) ? html`<li key=${id}><${Card} id=${id} expected=${expected.get(id)} /></li>` : cardOf(id)))}</ul>
    </section>
  `;
}

/** A card that moves to another place keeps the keyboard. */
function useHeldFocus() {
  const holder = useRef(/** @type {string | null} */ (null));
  useLayoutEffect(() => {
    if (!holder.current || document.activeElement !== document.body) return;
    const card = document.querySelector(`a.card[data-board="${CSS.escape(holder.current)}"]`);
    if (card instanceof HTMLElement) card.focus({ preventScroll: true });
  });
  /** @param {FocusEvent & { target: HTMLElement }} event */
  const onFocusIn = (event) => { holder.current = event.target.dataset.board ?? null; };
  return { onFocusIn };
}
