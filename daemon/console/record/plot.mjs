// @ts-check
// Both clocks, and the time each move took. White is a line with discs, Black a dashed one with squares: none is told by colour alone.
import { html } from '../app/html.mjs';
import { clockText } from '../state/clock.mjs';
import { say } from '../words/language.mjs';
import { localSan, moveNumber } from '../words/pieces.mjs';
import { stopsOf, timesOf } from './stops.mjs';
import { clocksOf, spentText, stoppedText } from './times.mjs';

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [720, 190, 58, 24];

/** @param {{ game: GameDocument, view: import('./protocol.mjs').View }} props */
export function Plot({ game, view }) {
  const { plies } = view;
  if (plies.length < 2) return null;
  const clocks = clocksOf(view);
  const stops = stopsOf(game);
  const times = timesOf(view, stops);
  const spent = times.filter((ms) => ms !== null);
  const longest = times.indexOf(Math.max(...spent));
  return html`
    <section class="sheet plots" aria-label=${say('plot.title')}>
      ${clocks.white.length + clocks.black.length > 1 && html`<h2>${say('plot.clocks')}</h2><${Clocks} view=${view} clocks=${clocks} />`}
      <h2>${say('plot.times')}</h2>
      <${Bars} view=${view} times=${times} />
      <p class="hint">${say('plot.longest', { move: `${moveNumber(view, longest + 1)} ${localSan(plies[longest].san)}`, time: spentText(times[longest]) })} ${stoppedText(view, stops)}</p>
    </section>
  `;
}

/** @param {number} n @param {number} of */
const across = (n, of) => LEFT + ((WIDTH - LEFT - 8) * n) / Math.max(1, of);
/** @param {number} ms @param {number} most */
const up = (ms, most) => HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - 10) * ms) / Math.max(1, most);

/** Grid lines with their times, and numbers of moves. @param {{ view: import('./protocol.mjs').View, most: number, text: (ms: number) => string }} props */
function Frame({ view, most, text }) {
  const every = Math.max(10, Math.ceil(view.plies.length / 120) * 10) * 2;
  const marks = view.plies.map((_, n) => n).filter((n) => n % every === 0);
  return html`
    ${[0, 0.5, 1].map((part) => html`<line class="rule" x1=${LEFT} x2=${WIDTH} y1=${up(most * part, most)} y2=${up(most * part, most)} />
      <text x=${LEFT - 6} y=${up(most * part, most) + 4} text-anchor="end">${text(most * part)}</text>`)}
    ${marks.map((n) => html`<text x=${across(n, view.plies.length)} y=${HEIGHT - 6} text-anchor="middle">${moveNumber(view, n + 1).replace(/[.…]/, '')}</text>`)}
  `;
}

/** @param {{ view: import('./protocol.mjs').View, clocks: ReturnType<typeof clocksOf> }} props */
function Clocks({ view, clocks }) {
  const most = Math.max(...clocks.white.concat(clocks.black).map(({ ms }) => ms));
  const [last, other] = [clocks.white.at(-1), clocks.black.at(-1)];
  const label = say('plot.clocks-label', { white: clockText(last?.ms ?? null), black: clockText(other?.ms ?? null) });
  return html`
    <svg class="plot" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
      <${Frame} view=${view} most=${most} text=${spentText} />
      ${/** @type {Colour[]} */ (['white', 'black']).map((colour) => html`
        <polyline class=${`of-${colour}`} points=${clocks[colour].map(({ ply, ms }) => `${across(ply, view.plies.length)},${up(ms, most)}`).join(' ')} />
        ${clocks[colour].map(({ ply, ms }) => colour === 'white'
          ? html`<circle class="of-white" cx=${across(ply, view.plies.length)} cy=${up(ms, most)} r="2.6" />`
          : html`<rect class="of-black" x=${across(ply, view.plies.length) - 2.2} y=${up(ms, most) - 2.2} width="4.4" height="4.4" />`)}`)}
    </svg>
    <p class="hint keys-of-plot"><span><i class="stone white" aria-hidden="true"></i> ${say('new.white')}</span><span><i class="stone black" aria-hidden="true"></i> ${say('new.black')}</span></p>`;
}

/** White's above the line, Black's below. @param {{ view: import('./protocol.mjs').View, times: (number | null)[] }} props */
function Bars({ view, times }) {
  const most = Math.max(1000, ...times.map((ms) => ms ?? 0));
  const first = view.start_fen.split(' ')[1] === 'b' ? 1 : 0;
  const width = Math.max(1, Math.min(9, (WIDTH - LEFT) / times.length - 1));
  return html`
    <svg class="plot" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${say('plot.times-label', { n: times.length, time: spentText(most) })}>
      <${Frame} view=${view} most=${most} text=${spentText} />
      ${times.map((ms, n) => ms !== null && html`<rect class=${(n + first) % 2 === 0 ? 'spent of-white' : 'spent of-black'} x=${across(n, times.length)} y=${up(ms, most)} width=${width} height=${Math.max(0.5, HEIGHT - BOTTOM - up(ms, most))}>
        <title>${`${moveNumber(view, n + 1)} ${localSan(view.plies[n].san)} ${spentText(ms)}`}</title></rect>`)}
    </svg>`;
}
