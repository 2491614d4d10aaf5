// @ts-check
// A penalty of Article 12.9: what may be imposed, and of time what both clocks are to show then. At a table, in an incident and in the report.
import { useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { toRound } from '../app/route.mjs';
import { isRunning } from '../state/clock.mjs';
import { useBegun } from '../state/basis.mjs';
import { actOn, useEventFile } from '../state/event.mjs';
import { useIsArbiter, useSeat } from '../state/floor.mjs';
import { timeText } from '../words/incidents.mjs';
import { keptText } from '../words/kept.mjs';
import { KINDS, penaltyText, penaltyWithReason } from '../words/penalties.mjs';
import { say, titled } from '../words/language.mjs';
import { COLOURS } from '../words/players.mjs';
import { ask } from '../parts/ask.mjs';
import { useSeconds } from '../parts/seconds.mjs';
import { addedText, sumsOf, sumText, toSet } from './sums.mjs';
import { addedSince } from './given.mjs';
import { ToBeSet, keepPenaltyToBeSet } from './toset.mjs';

/** Of these something has to be said besides: so many points or rounds, so much money. */
const WITH_AMOUNT = new Set(['points', 'fine', 'exclusion']);
/** These bring a result, or another one: whoever gives results enters it. */
const WITH_RESULT = new Set(['opponent-points', 'points', 'game']);

/** @typedef {(typeof KINDS)[number]} Kind */
/** @typedef {import('./sums.mjs').Sum} Sum */
/** @typedef {import('./sums.mjs').Seat} Seat */

/** @param {string} kind @returns {kind is 'time' | 'offender-time'} */
const isOfTime = (kind) => kind === 'time' || kind === 'offender-time';

/**
 * `noted`: all penalties of the event; `offender`: whom it is about at first; `seatOf`: where he sits.
 * @param {{ players: { number: number, name: string }[], round: number, noted: EventDocument['penalties'], offender?: number, seatOf: (player: number) => Seat | null }} props
 */
export function PenaltyForm({ players, round, noted, offender, seatOf }) {
  const [kind, setKind] = useState(/** @type {Kind} */ ('warning'));
  const [player, setPlayer] = useState(offender ?? players[0].number);
  const [minutes, setMinutes] = useState('2');
  const begun = useBegun(noted);
  useSeconds();
  const ms = Math.round(Number(minutes) * 60) * 1000;
  const seat = seatOf(player);
  const sums = () => (isOfTime(kind) && seat && ms > 0 ? sumsOf(seat, kind, ms) : null);
  const shown = sums();
  const lacks = shown?.find(({ to }) => to < 0);
  /** @param {FormEvent} submitted */
  const give = async (submitted) => {
    submitted.preventDefault();
    if (lacks) return;
    const form = submitted.currentTarget;
    const { reason, amount } = Object.fromEntries(new FormData(form));
    const set = sums();
    const done = [say('done.penalty'), set && keptText(toSet(set))].filter(Boolean).join(' ');
    const upon = begun.seen().filter((one) => one.round === round && one.player === player).length;
    // Refused, it is decided anew upon what has come meanwhile.
    begun.anew();
    const told = await actOn('api/penalties', { player, round, what: noteText(kind, ms, set, String(amount ?? '')), time: timeOf(kind, ms), reason, upon }, done, done, say(set ? 'done.penalty-late' : 'done.penalty'));
    if (!told) return;
    form.reset();
    setKind('warning');
    // What waits for the line may yet be refused.
    const noted = told.penalties?.findLast((/** @type {EventDocument['penalties'][number]} */ one) => one.round === round && one.player === player);
    if (set && seat && noted) keepPenaltyToBeSet(seat.board.game, toSet(set), noted, seat.colour);
  };
  /** @template T @param {(value: T) => void} set @param {(text: string) => T} read */
  const onChoice = (set, read) => (/** @type {Event & { currentTarget: HTMLInputElement | HTMLSelectElement }} */ event) => set(read(event.currentTarget.value));
  return html`
    <form class="form penalty-form" onSubmit=${give} onInput=${begun.begin}>
      <label><span>${say('report.who')}</span><select name="player" value=${player} onChange=${onChoice(setPlayer, Number)}>${players.map((one) => html`<option value=${one.number}>${one.number} ${one.name}</option>`)}</select></label>
      <label><span>${say('report.penalty')}</span><select name="what" value=${kind} onChange=${onChoice(setKind, (text) => /** @type {Kind} */ (text))}>${KINDS.map((one) => html`<option value=${one}>${say(`penalty.${one}`)}</option>`)}</select></label>
      ${isOfTime(kind) && html`<label><span>${say('penalty.minutes')}</span><input name="minutes" type="number" min="0.5" max="60" step="0.5" required value=${minutes} onInput=${onChoice(setMinutes, String)} /></label>
        <${Times} sums=${shown} board=${seat?.board} />
        ${lacks && html`<p class="problem" role="alert">${say('penalty.lacks', { by: lacks.colour })}</p>`}`}
      ${WITH_AMOUNT.has(kind) && html`<label><span>${say('penalty.amount')}</span><input name="amount" required maxlength="40" autocomplete="off" /></label>`}
      ${WITH_RESULT.has(kind) && html`<p class="hint">${say('penalty.no-result')} <a href=${toRound(round)}>${say('desk.round', { n: round })}</a></p>`}
      <label class="wide"><span>${say('grid.reason')}</span><input name="reason" required maxlength="200" autocomplete="off" /></label>
      <button disabled=${Boolean(lacks)}>${say('penalty.enter')}</button>
    </form>
  `;
}

/** What it changes on the clocks. @param {Kind} kind @param {number} ms */
const timeOf = (kind, ms) => (isOfTime(kind) ? { of: kind === 'time' ? 'opponent' : 'offender', seconds: ms / 1000 } : undefined);

/** One may be like another but for when it was noted, and what for. @param {EventDocument['penalties'][number]} one */
export const penaltyLine = (one) => titled([say('desk.round', { n: one.round }), one.at && timeText(Date.parse(one.at))].filter(Boolean).join(', '), penaltyWithReason(one));

/** Takes one back, with why. @param {EventDocument['penalties'][number]} one @param {string | number} name */
export async function takePenaltyBack(one, name) {
  const { player, round, what, at } = one;
  const reason = await ask({ title: say('penalty.why', { name, what: penaltyText(what) }), text: penaltyLine(one), label: say('grid.reason'), action: say('given.take-back') });
  if (reason !== null) await actOn('api/penalties/take-back', { player, round, what, at: at || undefined, reason }, say('done.penalty-back'));
}

/** What both clocks are to show, before it is given. @param {{ sums: Sum[] | null, board?: Shown }} props */
function Times({ sums, board }) {
  if (!sums || !board) return html`<p class="hint">${say('penalty.no-clock')}</p>`;
  const runs = COLOURS.some((colour) => isRunning(board, colour));
  return html`<ul class="sums">${sums.map((sum) => html`<li class=${sum.add === 0 ? 'hint' : ''}>${sumText(sum)}</li>`)}</ul>
    ${runs && html`<p class="hint">${say('penalty.runs')}</p>`}`;
}

/**
 * What is written down: `more time for the opponent, +2:00 (Black 0:41:07 + 2:00 = 0:43:07; White 0:35:10)`.
 * @param {Kind} kind
 * @param {number} ms
 * @param {Sum[] | null} sums
 * @param {string} amount
 */
function noteText(kind, ms, sums, amount) {
  const more = isOfTime(kind) ? addedText(kind === 'time' ? ms : -ms) : amount.trim();
  const clocks = sums ? ` (${sums.map(sumText).join('; ')})` : '';
  return `${[say(`penalty.${kind}`), more].filter(Boolean).join(', ')}${clocks}`;
}

/**
 * At a table and in an incident, for whoever may note penalties: what both players have of this round, and one more. `by`: who is at fault, as far as that is said;
 * `alone`: nothing else there says what both clocks are to show.
 * @param {{ game: string, board: Shown | null, by?: Party, alone?: boolean }} props
 */
export function GivePenalty({ game, board, by, alone }) {
  const isArbiter = useIsArbiter();
  const { told: event } = useEventFile(isArbiter && game ? 'api/event' : null, undefined, 'open close penalise take-penalty-back give-time take-time-back');
  const { round, pairing } = useSeat(game, undefined, board?.round);
  if (!isArbiter || !event?.open || !round || !pairing?.black) return null;
  const seats = { white: pairing.white, black: pairing.black };
  const players = COLOURS.map((colour) => seats[colour]);
  /** @param {number} number */
  const nameOf = (number) => players.find((one) => one.number === number)?.name;
  const given = event.penalties.filter((/** @type {EventDocument['penalties'][number]} */ one) => one.round === round.round && nameOf(one.player));
  /** @param {number} number @returns {Seat | null} */
  const seatOf = (number) => (board ? { board, colour: number === seats.white.number ? 'white' : 'black', added: addedSince(board, event, round.round, pairing) } : null);
  return html`
    ${alone && html`<${ToBeSet} game=${game} noted=${event.penalties} />`}
    <details class="more give-penalty"><summary>${say('penalty.give')}</summary>
      ${given.length > 0 && html`<ul class="plain-list">${given.map((/** @type {EventDocument['penalties'][number]} */ one) => html`<li>${titled([nameOf(one.player), one.at && timeText(Date.parse(one.at))].filter(Boolean).join(', '), penaltyWithReason(one))}
        ${' '}<button type="button" class="quiet" onClick=${() => takePenaltyBack(one, nameOf(one.player) ?? one.player)}>${say('given.take-back')}</button></li>`)}</ul>`}
      <${PenaltyForm} key=${game} players=${players} round=${round.round} noted=${event.penalties} offender=${by && by !== 'either' ? seats[by].number : undefined} seatOf=${seatOf} />
    </details>
  `;
}
