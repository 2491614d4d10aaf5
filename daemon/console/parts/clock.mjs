// @ts-check
// One player's clock, ticking between two reports.
import { html } from '../app/html.mjs';
import { clockText, isRunning, remaining, useTick } from '../state/clock.mjs';
import { useLink } from '../state/link.mjs';
import { say } from '../words/language.mjs';

const LITTLE_MS = 60_000;

/** `coarse`: one of many on the page; `still`: nobody sees it now. @param {{ board: Shown, colour: Colour, coarse?: boolean, still?: boolean }} props */
export function Clock({ board, colour, coarse = false, still = false }) {
  useLink();
  const running = isRunning(board, colour);
  const left = remaining(board, colour);
  useTick(running && !still, coarse, left);
  if (left === null) return html`<span class="clock none" title=${say('clock.none')}>–:––</span>`;
  // Nobody knows whether the flag fell: it was counted down here since the board's last word.
  if (left === 0 && board[`${colour}_ms`] !== 0) {
    const told = say('clock.counted', { by: colour, time: clockText(left) });
    return html`<span class="clock" role="timer" aria-label=${told} title=${told}>${clockText(left)}</span>`;
  }
  const little = left < LITTLE_MS ? ' little' : '';
  return html`
    <span class=${`clock${running ? ' running' : ''}${little}`} role="timer" aria-label=${say(running ? 'clock.running' : 'clock.of', { by: colour, time: clockText(left) })}>
      ${clockText(left)}
    </span>
  `;
}
