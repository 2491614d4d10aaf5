// What findings, doubts and phases are called on the screen.
import { capital } from './pieces.mjs';

const CODES = {
  'adjust-without-warning': 'Adjusted without saying so',
  'touch-move-own-piece': 'Touched one piece, moved another',
  'touch-move-opponent-piece': 'Touched an opponent’s piece and did not take it',
  'touch-move-both-colours': 'Touched both pieces and did not make the capture',
  'castling-not-completed': 'Touched king and rook, did not castle',
  'castling-rook-first': 'Castled with the rook first',
  'promotion-choice-changed': 'Changed the promoted piece',
  'released-piece-moved-again': 'Moved a released piece again',
  'castling-commitment-broken': 'Began to castle, moved the king elsewhere',
  'piece-displaced': 'Pieces displaced',
  'illegal-move': 'Illegal move',
  'pawn-not-promoted': 'Pawn left on the last rank',
  'clock-pressed-without-move': 'Pressed the clock without a move',
};

const DOUBTS = {
  'ambiguous-move': 'More than one move fits',
  'promotion-piece': 'Which piece was the pawn promoted to?',
  'check-square': 'Look at a square',
  'two-hands': 'One hand or two?',
  'who-touched': 'Who touched?',
};

const REASONS_OF_RESULT = {
  checkmate: 'checkmate',
  stalemate: 'stalemate',
  'dead-position': 'dead position',
  fivefold: 'fivefold repetition',
  'seventy-five-moves': 'seventy-five moves',
  threefold: 'threefold repetition',
  'fifty-moves': 'fifty moves',
  'flag-fall': 'flag fall',
  resignation: 'resignation',
  agreement: 'agreement',
  'forfeit-illegal-moves': 'second illegal move',
  'kings-placed': 'kings placed on the centre',
  arbiter: 'the arbiter’s decision',
};

const plain = (name) => capital(name.replaceAll('-', ' '));

export const codeTitle = (code) => CODES[code] ?? plain(code);
export const doubtTitle = (kind) => DOUBTS[kind] ?? plain(kind);
export const resultReason = (reason) => REASONS_OF_RESULT[reason] ?? plain(reason).toLowerCase();
export const resultText = (result) => (result === '1/2-1/2' ? '½–½' : result.replace('-', '–'));

/** Whom a finding is about: `White`, `Black`, `White or Black`. */
export const party = (by) => (by === 'either' ? 'White or Black' : capital(by));

export const STATUS = {
  open: 'waits for you',
  upheld: 'upheld',
  dismissed: 'dismissed',
  lapsed: 'lapsed',
  withdrawn: 'withdrawn: later evidence showed that it was none',
};

/** One short line on where the game stands. */
export function phaseText(board) {
  const turn = capital(board.turn);
  switch (board.state) {
    case 'waiting': return 'Waiting for a position';
    case 'rest': return `${turn} to move`;
    case 'in-hand': return `${turn} has a piece in hand`;
    case 'placed': return `${turn}: move not finished`;
    case 'made': return 'Move made, not yet completed';
    case 'disturbed': return 'Board disturbed';
    case 'restoring': return 'Position to put back';
    case 'paused': return 'Paused by the arbiter';
    case 'ended': return board.result ? `${resultText(board.result.result)} · ${resultReason(board.result.reason)}` : 'Ended';
    default: return plain(board.state);
  }
}

/** The penalty the Laws propose, or null. */
export function penaltyText(finding) {
  const { penalty, by } = finding;
  if (!penalty) return null;
  if (penalty.then === 'loss') return `The Laws propose: ${party(by)} loses the game.`;
  if (penalty.then === 'draw') return 'The Laws propose: the game is drawn.';
  const minutes = penalty.opponent_ms / 60_000;
  return `The Laws propose: ${minutes} minute${minutes === 1 ? '' : 's'} more for the opponent.`;
}
