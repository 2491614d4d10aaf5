// @ts-check
// The input lines a finding rests on. Pointing at a line marks its square on the board.
import { html } from '../app/html.mjs';
import { boardTime, eventSquare, eventText } from '../words/evidence.mjs';
import { say } from '../words/language.mjs';
import { isOfProgram } from '../record/given.mjs';

/** What no sensor tells, but a person. @type {Set<EventName>} */
const SAID = new Set(['arbiter', 'claim', 'draw']);

/** @param {{ lines: InputLine[], record?: Shown | null, onPoint: (squares: string[] | null) => void }} props */
export function Evidence({ lines: all, record, onPoint }) {
  // What the program does by itself is no evidence.
  const lines = all.filter((line) => !isOfProgram(line));
  if (lines.length === 0) return null;
  return html`
    <details class="evidence">
      <summary>${say(lines.some(({ event }) => SAID.has(event)) ? 'evidence.rests' : 'evidence', { n: lines.length })}</summary>
      <ol>${lines.map((line) => html`<${Line} line=${line} all=${lines} record=${record} onPoint=${onPoint} />`)}</ol>
    </details>
  `;
}

/** @param {{ line: InputLine, all: InputLine[], record?: Shown | null, onPoint: (squares: string[] | null) => void }} props */
function Line({ line, all, record, onPoint }) {
  const square = eventSquare(line);
  const point = square ? () => onPoint([square]) : null;
  const leave = square ? () => onPoint(null) : null;
  return html`
    <li tabindex=${square ? 0 : null} onMouseEnter=${point} onMouseLeave=${leave} onFocus=${point} onBlur=${leave}>
      <time>${boardTime(line.at)}</time> <span>${eventText(line, all, record ?? undefined)}</span>
    </li>
  `;
}
