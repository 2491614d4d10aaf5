// @ts-check
// The page shown is the part of the address after #: `#/`, `#/board/b03`, `#/games`.
import { useEffect, useState } from 'preact/hooks';

/**
 * @param {string} hash
 * @returns {Route}
 */
export function routeOf(hash) {
  const [, page, rest] = hash.split('/');
  if (page === 'board' && rest) return { page: 'board', board: decodeURIComponent(rest) };
  return { page: page === 'games' ? 'games' : 'hall' };
}

export const toHall = () => '#/';
export const toGames = () => '#/games';
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
