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
  type Correction = api.Correction;
  type HallOfHub = api.HallOfHub;
  type IncidentOfHall = { hall: string; incident: Incident };
  type HubOfHall = api.HubOfHall;
  type Lateness = api.Lateness;
  type LichessRound = api.LichessRound;
  type PublicOutlet = api.PublicOutlet;
  type PublicOutletState = api.PublicOutletState;
  type PublicGameState = api.PublicGameState;
  type PublicState = api.PublicState;
  type MachineClock = api.MachineClock;
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
  type EventDocument = api.Event2;
  type GameDocument = api.GameDocument;
  type ResultSaid = api.ResultSaid;
  type Round = api.Round;
  type RoundSummary = api.RoundSummary;
  type Pairing = api.Pairing;
  type BoardFault = api.BoardFault;
  type BoardMove = api.BoardMove;
  type FaultText = api.FaultText;
  /** Why something was refused. */
  type Reason = api.RefusalReason;
  type Noted = api.Noted;
  type Breaks = api.Breaks;
  type Observed = api.ObservedGame;
  type Unseen = api.Unseen;
  type Details = api.Details;
  type Trial = api.Trial;
  type HallTable = api.HallTable;
  type BoardPort = api.BoardPort;
  type Loaded = api.Loaded;
  type Oddity = api.Oddity;
  type Problem = api.Problem;
  type FilePlace = api.Fault;

  /** A board as the console keeps it. */
  type Shown = Board & { clocks: Clocks; urgency: Urgency; whole: boolean; last: PlyRecord | null };
  /** How much is told of boards that are not shown in whole. */
  type Depth = 'needs' | 'card' | 'whole';
  /** The clocks' last report, and the moment of this page at which it was true. */
  type Clocks = { report: string; at: number };
  /** The rank decides the order; the key tells one need from the next on the same board. */
  type Urgency = { rank: number; key: string };

  type Update = api.UpdateOfBoard;
  type NextOnBoard = api.NextOnBoard;
  type Ruling = api.AnnouncementOfBoard;
  /** Something that waits for somebody. */
  type Incident = Omit<api.Incident, 'proposed' | 'missed'> & { proposed: Proposed | null; missed: { game: string } | null };
  /** A result that somebody must confirm. */
  type Proposed = { result: GameResult; reason: ResultReason; text: string | null };
  type IncidentRuling = api.IncidentRuling;
  type IncidentStep = api.Step;
  type SaidBy = api.SaidBy;
  /** Any message of the live feed. */
  type Message = api.LiveMessage;

  /** Which position is shown: null for the live one, else the number of plies played. */
  type LookBack = { shown: number | null; show: (ply: number) => void };
  /** Something that needs the arbiter, as sign, word and text. */
  type Need = { kind: Kind; word: string; text: string; certainty?: Certainty };
  type Kind = 'irregularity' | 'doubt' | 'fault' | 'restore' | 'proposed' | 'ruled';

  type Route = { page: 'hall' | 'games' | 'board' | 'inbox' | 'incident' | 'map' | 'devices' | 'round' | 'game' | 'report'; board?: string; incident?: string; game?: string; round?: number; unknown?: string };
  type Notice = { kind: 'done' | 'refused'; text: string };
  /** What is asked before something that cannot be taken back. */
  type Question = { title: string; text: string; action: string; danger?: boolean; late?: boolean };
  type LinkStatus = 'connecting' | 'live' | 'lost';

  /** What is said on each topic of `state/topics.mjs`, where it is more than that it happened. */
  interface Said {
    /** Something was done to the event; null where all is to be read anew. */
    event: string | null;
    key: 'uphold' | 'dismiss' | 'flip' | 'back' | 'forward' | 'start' | 'live' | 'going' | 'later' | 'take-back' | 'seen-before' | 'seen-next';
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
