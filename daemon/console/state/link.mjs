// @ts-check
// How the connection to the daemon stands.
import { notify, useTopic } from './topics.mjs';

// `ahead`: milliseconds by which the daemon's clock is ahead of this one. `unseen`: seconds for which nobody may have looked at what is certain.
// `isTold`: whether the daemon has said which boards there are and what waits: before that nobody knows whether anything does.
// `heardAt`, `heardOn`: when something was heard last, on the page's own clock and on that of the wall.
/** @type {{ status: LinkStatus, isTold: boolean, heardAt: number, heardOn: number, version: string, ahead: number, unseen: Unseen }} */
export const link = { status: 'connecting', isTold: false, heardAt: 0, heardOn: 0, version: '', ahead: 0, unseen: { standard: 60, rapid: 60, blitz: 20 } };

/** For how long nothing was heard, in milliseconds. The page's own clock may stand still while the machine sleeps; that of the wall may be set. */
export const silence = () => Math.max(performance.now() - link.heardAt, Date.now() - link.heardOn);

/** @param {Partial<typeof link>} change */
export function setLink(change) {
  Object.assign(link, change);
  notify('link');
}

export function useLink() {
  useTopic('link');
  return link;
}
