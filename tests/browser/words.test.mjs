// The tables of words: every language says everything, nothing is said that has no words, and no words are left over.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'daemon', 'console');
const names = readdirSync(join(root, 'words')).flatMap((file) => /^([a-z]{2})\.mjs$/.exec(file)?.[1] ?? []);
const languages = await Promise.all(names.map(async (name) => [name, (await import(join(root, 'words', `${name}.mjs`))).default]));
const [, english] = languages.find(([name]) => name === 'en');
const sources = readdirSync(root, { recursive: true })
  .filter((file) => file.endsWith('.mjs') && !file.startsWith('vendor') && !/words\/[a-z]{2}(\.mjs|\/.*)$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

/** The places of a phrase, players' in whatever case. */
const places = (words) => new Set([words].flat().join(' ').match(/\{[a-z-]+\}/gi)?.map((name) => name.toLowerCase().replace(/to-|of-/, '')));

for (const [name, table] of languages) {
  test(`${name} has words for everything`, () => {
    assert.deepEqual(Object.keys(table), Object.keys(english));
    for (const [key, words] of Object.entries(table)) {
      assert.equal(Array.isArray(words), Array.isArray(english[key]), key);
      assert.deepEqual(places(words), places(english[key]), key);
      for (const phrase of [words].flat()) assert.ok(phrase.trim().length > 0, key);
    }
  });
}

test('French is set as French', () => {
  const [, french] = languages.find(([name]) => name === 'fr');
  for (const [key, words] of Object.entries(french)) {
    for (const phrase of [words].flat()) {
      assert.doesNotMatch(phrase, /['"]/, `${key}: straight signs`);
      assert.doesNotMatch(phrase, /[^\s][;:!?»](\s|$)|«[^\s]/u, `${key}: a high sign without its space`);
      assert.doesNotMatch(phrase, /\b(de|à) les?\s/i, `${key}: not contracted`);
    }
  }
});

test('where nothing is counted French has the singular, which says so', () => {
  // Whatever has stood once at least has words for once.
  const never = new Set(['claim.stood', 'claim.would']);
  const [, french] = languages.find(([name]) => name === 'fr');
  const silent = Object.entries(french).filter(([key, words]) => Array.isArray(words) && words[1].includes('{n}') && !words[0].includes('{n}') && !never.has(key));
  assert.deepEqual(silent.map(([key]) => key), []);
});

test('what is said has words, and all words are said', () => {
  const said = new Set([...sources.matchAll(/'([a-z][\w.?-]*)'/g)].map(([, key]) => key));
  const begun = [...sources.matchAll(/`([a-z][\w-]*\.(?:[\w-]+-)?)\$\{/g)].map(([, start]) => start);
  const ended = [...sources.matchAll(/\$\{word\}(\.[a-z]+)`/g)].map(([, end]) => end);
  for (const [, key] of sources.matchAll(/\bsay\('([^']+)'/g)) assert.ok(Object.hasOwn(english, key), `no words for ${key}`);
  said.add('language');
  const isSaid = (key) => said.has(key) || begun.some((start) => key.startsWith(start)) || ended.some((end) => key.endsWith(end));
  const left = Object.keys(english).filter((key) => !isSaid(key));
  assert.deepEqual(left, []);
});

/** The names of a Rust enum's variants as serde writes them. */
const variants = (path, name) => {
  const text = readFileSync(join(root, '..', '..', path), 'utf8');
  const body = text.slice(text.indexOf(`pub enum ${name} {`)).split('\n}')[0];
  return [...body.matchAll(/^    ([A-Z][A-Za-z]+)/gm)].map(([, variant]) => variant.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase());
};

test('every refusal that the program can tell has words', () => {
  const folder = join(root, '..', 'src');
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.rs') && !/(^|\/)tests(\.rs|\/)/.test(file));
  const rust = files.map((file) => readFileSync(join(folder, file), 'utf8').split('#[cfg(test)]\nmod tests {')[0]).join('\n');
  const named = [...rust.matchAll(/(?:Reason::new\(|\brefused\(|\bunfit\(|\bof_hall\()\s*"([a-z-]+)"|let kind = if stops \{\s*"([a-z-]+)"\s*\} else \{\s*"([a-z-]+)"/g)].flatMap(([, ...kinds]) => kinds.filter(Boolean));
  const orders = variants('arbiter-core/src/said/refused.rs', 'Why').map((why) => `order-${why}`);
  const kinds = new Set([...named, ...orders, ...variants('daemon/tournament/src/refusal.rs', 'Refusal')].filter((kind) => kind !== 'refused' && kind !== 'ruled-already'));
  const known = Object.keys(english).filter((key) => /^refused\.(?!open-|ruled-|somebody$)/.test(key)).map((key) => key.slice('refused.'.length));
  assert.ok(kinds.size > 80);
  assert.deepEqual([...kinds].filter((kind) => !known.includes(kind)), [], 'no words');
  assert.deepEqual(known.filter((kind) => !kinds.has(kind)), [], 'nobody tells');
});

test('everything that can be wrong with a file of pairings has words', () => {
  const daemon = join(root, '..');
  const rust = ['tournament/src', 'src'].flatMap((folder) => readdirSync(join(daemon, folder), { recursive: true })
    .filter((file) => file.endsWith('.rs')).map((file) => readFileSync(join(daemon, folder, file), 'utf8'))).join('\n');
  const format = readFileSync(join(daemon, 'tournament', 'src', 'load', 'trf_problem.rs'), 'utf8');
  const kinds = new Set([...rust.matchAll(/(?:\bwhat!\(|\.within\()\s*"([a-z-]+)"/g), ...format.matchAll(/\b(?:told|one|two)\(\s*"([a-z-]+)"/g)].map(([, kind]) => kind));
  const known = Object.keys(english).filter((key) => key.startsWith('file.')).map((key) => key.slice('file.'.length));
  assert.ok(kinds.size > 120);
  assert.deepEqual([...kinds].filter((kind) => !known.includes(kind)), [], 'no words');
  assert.deepEqual(known.filter((kind) => !kinds.has(kind)), [], 'nobody tells');
  // No sentence has the words of another program in it: those are in English, and told behind it.
  const foreign = [...rust.matchAll(/\b(\w+) = error\b/g)].map(([, name]) => name);
  assert.ok(foreign.includes('detail'));
  for (const [kind, words] of Object.entries(english).filter(([key]) => key.startsWith('file.'))) assert.ok(!places(words).has('{detail}'), kind);
  // What stands in a sentence is told with it.
  for (const [, kind, text] of rust.matchAll(/\bwhat!\(\s*"([a-z-]+)",\s*"((?:[^"\\]|\\.)*)"/gs)) {
    if (kind !== 'unknown') assert.ok([...places(english[`file.${kind}`])].every((place) => places(text).has(place)), kind);
  }
});

test('every fault that the program can tell has words, and its places', () => {
  const repository = join(root, '..', '..');
  const rust = ['board-driver', 'daemon'].flatMap((name) => {
    const folder = join(repository, name, 'src');
    return readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.rs')).map((file) => readFileSync(join(folder, file), 'utf8'));
  });
  // What tests of the program make up is behind its code.
  const code = rust.map((text) => text.split('#[cfg(test)]')[0]).filter((text) => !text.startsWith('use super')).join('\n');
  const kinds = new Set([...code.matchAll(/(?:Fault::new\(|\bof\(|=> \(|\{\n\s*\()\s*"([a-z]+(?:-[a-z]+)*)"/g)].map(([, kind]) => kind));
  const known = Object.keys(english).filter((key) => /^broken\.(?!of-|all$|rank$|file$)/.test(key)).map((key) => key.slice('broken.'.length));
  assert.ok(known.length > 40);
  for (const kind of known) assert.ok(kinds.has(kind), `nobody tells ${kind}`);
  for (const [, kind] of code.matchAll(/Fault::new\(\s*"([a-z-]+)"/g)) assert.ok(known.includes(kind) || kind === 'unlearned', `no words for ${kind}`);
  for (const [, kind] of readFileSync(join(repository, 'board-driver', 'src', 'fault.rs'), 'utf8').matchAll(/\bof\("([a-z-]+)"/g)) assert.ok(known.includes(kind), `no words for ${kind}`);
});
