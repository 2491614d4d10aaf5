// @ts-check
// Which boards need the arbiter first.

export const CERTAIN = 0;
export const RESTORE = 1;
export const DOUBT = 2;
export const FAULT = 3;
export const LIKELY = 4;
export const POSSIBLE = 5;
export const QUIET = 6;
export const ENDED = 7;

const RANK_OF_CERTAINTY = { certain: CERTAIN, likely: LIKELY, possible: POSSIBLE };

/**
 * Findings that wait for the arbiter, the surest first.
 * @param {Shown} board
 */
export function openFindings(board) {
  const open = board.findings.filter((finding) => finding.status === 'open');
  return open.sort((a, b) => RANK_OF_CERTAINTY[a.certainty] - RANK_OF_CERTAINTY[b.certainty] || a.id - b.id);
}

/** Whether a game has its result: nothing is put back for it any more. @param {Pick<Shown, 'state' | 'result'>} board */
export const isOver = ({ state, result }) => state === 'ended' && result !== null && !result.proposed;

/** Whether an offence has brought a result that waits for somebody: nothing is put back for it until then. @param {Pick<Shown, 'result'>} board */
export const isEnding = ({ result }) => Boolean(result?.proposed && result.reason === 'forfeit-illegal-moves');

/** Boards at tables whose game has not begun, as the round says. @type {Set<string>} */
const awaited = new Set();

/** @param {string[]} ids whether they are others than before */
export function setAwaited(ids) {
  if (ids.length === awaited.size && ids.every((id) => awaited.has(id))) return false;
  awaited.clear();
  ids.forEach((id) => awaited.add(id));
  return true;
}

/**
 * Whether a board waits, stopped, for a game to begin: where boards were exchanged, another game's pieces and clock are there, and no matter of this one. What is asked of a board is asked before its game too.
 * @param {Shown} board
 */
export const isUnbegun = (board) => awaited.has(board.id) && board.ply === 0 && board.state === 'paused' && !board.restore && board.doubts.length === 0;

/** @param {Shown} board */
export function mustBePutRight(board) {
  if (isOver(board) || isEnding(board) || isUnbegun(board)) return false;
  return Boolean(board.restore) || board.state === 'restoring' || board.state === 'disturbed';
}

/** Whether a game counts for nothing: nobody asks any more what was played in it. @param {Pick<Shown, 'result'>} board */
export const isAnnulled = ({ result }) => result?.reason === 'annulled';

/** @param {Shown} board */
export function hasQuestion(board) {
  return (board.doubts.length > 0 && !isAnnulled(board)) || Boolean(board.result?.proposed) || Boolean(board.asked) || Boolean(board.unset);
}

/**
 * The rank decides the order; the key tells one need from the next on the same board.
 * @param {Shown} board
 */
export function urgencyOf(board) {
  const rank = rankOf(board);
  const findings = openFindings(board).map((finding) => finding.id);
  const doubts = board.doubts.map((doubt) => `${doubt.ply}${doubt.kind}`);
  return { rank, key: JSON.stringify([rank, findings, doubts, board.asked?.game ?? null, board.unset?.round ?? null, board.fault ?? null]) };
}

/** What the players may claim no more waits for nobody: it sinks, and its board says so. @param {Finding} finding */
export const isPast = (finding) => finding.claim?.open === false;

/** @param {Shown} board */
function rankOf(board) {
  // Of the game before nothing is shown there: it waits in the inbox.
  if (board.unset) return DOUBT;
  const [first] = openFindings(board).filter((finding) => !isPast(finding));
  if (first?.certainty === 'certain') return CERTAIN;
  if (mustBePutRight(board)) return RESTORE;
  if (hasQuestion(board)) return DOUBT;
  if (board.fault) return FAULT;
  if (first) return RANK_OF_CERTAINTY[first.certainty];
  return board.state === 'ended' ? ENDED : QUIET;
}

/** @param {Shown} board */
export function needsArbiter(board) {
  return board.urgency.rank < QUIET;
}

const names = new Intl.Collator(undefined, { numeric: true });

/**
 * @param {Shown} a
 * @param {Shown} b
 */
export function byUrgency(a, b) {
  return a.urgency.rank - b.urgency.rank || names.compare(a.id, b.id);
}

/** Whether what stands there ends the game by itself, as a mate, and does not count yet for what was found: nobody is to move. Whoever is not shown what was found sees a mate all the same. @param {Pick<Shown, 'last' | 'result' | 'held_back'>} board */
export const isMated = ({ last, result, held_back: held }) => !result && Boolean(held || last?.san.endsWith('#'));
