// @ts-check
// Which order ruled on which finding, and whether that was after the game had its result.

/** @typedef {import('./given.mjs').Given} Given */

/** Whether a finding was upheld for the record alone: nothing followed. @param {Pick<GameDocument, 'given'>} game @param {Finding} finding */
export const isForRecord = ({ given }, { id, status }) => status === 'upheld' && given.some((told) => {
  const line = /** @type {InputLine} */ (/** @type {unknown} */ (told));
  return !told.undone && line.event === 'arbiter' && line.action === 'uphold' && line.id === id && Boolean(line.for_record);
});

/** @param {InputLine} line @param {number} id */
const isRulingOn = (line, id) => line.event === 'arbiter' && (line.action === 'uphold' || line.action === 'dismiss') && line.id === id;

/** Whether it reports what was found, of the same side. @param {InputLine} line @param {Finding} finding */
const isReportOf = (line, { code, by }) => line.event === 'arbiter' && line.action === 'report' && line.code === code && (line.by ?? 'either') === by;

/** The same where one of both names no side. @param {InputLine} line @param {Finding} finding */
const mayReport = (line, { code, by }) => line.event === 'arbiter' && line.action === 'report' && line.code === code && (by === 'either' || !line.by);

/**
 * The order that ruled on each finding, by its number. A ruling names its finding. A report names none: it made the finding of the same moment, or upheld one that waited since before; each report is one finding's alone.
 * @param {Finding[]} findings
 * @param {Given[]} given
 * @returns {Map<number, Given>}
 */
export function rulingsOf(findings, given) {
  const inForce = given.filter(({ undone }) => !undone);
  /** @type {Map<number, Given>} */
  const rulings = new Map();
  for (const { id } of findings) {
    const ruling = inForce.findLast(({ line }) => isRulingOn(line, id));
    if (ruling) rulings.set(id, ruling);
  }
  // What is open or withdrawn was not reported by anybody whose report stands.
  const waiting = findings.filter(({ id, status }) => status === 'upheld' && !rulings.has(id)).sort((a, b) => a.at - b.at);
  const reports = new Set(inForce);
  /** @param {(line: InputLine, finding: Finding) => boolean} fits */
  const pair = (fits) => {
    for (const finding of waiting.filter(({ id }) => !rulings.has(id))) {
      const report = [...reports].find(({ line }) => fits(line, finding));
      if (report) rulings.set(finding.id, report);
      if (report) reports.delete(report);
    }
  };
  pair((line, finding) => isReportOf(line, finding) && line.at === finding.at);
  pair((line, finding) => isReportOf(line, finding) && line.at > finding.at);
  pair((line, finding) => mayReport(line, finding) && line.at >= finding.at);
  return rulings;
}

/**
 * When a game had its result by what was said at its desk; null where it has none, or one that waits for somebody. One that was withdrawn, or that nobody may confirm yet, ends nothing.
 * @param {ResultSaid[]} results
 * @returns {number | null}
 */
export function endSaid(results) {
  /** @type {number | null} */
  let end = null;
  for (const { what, result, at } of results) {
    if (result === null || what === 'typed') end = null;
    else if (what === 'entered' || what === 'confirmed') end ??= at;
  }
  return end;
}

/**
 * Whether a finding was upheld only when its game had its result already: it stands in the record, and no clock was set. One that had been upheld in play, and was taken back and upheld again after it, had its time.
 * @param {GameDocument} game
 * @param {Finding} finding
 */
export function wasLate({ given, ended, results }, { id }) {
  const end = ended ? Date.parse(ended) : endSaid(results);
  if (end === null) return false;
  const upheld = given.filter((told) => {
    const line = /** @type {InputLine} */ (/** @type {unknown} */ (told));
    return line.event === 'arbiter' && line.action === 'uphold' && line.id === id;
  });
  const inPlay = upheld.some(({ wall, undone }) => wall <= end && (!undone || undone.wall > end));
  return !inPlay && upheld.some(({ undone }) => !undone);
}
