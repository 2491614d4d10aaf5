// What the arbiter orders: one event-script input, posted to the board's session.
import { setNotice } from './notice.mjs';
import { say } from '../words/language.mjs';

/** Sends `order`; true when the daemon took it. A refusal is shown, never swallowed. */
export async function sendOrder(board, order, done) {
  try {
    const answer = await fetch(`/api/boards/${encodeURIComponent(board)}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
    });
    if (answer.ok) {
      if (done) setNotice({ kind: 'done', text: notice(board, done) });
      return true;
    }
    const { error } = await answer.json().catch(() => ({ error: say('notice.status', { status: answer.status }) }));
    setNotice({ kind: 'refused', text: notice(board, error) });
  } catch {
    setNotice({ kind: 'refused', text: notice(board, say('notice.unreachable')) });
  }
  return false;
}

const notice = (board, text) => say('notice', { board, text });

const arbiter = (action, fields) => ({ event: 'arbiter', action, ...fields });

export const uphold = (id) => arbiter('uphold', { id });
export const dismiss = (id) => arbiter('dismiss', { id });
export const promotion = (square, piece) => arbiter('promotion', { square, piece });
export const reading = (ply, move) => arbiter('reading', { ply, move });
export const report = (code, fields) => arbiter('report', { code, ...fields });
export const setPosition = (fen) => arbiter('set-position', { fen });
export const letStand = () => arbiter('let-stand');
export const boardTurned = (turned) => arbiter('board-turned', { turned });
export const pause = () => arbiter('pause');
export const resume = () => arbiter('resume');
export const result = (value) => arbiter('result', { result: value });
export const resign = (by) => ({ event: 'resign', by });
export const adjust = (by) => ({ event: 'adjust', by });
export const draw = (by, step) => ({ event: 'draw', by, step });
export const stop = (by) => ({ event: 'stop', by });
export const flagFall = (by) => ({ event: 'flag-fall', by });
export const claim = (by, kind, fields) => ({ event: 'claim', by, kind, ...fields });
export const newGame = (fields) => ({ event: 'new-game', ...fields });
