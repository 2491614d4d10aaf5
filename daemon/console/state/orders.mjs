// What the arbiter orders: one event-script input, posted to the board's session.
import { setNotice } from './notice.mjs';

/** Sends `order`; true when the daemon took it. A refusal is shown, never swallowed. */
export async function sendOrder(board, order, done) {
  try {
    const answer = await fetch(`/api/boards/${encodeURIComponent(board)}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    });
    if (answer.ok) {
      if (done) setNotice({ kind: 'done', text: `Board ${board}: ${done}` });
      return true;
    }
    const { error } = await answer.json().catch(() => ({ error: `the daemon answered ${answer.status}` }));
    setNotice({ kind: 'refused', text: `Board ${board}: ${error}` });
  } catch {
    setNotice({ kind: 'refused', text: `Board ${board}: not sent, the daemon cannot be reached. Try again when the connection is back.` });
  }
  return false;
}

const arbiter = (action, fields) => ({ event: 'arbiter', action, ...fields });

export const uphold = (id) => arbiter('uphold', { id });
export const dismiss = (id) => arbiter('dismiss', { id });
export const promotion = (square, piece) => arbiter('promotion', { square, piece });
export const setPosition = (fen) => arbiter('set-position', { fen });
export const letStand = () => arbiter('let-stand');
export const pause = () => arbiter('pause');
export const resume = () => arbiter('resume');
export const result = (value) => arbiter('result', { result: value });
export const resign = (by) => ({ event: 'resign', by });
export const adjust = (by) => ({ event: 'adjust', by });
export const draw = (by, step) => ({ event: 'draw', by, step });
export const newGame = (fields) => ({ event: 'new-game', ...fields });
