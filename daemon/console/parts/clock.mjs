// One player's clock, ticking between two reports.
import { html } from '../app/html.mjs';
import { clockText, isRunning, remaining, useTick } from '../state/clock.mjs';
import { useLink } from '../state/link.mjs';

const LITTLE_MS = 60_000;

export function Clock({ board, colour }) {
  useLink();
  const running = isRunning(board, colour);
  useTick(running);
  const left = remaining(board, colour);
  if (left === null) return html`<span class="clock none" title="No clock time known">–:––</span>`;
  const little = left < LITTLE_MS ? ' little' : '';
  return html`
    <span class=${`clock${running ? ' running' : ''}${little}`} aria-label=${`${colour} clock ${clockText(left)}${running ? ', running' : ''}`}>
      ${clockText(left)}
    </span>
  `;
}
