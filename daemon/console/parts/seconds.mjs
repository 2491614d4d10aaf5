// @ts-check
// What shows ages and countdowns is told anew every second.
import { useEffect, useReducer } from 'preact/hooks';

export function useSeconds() {
  const [, refresh] = useReducer((/** @type {number} */ n) => n + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => refresh(undefined), 1000);
    return () => clearInterval(timer);
  }, []);
}
