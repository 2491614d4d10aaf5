// What the console's modules share among each other, besides what the interface says (api.d.ts).
import type { DrawShape as Drawing } from 'chessground/draw';
import type * as ground from 'chessground/types';
import * as api from './api';

declare global {
  type Board = api.Board;
  type Certainty = api.Certainty;
  type ClaimKind = api.ClaimKind;
  type Code = api.Code;
  type Colour = api.Colour;
  type Doubt = api.Doubt;
  type Finding = api.Finding;
  type Game = api.Game;
  type GameResult = api.GameResult;
  type InputLine = api.Event;
  type Language = api.Language;
  type Order = api.Order;
  type Party = api.Party;
  type Promotion = api.Promotion;
  type ResultReason = api.ResultReason;
  type DrawStep = api.DrawStep;
  type Turned = api.Orientation;
  type NewGameFields = Omit<api.NewGame, 'event'>;
  type DrawShape = Drawing;
  type Key = ground.Key;
  type Role = ground.Role;
  /** What a form holds when it is sent. */
  type FormEvent = Event & { currentTarget: HTMLFormElement };
  type PlyRecord = api.PlyRecord;

  /** A board as the console keeps it. */
  type Shown = Board & { clocks: Clocks; urgency: Urgency };
  /** The clocks' last report, and the moment of this page at which it was true. */
  type Clocks = { report: string; at: number };
  /** The rank decides the order; the key tells one need from the next on the same board. */
  type Urgency = { rank: number; key: string };

  type Update = api.UpdateOfBoard;
  type Ruling = api.AnnouncementOfBoard;
  /** Any message of the live feed. */
  type Message = api.LiveMessage;

  /** Which position is shown: null for the live one, else the number of plies played. */
  type LookBack = { shown: number | null; show: (ply: number) => void };
  /** Something that needs the arbiter, as sign, word and text. */
  type Need = { kind: Kind; word: string; text: string; certainty?: Certainty };
  type Kind = 'irregularity' | 'doubt' | 'fault' | 'restore';

  type Route = { page: 'hall' | 'games' | 'board'; board?: string };
  type Notice = { kind: 'done' | 'refused'; text: string };
  /** What is asked before something that cannot be taken back. */
  type Question = { title: string; text: string; action: string; danger?: boolean };
  type LinkStatus = 'connecting' | 'live' | 'lost';

  /** What is said on each topic of `state/topics.mjs`, where it is more than that it happened. */
  interface Said {
    key: 'uphold' | 'dismiss' | 'flip' | 'back' | 'forward' | 'start' | 'live';
    ruling: Ruling;
    urgency: Shown;
  }

  /** The names of all words: those of English. */
  type Word = keyof typeof import('../console/words/en.mjs').default;
  /** A phrase, or one for one and another for more. */
  type Phrase = string | string[];
  /** What every language says. */
  type Words = Record<Word, Phrase>;
  /** What fills the places of a phrase. */
  type Places = Record<string, unknown> & { n?: number };

  /** One of the arbiter's actions, such as `uphold`. */
  type Action = api.ArbiterAction['action'];
  /** The fields of an action besides its name. */
  type FieldsOf<A extends Action> = Omit<Extract<api.ArbiterAction, { action: A }>, 'action'>;
  type EventName = InputLine['event'];
  /** The input lines of one name. */
  type LineOf<E extends EventName> = Extract<InputLine, { event: E }>;
  type RulingOf<R extends Ruling['ruling']> = Extract<Ruling, { ruling: R }>;
}
