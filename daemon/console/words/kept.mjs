// @ts-check
// Words that are kept: they are said in the language of whoever reads them later.
import { say } from './language.mjs';

/** A text, or its name with what fills its places. @typedef {string | [Word, Places?]} Kept */

/** @param {Kept} kept */
export const keptText = (kept) => (typeof kept === 'string' ? kept : say(...kept));
