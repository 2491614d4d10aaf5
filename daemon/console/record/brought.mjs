// @ts-check
// What a finding brought that was ruled on.
import { penaltyText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';
import { wasLate } from './rulings.mjs';

/**
 * What was ruled, as it was then: an offence that lost the game stays one that did, whatever was dismissed since; it says that the loss may rest on that.
 * @param {GameDocument} game
 * @param {Finding} finding
 */
export function broughtText(game, finding) {
  if (!game.rests_on_dismissed?.includes(finding.id)) return penaltyText(finding, wasLate(game, finding));
  return `${say('finding.ruled-loss', { by: finding.by })} ${say('finding.fell')}`;
}
