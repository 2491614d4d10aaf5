// Who wants to know of what: topics are `order`, `urgency`, `ruling`, `link`, `notice`, `board:<id>` and `lately:<id>`.
import { useEffect, useReducer } from 'preact/hooks';

const listeners = new Map();

export function subscribe(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic).delete(listener);
}

export function notify(topic, detail) {
  for (const listener of [...(listeners.get(topic) ?? [])]) listener(detail);
}

/** Renders the caller again whenever something is said on `topic`. */
export function useTopic(topic) {
  const [, refresh] = useReducer((n) => n + 1, 0);
  useEffect(() => subscribe(topic, refresh), [topic]);
}
