// @ts-check
// Which games arbiters observe: read once for all that shows it, by those who are shown it.
import { useEffect } from 'preact/hooks';
import { isArbiter } from './floor.mjs';
import { whoAmI, whoWasHere } from './me.mjs';
import { notify, subscribe, useTopic } from './topics.mjs';

/** Acts that change it. */
const ACTS = ['open', 'close', 'observe', 'stop-observing'];
/** After so long what was not reached is asked again. */
const AGAIN_MS = 2_000;

/** @type {Observed[]} */
let all = [];
let isWanted = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

async function read() {
  clearTimeout(timer);
  const me = whoWasHere() ?? await whoAmI();
  if (me && !isArbiter(me)) return;
  const answer = await fetch('api/event/observed').catch(() => null);
  if (!answer) timer = setTimeout(read, AGAIN_MS);
  else if (answer.ok) {
    all = await answer.json();
    notify('observed');
  }
}

/** All times for which arbiters observed games of the event, the earliest first. */
export function useObserved() {
  useTopic('observed');
  useEffect(() => {
    if (!isWanted) read();
    isWanted = true;
  }, []);
  return all;
}

/**
 * Who observes the game at a table now.
 * @param {Observed[]} observed
 * @param {number | null} table
 * @param {number} [round] left out: whichever is played there
 */
export const observersOf = (observed, table, round) => observed.filter((one) => one.until === null && one.table === table && (round === undefined || one.round === round));

subscribe('event', (act) => { if (isWanted && (act === null || ACTS.includes(act))) read(); });
subscribe('hall', () => { if (isWanted) read(); });
