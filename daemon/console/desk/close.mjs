// @ts-check
// The end of a round: what keeps it open, and its files.
import { html } from '../app/html.mjs';
import { toBoard, toRound } from '../app/route.mjs';
import { actOn } from '../state/event.mjs';
import { useIsChief } from '../state/me.mjs';
import { restsOnDismissed, standOf } from '../state/tables.mjs';
import { say } from '../words/language.mjs';
import { confirm } from '../parts/confirm.mjs';
import { Download } from '../parts/download.mjs';
import { Icon } from '../parts/icon.mjs';

const FORMS = ['trf', 'pgn', 'csv', 'res'];

/** `next` is the first round that is not closed. @param {{ round: Round, next?: number }} props */
export function CloseRound({ round, next }) {
  const isChief = useIsChief();
  const games = round.pairings.filter((pairing) => pairing.black);
  const later = round.postponed.length > 0 && html`<p class="hint">${say('close.postponed', { n: round.postponed.length, tables: round.postponed.join(', ') })}</p>`;
  if (round.stage === 'closed') return html`<section class="panel"><h2><${Icon} name="check" /> ${say('close.done', { n: round.round })}</h2>${later}
    ${next && html`<p><a class="button" href=${toRound(next)}>${say('close.next', { n: next })}</a></p>`}</section>`;
  /** @param {string[]} kinds */
  const at = (...kinds) => games.filter((pairing) => kinds.includes(standOf(pairing, round)));
  /** @type {[Word, Pairing[]][]} */
  const open = [
    ['close.playing', at('none')],
    ['close.conflict', at('conflict')],
    ['close.proposed', at('proposed', 'typed', 'disputed')],
    ['close.unruled', games.filter(({ table }) => table !== null && round.unruled?.includes(table))],
    ['close.fell', games.filter((pairing) => restsOnDismissed(pairing, round))],
  ];
  const close = async () => {
    const text = leftTexts(open[3][1], open[4][1]).join(' ');
    if (text && !(await confirm({ title: say('close.ask', { n: round.round }), text, action: say('close.action', { n: round.round }) }))) return;
    actOn(`api/rounds/${round.round}/close`, {}, say('close.done', { n: round.round }));
  };
  const left = open.filter(([, tables]) => tables.length > 0);
  return html`
    <section class="panel" aria-label=${say('close.title', { n: round.round })}>
      <h2>${say('close.title', { n: round.round })}</h2>
      <ul class="check">${left.map(([word, tables]) => html`
        <li class="todo"><${Icon} name="cross" /><div>${say(word, { n: tables.length })}
          <span class="tables">${tables.slice(0, 12).map((pairing) => html` ${pairing.board ? html`<a href=${toBoard(pairing.board)}>${pairing.table}</a>` : pairing.table}`)}${tables.length > 12 ? ' …' : ''}</span></div></li>`)}
        ${left.length === 0 && html`<li class="done"><${Icon} name="check" /><div>${say('close.ready')}</div></li>`}</ul>
      ${later}
      ${isChief && html`<button class=${left.length === 0 ? 'strong' : ''} disabled=${round.open.length > 0 || round.stage !== 'under-way'} onClick=${close}>${say('close.action', { n: round.round })}</button>`}
    </section>
  `;
}

/**
 * What a round that is closed leaves: what nobody has ruled on, and losses that may rest on a finding which was dismissed since.
 * @param {Pairing[]} unruled
 * @param {Pairing[]} fallen
 */
export function leftTexts(unruled, fallen) {
  /** @param {Pairing[]} at */
  const placesOf = (at) => ({ n: at.length, tables: at.map(({ table }) => table).join(', ') });
  return [unruled.length > 0 && say('close.ask-text', placesOf(unruled)), fallen.length > 0 && say('close.fell-text', placesOf(fallen))].filter((text) => text !== false);
}

/** @param {{ round: Round }} props */
export function Exports({ round }) {
  return html`
    <section class="panel" aria-label=${say('desk.export')}>
      <h2>${say('desk.export')}</h2>
      <p class="files">${FORMS.map((form) => html`<${Download} href=${`api/rounds/${round.round}/export?format=${form}`} name=${`round-${round.round}.${form}`} text=${form.toUpperCase()} kind="button" />`)}</p>
      <p class="hint">${say('desk.export-hint')}</p>
    </section>
  `;
}
