// @ts-check
// The event and its rounds, read anew whenever the daemon says that something was done to them.
import { useEffect, useState } from 'preact/hooks';
import { nameOnce } from './name.mjs';
import { newName, send } from './outbox.mjs';
import { post } from './post.mjs';
import { subscribe } from './topics.mjs';
import { say } from '../words/language.mjs';
import { refusalLines, refusalSentence } from '../words/refusals.mjs';

/** So long what happens at once is waited for. */
const GATHERED_MS = 80;
/** After so long what was not reached is asked again. */
const AGAIN_MS = 2_000;

/**
 * What is at an address of the daemon's; read again with every act of the event and after a lost connection. `problem` says why there is none.
 * @template T
 * @param {string | null} path
 * @param {number} [every] also read so often, in milliseconds: for what boards have changed
 * @param {string} [acts] only these acts change it, with blanks between; left out: all
 * @returns {{ told: T | null, problem: string | null }}
 */
export function useEventFile(path, every, acts) {
  const [is, set] = useState(/** @type {{ told: T | null, problem: string | null, path: string | null }} */ ({ told: null, problem: null, path: null }));
  useEffect(() => {
    if (!path) return undefined;
    let isLeft = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    // What was asked before may be answered after.
    let [asked, shown] = [0, 0];
    const read = async () => {
      timer = undefined;
      asked += 1;
      const mine = asked;
      const answer = await fetch(path).catch(() => null);
      const body = await answer?.json().catch(() => (answer.ok ? undefined : null));
      if (isLeft || mine < shown) return;
      // Half an answer is none.
      if (!answer || body === undefined) {
        timer ??= setTimeout(read, AGAIN_MS);
        return;
      }
      shown = mine;
      set((before) => (answer.ok ? { told: body, problem: null, path } : { told: before.path === path ? before.told : null, problem: refusalSentence(body, answer.status), path }));
    };
    const soon = () => { timer ??= setTimeout(read, GATHERED_MS); };
    read();
    const again = every ? setInterval(soon, every) : undefined;
    const done = (/** @type {string | null} */ act) => { if (act === null || !acts || acts.split(' ').includes(act)) soon(); };
    const ends = [subscribe('event', done), subscribe('hall', soon)];
    return () => {
      isLeft = true;
      clearTimeout(timer);
      clearInterval(again);
      ends.forEach((end) => end());
    };
  }, [path, every, acts]);
  return is.path === path ? is : { told: null, problem: null };
}

/**
 * At which tables something is done.
 * @param {string} path
 * @param {any} body
 * @returns {number[]}
 */
function tablesOf(path, body) {
  const [, named] = /^api\/tables\/(\d+)\//.exec(path) ?? [];
  const tables = named ? [named] : body?.table ? [body.table] : body?.tables ?? Object.keys(body?.results ?? {});
  return tables.map(Number);
}

/** Who taps twice means it once. */
const TWICE_MS = 1_500;
/** @type {{ said: string, at: number, answer: Promise<any> }} */
let last = { said: '', at: 0, answer: Promise.resolve(null) };

/**
 * Does something to the event; gives back what the daemon answered, or null where it refused, which is shown. Without a line it is kept until there is one
 * again, and nothing is known of it yet: `{}`.
 * @param {string} path
 * @param {object} [body]
 * @param {string} [done] what is said then
 * @param {string} [what] what is said of it while it waits; left out where that is the same
 * @param {string} [late] what is said then where it has waited; left out where that is the same
 * @returns {Promise<any>}
 */
export async function actOn(path, body, done = '', what = done, late = done) {
  if (!(await nameOnce())) return null;
  // The moment of a break is another each time.
  const said = `${path} ${JSON.stringify(path.endsWith('/breaks') ? { ...body, at: undefined } : body ?? {})}`;
  if (said !== last.said || Date.now() - last.at > TWICE_MS) {
    const sent = send({ id: newName('a'), path, body: body ?? {}, where: '', tables: tablesOf(path, body), what: what.replace(/\.$/, ''), done, doneLate: late, kind: 'act' });
    last = { said, at: Date.now(), answer: sent.then(({ taken, told }) => (taken ? told ?? {} : null)) };
  }
  const { answer } = last;
  const told = await answer;
  // What was refused may be tried again at once.
  if (told === null && last.answer === answer) last.said = '';
  return told;
}

/**
 * The same of what may need a reason: where the daemon refuses it for want of one, that is asked for, and it is done with the answer.
 * @param {string} path
 * @param {object} body
 * @param {string} done
 * @param {{ for: string[], slot?: string, ask: (why: Reason) => Promise<string | null> }} reason for which refusals; `slot`: while it waits for the line, a later one of the same takes its place
 * @returns {Promise<any>}
 */
export async function actWithReason(path, body, done, reason) {
  if (!(await nameOnce())) return null;
  const { taken, told } = await send({ id: newName('a'), path, body, where: '', tables: tablesOf(path, body), what: done.replace(/\.$/, ''), done, kind: 'act', asks: reason.for, slot: reason.slot });
  if (taken) return told ?? {};
  if (!reason.for.includes(told?.why?.kind)) return null;
  const why = await reason.ask(told.why);
  return why ? actOn(path, { ...body, reason: why }, done) : null;
}

/**
 * Asks what something would do. Nothing is done, so without a line there is nothing to keep. `refused` says why there is no answer, each thing by itself, in the language of that moment;
 * `why`: the same as the daemon names it.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ told: any, refused: (() => string[]) | null, why?: Reason | null }>}
 */
export async function askOf(path, body) {
  try {
    const answer = await post(path, body);
    const told = await answer.json().catch(() => ({}));
    return answer.ok ? { told, refused: null } : { told: null, refused: () => refusalLines(told, answer.status), why: told.why };
  } catch {
    return { told: null, refused: () => [say('notice.unreachable')] };
  }
}
