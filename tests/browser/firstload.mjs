// How long a phone on a slow line waits for the console: node firstload.mjs [PAGE]. It is asked for twice: by a browser that has never seen it, and again.
import { House, closeBrowser } from './house.mjs';

/** Slow 3G as Chromium's developer tools have it: 400 kbit/s, 400 ms until an answer begins. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const page = process.argv[2] ?? '#/inbox';
const house = await House.open(4, 'language = "en"\n', '', Boolean(process.env.TLS));
try {
  const tab = await house.device({ width: 390, height: 844 });
  const devtools = await tab.context().newCDPSession(tab);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW);
  const seen = { requests: 0, bytes: 0, protocols: new Set() };
  devtools.on('Network.responseReceived', ({ response }) => { seen.requests += response.fromDiskCache ? 0 : 1; seen.protocols.add(response.protocol); });
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => { seen.bytes += encodedDataLength; });
  for (const what of ['first load', 'loaded again']) {
    Object.assign(seen, { requests: 0, bytes: 0 });
    const begun = Date.now();
    await tab.goto(what === 'first load' ? `${house.address}/${page}` : 'about:blank');
    if (what !== 'first load') await tab.goto(`${house.address}/${page}`);
    await tab.waitForSelector(house.people ? '.door form' : '.inbox-title, .card, .room, .tile, .hall, .empty', { timeout: 120_000 });
    const shown = Date.now() - begun;
    await tab.waitForLoadState('networkidle', { timeout: 120_000 });
    console.log(`${page}, ${what}: drawn after ${(shown / 1000).toFixed(1)} s; ${seen.requests} requests, ${(seen.bytes / 1000).toFixed(0)} kB, ${[...seen.protocols].join(' ')}`);
  }
} finally {
  await house.close();
  await closeBrowser();
}
