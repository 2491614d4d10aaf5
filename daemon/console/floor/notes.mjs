// @ts-check
// What arbiters noted of a table, an incident or a player: shown, and written.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { actOn } from '../state/event.mjs';
import { useIsArbiter, useNotes } from '../state/floor.mjs';
import { ownName } from '../state/name.mjs';
import { setNotice } from '../state/notice.mjs';
import { say, titled } from '../words/language.mjs';
import { momentOf } from '../record/times.mjs';
import { shrunk } from './photo.mjs';

/** @typedef {{ game?: string, incident?: string, round?: number, table?: number | null }} About */

/** So much of a note is shown while it waits. */
const SHOWN = 40;

/** Day and time as everywhere on a sheet. @param {string} at */
const moment = (at) => momentOf(new Date(at));

/**
 * Whether a note is about that: its incident, its game, or its table.
 * @param {Noted} note
 * @param {About} about
 */
export const isAbout = (note, about) => (Boolean(about.incident) && note.incident === about.incident)
  || (Boolean(about.game) && note.game === about.game)
  || (Boolean(about.table) && note.table === about.table && note.round === about.round);

/** The notes of a game, a table or an incident, with the means to write one. @param {{ about: About }} props */
export function Notes({ about }) {
  const isArbiter = useIsArbiter();
  const notes = useNotes().filter((note) => isAbout(note, about));
  if (!isArbiter || !(about.game || about.incident || about.table)) return null;
  return html`
    <section class="panel notes-panel" aria-label=${say('notes')}>
      <h2>${say('notes')} ${notes.length > 0 && html`<span class="count">${notes.length}</span>`}</h2>
      <${NoteList} notes=${notes} />
      <details class="more"><summary>${say('notes.write')}</summary><${NoteForm} about=${about.incident ? { incident: about.incident } : about.game ? { game: about.game } : { round: about.round, table: about.table }} /></details>
    </section>
  `;
}

/** `from`: below which address the pages are that have it. @typedef {Noted & { from?: string }} NotedAt */

/** @param {{ notes: NotedAt[], withTable?: boolean }} props */
export function NoteList({ notes, withTable }) {
  if (notes.length === 0) return null;
  return html`<ul class="note-list">${notes.map((note) => html`
    <li key=${`${note.from ?? ''}${note.number}`} data-note=${note.number}>
      <p class="sub"><time datetime=${note.at}>${moment(note.at)}</time>${note.by && ` · ${note.by}`}${withTable && ` · ${whatOf(note)}`}</p>
      ${note.text && html`<p class="note-text">${note.text}</p>`}
      ${note.photo && html`<a class="note-photo" href=${photoOf(note)} target="_blank" rel="noopener"><img src=${photoOf(note)} alt=${say('notes.photo-of', { what: whatOf(note) })} loading="lazy" /></a>`}
    </li>`)}</ul>`;
}

/** What waits to be noted is known by how it begins. @param {string} text */
const shortened = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text || say('notes.photo'));

/** @param {NotedAt} note */
const photoOf = ({ from = '', number }) => `${from}api/notes/${number}/photo`;

/** What a note is about, in words. @param {Noted} note */
function whatOf(note) {
  const names = note.about.map(({ name }) => name).join(' – ');
  return [note.table !== null && say('incident.table', { n: note.table }), names].filter(Boolean).join(', ') || note.game || note.incident;
}

/** @param {{ about: About, players?: EventDocument['players'] }} props */
export function NoteForm({ about, players }) {
  const [isSending, setSending] = useState(false);
  /** @param {FormEvent} submitted */
  const send = async (submitted) => {
    submitted.preventDefault();
    const form = submitted.currentTarget;
    const fields = new FormData(form);
    const [file, player] = [/** @type {File} */ (fields.get('photo')), fields.get('player')];
    setSending(true);
    const photo = file.size > 0 ? await shrunk(file) : undefined;
    if (photo === null) setNotice({ kind: 'refused', text: say('notes.no-photo') });
    const order = { ...about, text: fields.get('text'), author: ownName(), ...(photo && { photo }), ...(player && { player: Number(player) }) };
    if (photo !== null && await actOn('api/notes', order, say('done.note'), titled(say('notes'), shortened(String(order.text ?? ''))))) form.reset();
    setSending(false);
  };
  return html`
    <form class="form note-form" onSubmit=${send}>
      ${players && html`<label><span>${say('report.who')}</span><select name="player">${players.map((player) => html`<option value=${player.number}>${player.number} ${player.name}</option>`)}</select></label>`}
      <label><span>${say('notes.text')}</span><textarea name="text" rows="3" maxlength="2000"></textarea></label>
      <label><span>${say('notes.photo')}</span><input type="file" name="photo" accept="image/*" /></label>
      <button disabled=${isSending}>${say('notes.enter')}</button>
    </form>
  `;
}
