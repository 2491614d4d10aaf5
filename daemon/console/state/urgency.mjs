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

/** @param {Shown} board */
export function mustBePutRight(board) {
  return Boolean(board.restore) || board.state === 'restoring' || board.state === 'disturbed';
}

/** @param {Shown} board */
export function hasQuestion(board) {
  return board.doubts.length > 0 || Boolean(board.result?.proposed) || Boolean(board.asked);
}

/**
 * The rank decides the order; the key tells one need from the next on the same board.
 * @param {Shown} board
 */
export function urgencyOf(board) {
  const rank = rankOf(board);
  const findings = openFindings(board).map((finding) => finding.id);
  const doubts = board.doubts.map((doubt) => `${doubt.ply}${doubt.kind}`);
  return { rank, key: JSON.stringify([rank, findings, doubts, board.asked?.game ?? null, board.fault ?? null]) };
}

/** What the players may claim no more waits for nobody: it sinks, and its board says so. @param {Finding} finding */
export const isPast = (finding) => finding.claim?.open === false;

/** @param {Shown} board */
function rankOf(board) {
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
