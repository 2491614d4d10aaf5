// @ts-check
// How the connection to the daemon stands.
import { notify, useTopic } from './topics.mjs';

// `ahead`: milliseconds by which the daemon's clock is ahead of this one.
/** @type {{ status: LinkStatus, heardAt: number, version: string, ahead: number }} */
export const link = { status: 'connecting', heardAt: 0, version: '', ahead: 0 };

/** @param {Partial<typeof link>} change */
export function setLink(change) {
  Object.assign(link, change);
  notify('link');
}

export function useLink() {
  useTopic('link');
  return link;
}
