// @ts-check
// Who wants to know of what: topics are `order`, `orders`, `dock`, `boards`, `event`, `hall`, `urgency`, `incidents`, `observed`, `filter`, `sector`, `ruling`, `link`, `notice`, `watch`, `ruled-here`, `proof`, `name`, `board:<id>`, `card:<id>`, `urgent:<id>` and `lately:<id>`.
import { useEffect, useReducer } from 'preact/hooks';

/** @type {Map<string, Set<(detail: any) => void>>} */
const listeners = new Map();

/**
 * @template {string} T
 * @param {T} topic
 * @param {(detail: T extends keyof Said ? Said[T] : undefined) => void} listener
 */
export function subscribe(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic)?.add(listener);
  return () => { listeners.get(topic)?.delete(listener); };
}

/**
 * @template {string} T
 * @param {T} topic
 * @param {T extends keyof Said ? [Said[T]] : []} said
 */
export function notify(topic, ...said) {
  for (const listener of [...(listeners.get(topic) ?? [])]) listener(said[0]);
}

/**
 * Renders the caller again whenever something is said on `topic`.
 * @param {string} topic
 */
export function useTopic(topic) {
  const [, refresh] = useReducer((/** @type {number} */ n) => n + 1, 0);
  useEffect(() => subscribe(topic, () => refresh(undefined)), [topic]);
}
