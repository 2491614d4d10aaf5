// @ts-check
// The record. A click shows the position after a move; the game goes on undisturbed.
import { useEffect, useRef } from 'preact/hooks';
import { html } from '../app/html.mjs';
import { Download } from '../parts/download.mjs';
import { useMayRead } from '../state/rights.mjs';
import { say } from '../words/language.mjs';
import { localSan, moveNumber } from '../words/pieces.mjs';
import { resultText } from '../words/findings.mjs';

/** `isLast`: of the game before, while the next one waits. @param {{ board: Shown, history: LookBack, isLast?: boolean }} props */
export function Moves({ board, history, isLast = false }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const at = history.shown ?? board.plies.length;
  useEffect(() => {
    const current = list.current?.querySelector('[aria-current]');
    if (list.current && current instanceof HTMLElement) list.current.scrollTop = current.offsetTop - list.current.clientHeight / 2;
  }, [at]);
  const found = pliesWithFindings(board);
  return html`
    <section class="panel moves" aria-label=${say('moves')}>
      <h2>${say(isLast ? 'last.moves' : 'moves')} ${useMayRead() && html`<${Download} kind="file" href=${`api/games/${encodeURIComponent(board.game)}.pgn`} name=${`${board.game}.pgn`} text="PGN" />`}</h2>
      <ol class="move-list" ref=${list}>
        ${rows(board).map((row) => html`
          <li><span class="number">${row.number}</span>
            ${row.cells.map((ply) => ply === null ? html`<span class="gap"></span>`
              : html`<${Move} board=${board} ply=${ply} current=${ply === at} found=${found.has(ply)} onShow=${history.show} />`)}</li>`)}
        ${board.result && !board.result.proposed && html`<li class="result">${resultText(board.result.result)}</li>`}
      </ol>
      ${board.plies.length === 0 && html`<p class="hint">${say('moves.none')}.</p>`}
    </section>
  `;
}

/** @param {{ board: Shown, ply: number, current: boolean, found: boolean, onShow: (ply: number) => void }} props */
function Move({ board, ply, current, found, onShow }) {
  const { san, completed, doubtful } = board.plies[ply - 1];
  const signs = [!completed && say('moves.not-completed'), doubtful && say('moves.in-doubt'), found && say('moves.found')].filter(Boolean);
  const classes = ['move', !completed && 'made', doubtful && 'doubtful', found && 'found'].filter(Boolean).join(' ');
  return html`
    <button class=${classes} aria-current=${current ? 'step' : null} title=${signs.join(', ') || null} onClick=${() => onShow(ply)}>
      ${localSan(san)}${doubtful && html`<sup aria-label=${say('moves.in-doubt')}>?</sup>`}${found && html`<sup aria-label=${say('moves.found')}>⚑</sup>`}
    </button>
  `;
}

/** @param {Shown} board */
const pliesWithFindings = (board) =>
  new Set(board.findings.filter((f) => !f.undone && (f.status === 'open' || f.status === 'upheld')).map((f) => f.ply));

/**
 * Pairs of plies with their move number; `null` where Black began.
 * @param {Shown} board
 */
function rows(board) {
  /** @type {{ number: string, cells: (number | null)[] }[]} */
  const all = [];
  for (let ply = 1; ply <= board.plies.length; ply += 1) {
    const number = moveNumber(board, ply);
    if (number.endsWith('.')) all.push({ number, cells: [ply] });
    else if (all.length > 0) all[all.length - 1].cells.push(ply);
    else all.push({ number: `${number.slice(0, -1)}.`, cells: [null, ply] });
  }
  return all;
}
