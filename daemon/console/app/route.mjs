// @ts-check
// The page shown is the part of the address after #: `#/`, `#/board/b03`, `#/map`, `#/devices`, `#/round/3`, `#/games`, `#/game/g1`, `#/game/g1/seen`, `#/report/3`, `#/inbox`,
// `#/incident/g1.49`.
import { useEffect, useState } from 'preact/hooks';

/**
 * @param {string} hash
 * @returns {Route}
 */
export function routeOf(hash) {
  const [, page, rest] = hash.split('/');
  if (page === 'board' && rest) return { page: 'board', board: decodeURIComponent(rest) };
  if (page === 'incident' && rest) return { page, incident: decodeURIComponent(rest) };
  if (page === 'game' && rest) return { page, game: decodeURIComponent(rest) };
  if (page === 'round' || page === 'report') return { page, round: Number(rest) || undefined };
  if (page === 'games' || page === 'inbox' || page === 'map' || page === 'devices') return { page };
  return page ? { page: 'hall', unknown: hash } : { page: 'hall' };
}

export const toHall = () => '#/';
export const toGames = () => '#/games';
export const toInbox = () => '#/inbox';
export const toMap = () => '#/map';
export const toDevices = () => '#/devices';
/** @param {number} [round] left out for the one at hand */
export const toRound = (round) => (round ? `#/round/${round}` : '#/round');
/** @param {number} [round] left out for the whole event */
export const toReport = (round) => (round ? `#/report/${round}` : '#/report');
/** @param {string} id */
export const toGame = (id) => `#/game/${encodeURIComponent(id)}`;
/** What its sensors saw. @param {string} id */
export const toSeen = (id) => `${toGame(id)}/seen`;
export const isOfSeen = () => location.hash.endsWith('/seen');
/** @param {string} id */
export const toIncident = (id) => `#/incident/${encodeURIComponent(id)}`;
/** @param {string} id */
export const toBoard = (id) => `#/board/${encodeURIComponent(id)}`;

/** @param {string} hash */
export function go(hash) {
  location.hash = hash;
}

export function useRoute() {
  const [route, setRoute] = useState(() => routeOf(location.hash));
  useEffect(() => {
    const follow = () => {
      setRoute(routeOf(location.hash));
      scrollTo(0, 0);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}
