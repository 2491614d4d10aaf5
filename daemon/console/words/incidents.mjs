// @ts-check
// What is said of incidents.
import { faultTitle } from './faults.mjs';
import { isHere } from '../state/name.mjs';
import { codeKept, doubtKept, resultReason, resultText } from './findings.mjs';
import { keptText } from './kept.mjs';
import { capital, say } from './language.mjs';

/** @typedef {import('./kept.mjs').Kept} Kept */

/** @param {Incident} incident */
export const openOf = (incident) => incident.findings.filter((finding) => finding.status === 'open')
  .sort((a, b) => RANK[a.certainty] - RANK[b.certainty] || a.id - b.id);

const RANK = { certain: 0, likely: 1, possible: 2 };

/** What it is, in a few words. @param {Incident} incident */
export const titleOf = (incident) => keptText(titleKept(incident));

/**
 * The same, to be kept.
 * @param {Incident} incident
 * @returns {Kept}
 */
export function titleKept(incident) {
  const [first] = openOf(incident);
  const [ruled] = incident.findings;
  switch (incident.kind) {
    case 'restore': return [incident.restore ? 'restore.ordered' : 'restore.disturbed'];
    case 'doubt': return doubtKept(incident.doubts[0]?.kind ?? 'thread-lost');
    case 'missed': return doubtKept('game-ended');
    case 'unset': return ['unset.title'];
    case 'fault': return capital(faultTitle(incident.faults) || say('word.fault'));
    case 'claim':
    case 'proposed': return first ? codeKept(first.code) : proposedText(/** @type {Proposed} */ (incident.proposed));
    default: return first || ruled ? codeKept((first ?? ruled).code) : ['word.irregularity'];
  }
}

/** @param {Proposed} proposed */
export function proposedText({ result, reason }) {
  if (result === '*') return say('need.result-open', { reason: resultReason(reason) });
  return say('incident.result', { result: resultText(result), reason: resultReason(reason) });
}

/**
 * As sign and word.
 * @param {Incident} incident
 * @returns {{ kind: Kind, word: string, certainty?: Certainty }}
 */
export function signOf(incident) {
  const certainty = /** @type {Certainty | null} */ (incident.certainty);
  switch (incident.kind) {
    case 'restore': return { kind: 'restore', word: say(incident.restore ? 'word.restore' : 'word.disturbed') };
    case 'doubt':
    case 'unset':
    case 'missed': return { kind: 'doubt', word: say('word.doubt') };
    case 'claim': return { kind: 'proposed', word: say('word.claim') };
    case 'proposed': return { kind: 'proposed', word: say('word.proposed') };
    case 'fault': return { kind: 'fault', word: say('word.fault') };
    default: return certainty
      ? { kind: 'irregularity', word: capital(say(`certainty.${certainty}`)), certainty }
      : { kind: 'ruled', word: say('word.ruled') };
  }
}

/**
 * Who sees to it, or how old it is.
 * @param {Incident} incident
 * @param {number} now
 */
export function standText(incident, now) {
  if (incident.past) return say('incident.past');
  const { going, seen, undone } = incident;
  const left = incident.steps.filter((step) => !step.done).length;
  // What was ruled is to be done before anything else at that table.
  if (left > 0 && ['new', 'seen'].includes(incident.state)) return say('ruled.left', { n: left });
  switch (incident.state) {
    case 'going': return [by(going, 'incident.goes', 'incident.goes-nobody'), incident.sent && sentText(incident.sent, now)].filter(Boolean).join('; ');
    case 'later': return incident.until_move ? say('incident.until-move') : say('incident.until', { time: timeText(incident.until ?? 0) });
    case 'ruled': return say('ruled.left', { n: left });
    case 'superseded': return say('incident.superseded');
    case 'undone': return by(undone, 'incident.undone', 'incident.undone-nobody');
    case 'seen': return incident.sent ? sentText(incident.sent, now) : `${ageText(now - incident.since)}, ${by(seen, 'incident.seen', 'incident.seen-nobody')}`;
    default: return ageText(now - incident.since);
  }
}

/** Who was asked to go, and when. @param {NonNullable<Incident['sent']>} sent @param {number} now */
function sentText({ to, by: who, at }, now) {
  const text = !isHere(to) ? say('send.sent', { who: to }) : who ? say('send.you', { who }) : say('send.you-nobody');
  return `${text}, ${ageText(now - at)}`;
}

/**
 * With the name, where somebody said it.
 * @param {SaidBy | null} who
 * @param {Word} named
 * @param {Word} unnamed
 * @param {Places} places
 */
export const by = (who, named, unnamed, places = {}) => (who?.who ? say(named, { who: who.who, ...places }) : say(unnamed, places));

/** @param {number} ms */
export function ageText(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return say('age.seconds', { s: seconds });
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? say('inbox.minutes', { m: minutes }) : say('inbox.hours', { h: Math.floor(minutes / 60) });
}

/** @param {number} at milliseconds since 1970 */
export const timeText = (at) => new Date(at).toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
