// @ts-check
// Browsers and systems by the names that people know.

/** Of browsers that name others too, each before those. @type {[RegExp, string][]} */
const BROWSERS = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  // The daemon keeps the first 120 bytes, in which a phone’s Safari has not got to its name.
  [/Version\/|Safari\//, 'Safari'],
];

/** @type {[RegExp, string][]} */
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** @param {[RegExp, string][]} table @param {string} agent */
const named = (table, agent) => table.find(([sign]) => sign.test(agent))?.[1];

/**
 * The browser and what it runs on, such as Chrome and Linux; null where one of both is none of the usual.
 * @param {string} agent what it calls itself
 */
export function browserOf(agent) {
  const [browser, system] = [named(BROWSERS, agent), named(SYSTEMS, agent)];
  return browser && system ? { browser, system } : null;
}
