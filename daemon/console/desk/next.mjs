// @ts-check
// The pairings of a round from a file: first what it would do, as a table; then in one act.
import { useRef, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { go, toRound } from '../app/route.mjs';
import { actOn, askOf } from '../state/event.mjs';
import { say } from '../words/language.mjs';
import { resultText } from '../words/findings.mjs';
import { oddityText } from '../words/oddities.mjs';
import { confirm } from '../parts/confirm.mjs';
import { restsOnDismissed } from '../state/tables.mjs';
import { leftTexts } from './close.mjs';

/** @typedef {Loaded['pairings'][number]} Seated */

/** @param {{ event: EventDocument, round: Round | null }} props */
export function NextRound({ event, round }) {
  const [file, setFile] = useState(/** @type {{ name: string, base64: string } | null} */ (null));
  const [plan, setPlan] = useState(/** @type {Loaded | null} */ (null));
  const [refused, setRefused] = useState(/** @type {{ lines: (() => string[]) | null }} */ ({ lines: null }));
  const next = (event.rounds.at(-1)?.round ?? 0) + 1;
  const [number, setNumber] = useState('');
  const last = useRef(0);
  /** @param {{ name: string, base64: string } | null} chosen @param {string} wanted */
  const look = async (chosen, wanted) => {
    setFile(chosen);
    setRefused({ lines: null });
    last.current += 1;
    const asked = last.current;
    if (!chosen) return setPlan(null);
    const looked = await askOf('api/pairings', { file: chosen.base64, dry_run: true, or_round: next, ...(wanted && { round: Number(wanted) }) });
    // What was typed since is looked at after it.
    if (asked !== last.current) return;
    setPlan(looked.told);
    setRefused({ lines: looked.refused });
  };
  /** @param {Event & { currentTarget: HTMLInputElement }} change */
  const choose = async ({ currentTarget: input }) => {
    const [one] = input.files ?? [];
    if (!one) return;
    const chosen = await read(one);
    // The same file, corrected since, is chosen again: a browser says nothing where the name is the one it has.
    input.value = '';
    look(chosen, number);
  };
  const draw = async () => {
    if (!file || !plan) return;
    if (closes && round && !(await askToClose(round, plan.round))) return;
    if (closes && round && !(await actOn(`api/rounds/${round.round}/close`, {}, '', say('close.done', { n: round.round })))) return;
    const done = await actOn('api/pairings', { file: file.base64, round: plan.round }, say('done.drawn', { n: plan.round }));
    if (!done) return;
    setFile(null);
    setPlan(null);
    go(toRound(plan.round));
  };
  const closes = Boolean(plan && round && round.stage === 'under-way' && plan.round > round.round && round.open.length === 0);
  const holds = Boolean(plan && round && round.stage === 'under-way' && plan.round > round.round && round.open.length > 0);
  return html`
    <section class="panel next-round" aria-label=${say('draw.title')}>
      <h2>${say('draw.title')}</h2>
      <p class="hint">${say('draw.hint')}</p>
      <label class="file-choice"><span class="button">${say('draw.choose')}</span>
        <input type="file" class="spoken" accept=".trf,.trfx,.pgn,.csv,.txt,.xlsx,.ods,.xls,.lst" onChange=${choose} /></label>
      ${file && html`<p class="chosen" role="status">${say('draw.file')}: <b>${file.name}</b></p>`}
      <label class="field"><span>${say('draw.round')}</span>
        <input type="number" min="1" max="99" placeholder=${next} value=${number} onInput=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ change) => { setNumber(change.currentTarget.value); look(file, change.currentTarget.value); }} /></label>
      ${refused.lines && html`<ul class="notes problem" role="alert">${refused.lines().map((line) => html`<li>${line}</li>`)}</ul>`}
      ${plan && html`<${Plan} event=${event} plan=${plan} before=${round?.round === plan.round ? round : null} isFirst=${event.rounds.length === 0} />
        ${holds && html`<p class="hint">${say('draw.holds', { round: round?.round, n: round?.open.length })}</p>`}
        <button class="strong" disabled=${plan.changes.length === 0} onClick=${draw}>${closes ? say('draw.close-and', { n: round?.round, next: plan.round }) : say('draw.action', { n: plan.round })}</button>`}
    </section>
  `;
}

/**
 * What is final with it, and what is left open: a closed round is not opened again.
 * @param {Round} round
 * @param {number} next
 */
function askToClose(round, next) {
  const { unruled, postponed, pairings } = round;
  const isUnruled = (/** @type {Pairing} */ { table }) => table !== null && Boolean(unruled?.includes(table));
  const lines = [say('draw.ask-text', { n: round.round }), ...leftTexts(pairings.filter(isUnruled), pairings.filter((pairing) => restsOnDismissed(pairing, round)))];
  if (postponed.length > 0) lines.push(say('close.postponed', { n: postponed.length, tables: postponed.join(', ') }));
  return confirm({ title: say('draw.ask', { n: round.round, next }), text: lines.join(' '), action: say('draw.close-and', { n: round.round, next }) });
}

/** Which round it is, and whether the file says so. @param {Loaded} plan */
const wouldText = ({ round: n, says_round: isOfFile }) => say(isOfFile ? 'draw.would' : 'draw.would-unsaid', { n });

/** What would be different, each kind with how often. @param {Loaded} plan */
function changesText({ changes }) {
  const kinds = [...new Set(changes.map(({ change }) => change))];
  const texts = kinds.map((kind) => say(/** @type {Word} */ (`draw.change-${kind}`), { n: changes.filter(({ change }) => change === kind).length }));
  return new Intl.ListFormat(document.documentElement.lang).format(texts);
}

/** What is another at a table, or of a bye; null where nothing is. @param {Loaded} plan @param {Seated} pairing @returns {Word | null} */
function changedText({ changes }, { table, white, black }) {
  const isOf = (/** @type {{ table: number | null, white?: number }} */ of) => of.table === table && (table !== null || !('white' in of) || of.white === white.number);
  const seats = [white.number, black?.number];
  const player = changes.some((change) => change.change === 'player' && change.before.name !== change.after.name && seats.includes(change.after.number));
  /** @type {[Loaded['changes'][number]['change'], Word][]} */
  const texts = [['drawn', 'draw.row-drawn'], ['redrawn', 'draw.row-redrawn'], ['result', 'draw.row-result'], ['start', 'draw.row-start']];
  const found = texts.find(([kind]) => changes.some((change) => change.change === kind && 'table' in change && isOf(change)));
  return found ? found[1] : player ? 'draw.row-player' : null;
}

/** Who would not play each other any more: at a table, or with a bye. @param {{ event: EventDocument, plan: Loaded, before: Round | null }} props */
function Gone({ event, plan, before }) {
  const gone = plan.changes.flatMap((change) => (change.change === 'gone' ? [change] : []));
  if (gone.length === 0) return null;
  const name = (/** @type {number | null} */ number) => event.players.find((player) => player.number === number)?.name ?? String(number ?? '');
  const result = (/** @type {number | null} */ table) => before?.pairings.find((pairing) => pairing.table === table && table !== null)?.result;
  return html`<p class="problem">${say('draw.gone', { n: gone.length })}</p>
    <ul class="notes">${gone.map(({ table, white, black }) => html`<li>${table === null ? say('draw.gone-bye', { player: name(white) }) : say('draw.gone-table', { table, white: name(white), black: name(black) })}${result(table) ? ` (${resultText(String(result(table)))})` : ''}</li>`)}</ul>`;
}

/** What a file would do. In the first round everybody is new. @param {{ event: EventDocument, plan: Loaded, before: Round | null, isFirst: boolean }} props */
function Plan({ event, plan, before, isFirst }) {
  const fresh = plan.changes.flatMap((change) => (change.change === 'enters' ? [change.player] : []));
  return html`
    <p><b>${wouldText(plan)}</b> ${plan.changes.length === 0 ? say('draw.nothing') : say('draw.changes', { what: changesText(plan) })}</p>
    ${plan.renamed !== null && html`<p class="problem">${say('draw.renamed', { name: plan.renamed })}</p>`}
    <${Gone} event=${event} plan=${plan} before=${before} />
    ${plan.oddities.length > 0 && html`<ul class="notes">${plan.oddities.map((oddity) => html`<li>${oddityText(oddity)}</li>`)}</ul>`}
    ${fresh.length > 0 && html`<details class="more" open=${!isFirst}><summary>${say('draw.new', { n: fresh.length })}</summary>
      <ul class="notes">${fresh.map(({ number, title, name, rating }) => html`<li>${[number, title, name, rating].filter(Boolean).join(' ')}</li>`)}</ul></details>`}
    <div class="plan" tabindex="0" role="group" aria-label=${wouldText(plan)}>
      <table class="grid"><thead><tr><th scope="col">${say('grid.table')}</th><th scope="col">${say('new.white')}</th><th scope="col">${say('new.black')}</th></tr></thead>
        <tbody>${[...plan.pairings, ...plan.byes].map((pairing) => ({ pairing, changed: isFirst ? null : changedText(plan, pairing) })).map(({ pairing, changed }) => html`
          <tr class=${changed ? 'is-changed' : ''}><th scope="row">${pairing.table ?? '–'}</th><td>${pairing.white.name}</td><td>${pairing.black ? pairing.black.name : say('draw.bye')}${pairing.board || !pairing.black ? '' : html` <span class="hint">${say('draw.bare')}</span>`}${changed && html` <span class="hint changed">${say(changed)}</span>`}</td></tr>`)}</tbody></table>
    </div>
  `;
}

/**
 * A file in Base64, as orders carry it.
 * @param {File | undefined} file
 * @returns {Promise<{ name: string, base64: string } | null>}
 */
function read(file) {
  if (!file) return Promise.resolve(null);
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, base64: String(reader.result).replace(/^[^,]*,/, '') });
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}
