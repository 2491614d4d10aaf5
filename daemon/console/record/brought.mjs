// @ts-check
// What a finding brought that was ruled on.
import { penaltyText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { isForRecord, wasLate } from './rulings.mjs';

/**
 * What was ruled, as it was then, and whether nobody has said that the clocks were set for it: an offence that lost the game stays one that did, whatever was dismissed since; it says that the loss may rest on that.
 * @param {GameDocument} game
 * @param {Finding} finding
 */
export function broughtText(game, finding) {
  if (isForRecord(game, finding)) return say('finding.for-record');
  if (!game.rests_on_dismissed?.includes(finding.id)) {
    const isLate = wasLate(game, finding);
    const isLeft = !isLate && finding.status === 'upheld' && game.clocks_not_set?.includes(finding.id);
    return isLeft ? `${penaltyText(finding)} ${say('finding.clocks-not-set')}` : penaltyText(finding, isLate);
  }
  return `${say('finding.ruled-loss', { by: finding.by })} ${say('finding.fell')}`;
}
