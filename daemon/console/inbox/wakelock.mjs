// @ts-check
// The screen of a phone stays on while somebody watches for incidents.
import { useEffect } from 'preact/hooks';

export function useWakeLock() {
  useEffect(() => {
    /** @type {WakeLockSentinel | null} */
    let lock = null;
    let isLeft = false;
    const take = async () => {
      if (isLeft || document.visibilityState !== 'visible' || !navigator.wakeLock) return;
      // A phone that is nearly empty says no.
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      if (isLeft) lock?.release();
    };
    take();
    document.addEventListener('visibilitychange', take);
    return () => {
      isLeft = true;
      document.removeEventListener('visibilitychange', take);
      lock?.release();
    };
  }, []);
}
