// @ts-check
// In a report: whom a finding is about, and where a result comes from.
import { isAnew, restsOnDismissed } from '../state/tables.mjs';
import { party, sourceText } from '../words/findings.mjs';
import { say } from '../words/language.mjs';

/** Where a result comes from, and what it may rest on. @param {Pairing} pairing @param {Round} round @param {GameDocument | null} [game] */
export const fromText = (pairing, round, game) => [isAnew(pairing, round) && say('grid.anew'), sourceText(pairing, game?.view?.result?.reason), restsOnDismissed(pairing, round) && say('offences.fell')].filter(Boolean).join(', ');

/** @param {Pairing} pairing @param {Party} by */
export const whoIs = (pairing, by) => (by === 'either' ? party(by) : (by === 'white' ? pairing.white.name : pairing.black?.name) || party(by));
