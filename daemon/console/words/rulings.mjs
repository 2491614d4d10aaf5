// @ts-check
// Rulings that are told once, in one line each.
import { claimKind } from './findings.mjs';
import { say } from './language.mjs';
import { refusedOrder } from './refusals.mjs';

/**
 * What one ruling says; null of those that the state of the board shows.
 * @param {Ruling} ruling
 */
export function rulingText(ruling) {
  switch (ruling.ruling) {
    case 'revision': {
      const moves = ruling.moves.length > 0 ? `: ${ruling.moves.join(' ')}` : '';
      return say('ruling.revision', { ply: ruling.from_ply, moves });
    }
    case 'withdrawn': return say('ruling.withdrawn', { id: ruling.id });
    case 'lapsed': return say('ruling.lapsed', { id: ruling.id });
    case 'draw-claimable': return say('ruling.draw-claimable', { by: ruling.by, kind: claimKind(ruling.kind) });
    case 'refused': return refusedOrder(ruling);
    case 'claim':
    case 'result': return ruling.text;
    default: return null;
  }
}
