// @ts-check
// How the connection to the daemon stands.
import { notify, useTopic } from './topics.mjs';

// `ahead`: milliseconds by which the daemon's clock is ahead of this one. `unseen`: seconds for which nobody may have looked at what is certain.
/** @type {{ status: LinkStatus, heardAt: number, version: string, ahead: number, unseen: Unseen }} */
export const link = { status: 'connecting', heardAt: 0, version: '', ahead: 0, unseen: { standard: 60, rapid: 60, blitz: 20 } };

/** @param {Partial<typeof link>} change */
export function setLink(change) {
  Object.assign(link, change);
  notify('link');
}

export function useLink() {
  useTopic('link');
  return link;
}
