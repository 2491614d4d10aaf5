// @ts-check
// The evidence slider: the pieces move as the sensors saw them, lift by lift.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { isOfSeen } from '../app/route.mjs';
import { subscribe } from '../state/topics.mjs';
import { boardTime, eventText } from '../words/evidence.mjs';
import { codeTitle } from '../words/findings.mjs';
import { capital, say } from '../words/language.mjs';
import { localSan, moveNumber, symbolName } from '../words/pieces.mjs';
import { Chessboard } from '../parts/chessboard.mjs';
import { Icon } from '../parts/icon.mjs';
import { momentsOf, placementOfSquares, unknownIn, untilEnd } from './seen.mjs';

/** Between two moments while it plays: as they were, but no longer. */
const LONGEST_MS = 1_200;
/** Lines that are listed before and after. */
const NEAR = 4;

/** @param {{ game: GameDocument, view: import('./protocol.mjs').View, lines: InputLine[] }} props */
export function Replay({ game, view, lines }) {
  const moments = useMemo(() => untilEnd(game, view, momentsOf(view, lines)), [game, view, lines.length]);
  const last = moments.length - 1;
  const [at, setAt] = useState(last);
  const [plays, setPlays] = useState(false);
  const n = Math.min(at, last);
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  // Whoever comes from a board or an incident wants this, and not the record above it.
  useEffect(() => { if (isOfSeen()) place.current?.scrollIntoView(); }, []);
  useEffect(() => {
    if (!plays) return undefined;
    if (n >= last) {
      setPlays(false);
      return undefined;
    }
    const wait = Math.min(LONGEST_MS, Math.max(60, moments[n + 1].line.at - moments[n].line.at));
    const timer = setTimeout(() => setAt(n + 1), wait);
    return () => clearTimeout(timer);
  }, [plays, n, moments]);
  useEffect(() => subscribe('key', (said) => {
    const step = said === 'seen-before' ? -1 : said === 'seen-next' ? 1 : 0;
    if (step === 0) return;
    setPlays(false);
    // Keys may come faster than the page is drawn: each starts from where the one before led.
    setAt((now) => Math.max(0, Math.min(last, Math.min(now, last) + step)));
  }), [last]);
  if (last < 0) return null;
  const { line, squares, hand, touched } = moments[n];
  const unknown = unknownIn(squares);
  /** @type {Map<Key, string>} */
  const marks = new Map(unknown.map((square) => [/** @type {Key} */ (square), 'mark-unknown']));
  if (touched) marks.set(/** @type {Key} */ (touched), unknown.includes(touched) ? 'mark-pointed mark-unknown' : 'mark-pointed');
  const ply = view.plies.findLastIndex((one) => one.at <= line.at) + 1;
  /** @param {number} to */
  const go = (to) => {
    setPlays(false);
    setAt(Math.max(0, Math.min(last, to)));
  };
  /** @param {Finding} finding */
  const goTo = ({ evidence, at: raised }) => {
    const first = moments.findIndex(({ line: one }) => one.at >= (evidence[0]?.at ?? raised));
    go(first < 0 ? last : first);
  };
  return html`
    <section class="sheet replay no-print" ref=${place} aria-label=${say('replay.title')}>
      <h2>${say('replay.title')}</h2>
      <div class="replay-body">
        <div class="position"><${Chessboard} fen=${placementOfSquares(squares)} marks=${marks} coordinates label=${say('replay.label', { time: boardTime(line.at) })} /></div>
        <div class="slider">
          <button aria-label=${say('replay.back')} title=${`${say('replay.back')} ([)`} onClick=${() => go(n - 1)}><${Icon} name="back" /></button>
          <button onClick=${() => { if (n >= last) setAt(0); setPlays(!plays); }}>${say(plays ? 'replay.stop' : 'replay.play')}</button>
          <button aria-label=${say('replay.on')} title=${`${say('replay.on')} (])`} onClick=${() => go(n + 1)}><${Icon} name="forward" /></button>
          <input type="range" min="0" max=${last} value=${n} aria-label=${say('replay.slider')} aria-valuetext=${`${boardTime(line.at)}, ${eventText(line, lines, view)}`}
            onInput=${(/** @type {Event & { currentTarget: HTMLInputElement }} */ event) => go(Number(event.currentTarget.value))} />
          <span class="hint">${n + 1} / ${last + 1}</span>
        </div>
        <div class="replay-side">
          <p class="replay-now" aria-live="off"><time>${boardTime(line.at)}</time> <b>${capital(eventText(line, lines, view))}</b></p>
          <p>${hand.length > 0 ? say('replay.hand', { pieces: hand.map(({ piece, square }) => `${symbolName(piece)} (${square})`).join(', ') }) : say('replay.no-hand')}</p>
          ${unknown.length > 0 && html`<p class="unknown-pieces">${say('replay.unknown', { n: unknown.length, squares: unknown.join(', ') })}</p>`}
          <p class="hint">${ply > 0 ? say('position.after', { move: `${moveNumber(view, ply)} ${localSan(view.plies[ply - 1].san)}` }) : say('position.start')}</p>
          <ol class="near">${moments.slice(Math.max(0, n - NEAR), n + NEAR + 1).map((moment) => html`
            <li aria-current=${moment === moments[n] ? 'true' : null}><button class="quiet" onClick=${() => go(moments.indexOf(moment))}><time>${boardTime(moment.line.at)}</time> ${eventText(moment.line, lines, view)}</button></li>`)}</ol>
          ${view.findings.length > 0 && html`<div class="buttons" role="group" aria-label=${say('replay.findings')}>${view.findings.map((finding) => html`
            <button onClick=${() => goTo(finding)}><${Icon} name="irregularity" /> ${finding.id} ${codeTitle(finding.code)}</button>`)}</div>`}
        </div>
      </div>
      <p class="hint">${say('replay.hint')}</p>
    </section>
  `;
}
