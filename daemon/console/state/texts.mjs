// @ts-check
// What is said of a game, in the language of whoever reads it: the daemon says it in the event's.
import { useEffect } from 'preact/hooks';
import { notify, useTopic } from './topics.mjs';
import { eventLanguage, useLanguage } from '../words/language.mjs';

/** @typedef {{ findings: Record<string, string>, happened?: Record<string, string>, doubts: Record<string, string>, result: string | null }} Texts */
/** @typedef {{ findings: Finding[], doubts: Doubt[], result_text: string | null }} Said */

/** By game and language, with what they were asked for. @type {Map<string, { of: string, texts: Texts }>} */
const known = new Map();

/** @param {string} game @param {string} language @param {string} [from] below which address the game is @returns {Promise<Texts | null>} */
const ask = (game, language, from = '') => fetch(`${from}api/games/${encodeURIComponent(game)}/texts?language=${language}`).then((answer) => (answer.ok ? answer.json() : null), () => null);

/** Of what is past nobody is told what to do: a daemon older than the page says it all the same. @param {Texts | null} texts */
const ofThePast = (texts) => texts && { ...texts, findings: texts.happened ?? texts.findings };

/** @param {Said} view @param {Texts | null | undefined} texts */
const inWords = (view, texts) => (texts ? {
  findings: view.findings.map((finding) => ({ ...finding, text: texts.findings[finding.id] ?? finding.text })),
  doubts: view.doubts.map((doubt) => ({ ...doubt, text: texts.doubts[`${doubt.ply}.${doubt.kind}`] ?? doubt.text })),
  result_text: view.result_text && (texts.result ?? view.result_text),
} : view);

/**
 * The findings, doubts and result of a game as the reader reads them; until that is known, as they were said.
 * @template {Said} V
 * @param {string} game
 * @param {V} view
 * @returns {V}
 */
export function useTexts(game, view) {
  const language = useLanguage();
  useTopic(`texts:${game}`);
  const of = [...view.findings.map(({ id, status, certainty }) => `${id}${status}${certainty}`), ...view.doubts.map(({ ply, kind }) => `${ply}${kind}`), view.result_text].join();
  const key = `${game} ${language}`;
  const isOther = Boolean(game) && language !== eventLanguage() && of !== '';
  useEffect(() => {
    if (!isOther || known.get(key)?.of === of) return;
    ask(game, language).then((texts) => {
      if (!texts) return;
      known.set(key, { of, texts });
      notify(`texts:${game}`);
    });
  }, [key, of, isOther]);
  return isOther ? { ...view, ...inWords(view, known.get(key)?.texts) } : view;
}

/**
 * A game on record as the reader reads it: what happened in it.
 * @param {GameDocument} game
 * @param {string} language
 * @param {string} [from]
 * @returns {Promise<GameDocument>}
 */
export async function readable(game, language, from = '') {
  if (!game.view || (game.view.findings.length + game.view.doubts.length === 0 && !game.view.result_text)) return game;
  return { ...game, view: { ...game.view, ...inWords(game.view, ofThePast(await ask(game.id, language, from))) } };
}
