// What the daemon's interface says, in TypeScript. Made of its schemas; write it anew with
// WRITE_TYPES=1 cargo test -p daemon --test console_types

/** The hall. */
export interface About {
  /** Their ids, in the order of the configuration. */
  boards: string[];
  /** The event's, if it has chosen one. */
  language: Language | null;
  /** Milliseconds since 1970. */
  now: number;
  /** How long nobody may have looked at what is certain. */
  unseen: Unseen;
  /** The daemon's. */
  version: string;
}

/** Which store is accepted. */
export interface Accepted {
  /** Its name, as `stranger` of the hall says. */
  store: string;
}

/** Somebody with a password. */
export interface Account {
  /** When it was made, in seconds since 1970. */
  made: number;
  /** The name of the account, or of the device. */
  name: string;
  /** When it was closed. */
  revoked: number | null;
  /** What he is. */
  role: Role;
  /** The tables he is for; `null`: all, or none where the role rules at some only. */
  tables: Tables | null;
}

/** What stands for all acts of the store. */
export interface ActsSeal {
  /** How many there are, those of accounts, boards and incidents among them. */
  acts: number;
  /** The checksum of the last, in hexadecimal digits: it stands for all of them. Empty where there are none. */
  sum: string;
}

/** A board that does not stand in the configuration. */
export interface Added {
  /** The port's speed in bits a second; 0 is the kind's usual one. */
  baud?: number | null;
  /** The kind of board, or `auto`: whatever answers. */
  kind?: string | null;
  /** The name people use; left out: its id. */
  name?: string;
  /** The device, such as `/dev/ttyUSB0`, or `bluetooth:ADDRESS`, or `tcp://HOST:PORT`. */
  port?: string | null;
  /** Or the serial number of its USB device. */
  "usb-serial"?: string | null;
}

/** All that waits for somebody. */
export interface AllIncidents {
  /** In the order in which somebody should look at them. */
  incidents: Incident[];
}

/** One thing the arbiter says, with its moment and its game. */
export type Announcement = ({
  /** When it was decided, on the board's clock. */
  at: Time;
  /** The game it is about. */
  game: string;
}) & ({
  /** The position after it. */
  fen: string;
  /** 1 for the first half-move of the game. */
  ply: number;
  ruling: "move";
  /** The move in standard algebraic notation. */
  san: string;
  /** Made or completed. */
  state: MoveState;
  /** The move; from-to for an illegal move that stands. */
  uci: Move;
} | {
  /** The first ply that changed. */
  from_ply: number;
  /** The moves from there; may be empty. */
  moves: Move[];
  ruling: "revision";
} | {
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** The player. */
  by: Colour;
  /** The moves still permitted. */
  moves: Move[];
  ruling: "obligation";
} | (Irregularity) & ({
  ruling: "irregularity";
}) | {
  /** Its number. */
  id: number;
  ruling: "lapsed";
} | {
  /** Its number. */
  id: number;
  ruling: "withdrawn";
} | (Doubt) & ({
  ruling: "doubt";
}) | {
  /** The position. */
  fen: string;
  ruling: "restore";
  /** The squares that differ now; empty when the board matches. */
  squares: Square[];
} | {
  /** By whom. */
  by: Colour;
  /** On what ground. */
  kind: ClaimKind;
  ruling: "draw-claimable";
} | {
  /** Whether the claim is good. */
  accepted: boolean;
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** Who claimed. */
  by: Colour;
  /** What was claimed. */
  kind: ClaimKind;
  ruling: "claim";
  /** One sentence for the arbiter. */
  text: string;
} | {
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** Whether a human must confirm it. */
  proposed: boolean;
  /** Why. */
  reason: ResultReason;
  /** The result. */
  result: GameResult;
  ruling: "result";
  /** One sentence for the arbiter. */
  text: string;
} | {
  /** What it is about: a finding's number, a ply, a square, an order's name; empty where it names nothing. */
  about: string;
  /** What waits instead. */
  open: Open;
  /** The order's name, or that of the order which was to be taken back; left out where it has none. */
  order?: string | null;
  ruling: "refused";
  /** The same in a sentence for the arbiter. */
  text: string;
  /** Why. */
  why: Why;
} | (Summary) & ({
  ruling: "summary";
}));

/** A message with its board. */
export type AnnouncementOfBoard = ({
  /** When it was decided, on the board's clock. */
  at: Time;
  /** The board's id. */
  board: string;
  /** The game it is about. */
  game: string;
}) & ({
  /** The position after it. */
  fen: string;
  /** 1 for the first half-move of the game. */
  ply: number;
  ruling: "move";
  /** The move in standard algebraic notation. */
  san: string;
  /** Made or completed. */
  state: MoveState;
  /** The move; from-to for an illegal move that stands. */
  uci: Move;
} | {
  /** The first ply that changed. */
  from_ply: number;
  /** The moves from there; may be empty. */
  moves: Move[];
  ruling: "revision";
} | {
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** The player. */
  by: Colour;
  /** The moves still permitted. */
  moves: Move[];
  ruling: "obligation";
} | (Irregularity) & ({
  ruling: "irregularity";
}) | {
  /** Its number. */
  id: number;
  ruling: "lapsed";
} | {
  /** Its number. */
  id: number;
  ruling: "withdrawn";
} | (Doubt) & ({
  ruling: "doubt";
}) | {
  /** The position. */
  fen: string;
  ruling: "restore";
  /** The squares that differ now; empty when the board matches. */
  squares: Square[];
} | {
  /** By whom. */
  by: Colour;
  /** On what ground. */
  kind: ClaimKind;
  ruling: "draw-claimable";
} | {
  /** Whether the claim is good. */
  accepted: boolean;
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** Who claimed. */
  by: Colour;
  /** What was claimed. */
  kind: ClaimKind;
  ruling: "claim";
  /** One sentence for the arbiter. */
  text: string;
} | {
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** Whether a human must confirm it. */
  proposed: boolean;
  /** Why. */
  reason: ResultReason;
  /** The result. */
  result: GameResult;
  ruling: "result";
  /** One sentence for the arbiter. */
  text: string;
} | {
  /** What it is about: a finding's number, a ply, a square, an order's name; empty where it names nothing. */
  about: string;
  /** What waits instead. */
  open: Open;
  /** The order's name, or that of the order which was to be taken back; left out where it has none. */
  order?: string | null;
  ruling: "refused";
  /** The same in a sentence for the arbiter. */
  text: string;
  /** Why. */
  why: Why;
} | (Summary) & ({
  ruling: "summary";
}));

/** Where the answers to the arbiter's questions come from. The core takes what comes; this is for whoever feeds it. */
export type Answers = "reader" | "recorded";

/** An arbiter who may be asked to go somewhere. */
export interface Arbiter {
  /** The name of the account. */
  name: string;
  /** The tables he is for; `null`: all. */
  tables: Tables | null;
}

/** What the human arbiter can order. */
export type ArbiterAction = (FindingRef) & ({
  action: "uphold";
}) | (FindingRef) & ({
  action: "dismiss";
}) | {
  action: "promotion";
  /** The piece. */
  piece: Promotion;
  /** The promotion square. */
  square: Square;
} | {
  action: "reading";
  /** The move that was played. */
  move: Move;
  /** The ply in doubt. */
  ply: number;
} | {
  action: "played";
  /** What was played; from-to where it is no legal move. */
  move: Move;
  /** The ply, counted from 1. */
  ply: number;
} | {
  action: "take-back";
  /** The order's name. */
  order: string;
} | {
  action: "set-position";
  /** The position. */
  fen: StartFen;
} | {
  action: "let-stand";
} | {
  action: "annul";
  /** Which game, where it is not the one at hand: as for a result. */
  game?: string | null;
} | {
  action: "board-turned";
  /** The whole turn, not one more on top of another. */
  turned: Orientation;
} | {
  action: "pause";
} | {
  action: "resume";
} | {
  action: "result";
  /** Of which game, where it is not the one at hand: the game before, of which it was asked whether it has ended. */
  game?: string | null;
  /** The result. */
  result: GameResult;
} | {
  action: "goes-on";
  /** Which game; left out where it is the one at hand. */
  game?: string | null;
} | {
  action: "report";
  /** The offender; left out where both answer for it, as for a wrong set-up. */
  by?: Colour | null;
  /** Which. */
  code: Code;
  /** The square it is about, such as that of the piece touched. */
  square?: Square | null;
};

/** What the human arbiter can order. */
export type ArbiterActionRequest = (FindingRef) & ({
  action: "uphold";
}) | (FindingRef) & ({
  action: "dismiss";
}) | {
  action: "promotion";
  /** The piece. */
  piece: Promotion;
  /** The promotion square. */
  square: Square;
} | {
  action: "reading";
  /** The move that was played. */
  move: Move;
  /** The ply in doubt. */
  ply: number;
} | {
  action: "played";
  /** What was played; from-to where it is no legal move. */
  move: Move;
  /** The ply, counted from 1. */
  ply: number;
} | {
  action: "take-back";
  /** The order's name. */
  order: string;
} | {
  action: "set-position";
  /** The position. */
  fen: StartFen;
} | {
  action: "let-stand";
} | {
  action: "annul";
  /** Which game, where it is not the one at hand: as for a result. */
  game?: string | null;
} | {
  action: "board-turned";
  /** The whole turn, not one more on top of another. */
  turned: Orientation;
} | {
  action: "pause";
} | {
  action: "resume";
} | {
  action: "result";
  /** Of which game, where it is not the one at hand: the game before, of which it was asked whether it has ended. */
  game?: string | null;
  /** The result. */
  result: GameResult;
} | {
  action: "goes-on";
  /** Which game; left out where it is the one at hand. */
  game?: string | null;
} | {
  action: "report";
  /** The offender; left out where both answer for it, as for a wrong set-up. */
  by?: Colour | null;
  /** Which. */
  code: Code;
  /** The square it is about, such as that of the piece touched. */
  square?: Square | null;
};

/** A game of which it is asked whether it has ended. */
export interface Asked {
  /** Its name: a result, or that it goes on, is ordered with it. */
  game: string;
  /** Half-moves in its record. */
  ply: number;
  /** One sentence for the arbiter. */
  text: string;
}

/** Tables to be given. */
export interface Assignment {
  /** Which, such as `1-10`; `null`: none of his own. */
  tables?: Tables | null;
}

/** Nothing happened; the line is alive. */
export interface Beat {
  /** Milliseconds since 1970. */
  beat: number;
}

/** Everything the console shows of one board. */
export interface Board {
  /** Whether its sensors are analogue, so that it can be calibrated. */
  analogue: boolean;
  /** The game before, while it is not known whether it has ended; the next one is played meanwhile. */
  asked: Asked | null;
  /** Black's name; empty when unknown. */
  black: string;
  /** Black's remaining time at the last report, in milliseconds. */
  black_ms: number | null;
  /** The class of play. */
  class: TimeClass | null;
  /** When it was last told what the clocks show, in milliseconds since 1970: what was added to them since is not in that. */
  clock_at: number | null;
  /** Since when the clocks stand, in milliseconds since 1970: the board says so, or the game is paused or has ended. `null` while one runs, or is not known to stand. */
  clock_stands: number | null;
  /** When the clock that runs began to, in milliseconds since 1970, as if it had never stood: a console counts on from there. */
  clock_told: number | null;
  /** Whether the board is on the line and answers. */
  connected: boolean;
  /** Squares that read differently from the recorded position. */
  differs: Square[];
  /** Squares whose sensors the board itself does not trust, as the game calls them. */
  distrusted: string[];
  /** Open doubts. */
  doubts: Doubt[];
  /** What is wrong with the board or its line, in words. */
  fault: string | null;
  /** The same one by one, to be said in the reader's language. */
  faults: FaultText[];
  /** The recorded position. */
  fen: string;
  /** Every finding of the game. */
  findings: Finding[];
  /** What the board's firmware calls itself, if it says that: name, version, what it was built of. */
  firmware: string | null;
  /** The game's name; empty when none is set up. */
  game: string;
  /** What ends the game by itself in the position that stands, where a finding that waits keeps that from counting: nobody is to move then. */
  held_back: ResultReason | null;
  /** The board's id in the configuration. Empty, and not written, where the message names its board. */
  id: string;
  /** The edition of the Laws. */
  laws: Edition | null;
  /** The record as a list of moves. */
  moves: string[];
  /** The name people use. */
  name: string;
  /** Who is to play here next: the pairing of the round under way that waits for its game, while another game stands here. */
  next: NextOnBoard | null;
  /** What was last learned of the board by itself, in words. */
  note: string | null;
  /** What the touches oblige the player to, if they do. */
  obligation: ObligationView | null;
  /** Completed illegal moves that count against each player, as far as certain or upheld. */
  offences: Offences | null;
  /** Findings that wait for the arbiter. */
  open: number;
  /** How many orders and words of players were given in the game, those included that were taken back. */
  ordered: number;
  /** The orders that have effect and can be taken back, oldest first: of very many the last. */
  orders: Event[];
  /** The record. */
  plies: PlyRecord[];
  /** Half-moves in the record. */
  ply: number;
  /** What the sensors read now: 64 symbols, a8 to h8 first, h1 last. */
  reading: Reading | null;
  /** The position to be put back while one is ordered. */
  restore: string | null;
  /** Where a loss that an arbiter has declared may rest on findings that were dismissed since: the findings that were ruled a loss while those stood; `null` elsewhere. */
  rests_on_dismissed: number[] | null;
  /** The result, if there is one. */
  result: ResultView | null;
  /** The sentence of the result. */
  result_text: string | null;
  /** The round; empty when unknown. */
  round: string;
  /** Whose clock runs, `w` or `b`, where a clock is connected and was pressed. */
  running: string | null;
  /** What the sensors can tell. */
  sensor: SensorClass | null;
  /** The board's serial number, once it has told it. */
  serial: string | null;
  /** The position from which the record goes: the starting position, or one that was set before anything was played. */
  start_fen: string;
  /** Where the game stands in its cycle. */
  state: Phase;
  /** The order by which the game is stopped, by its name; `null` where it is not stopped, or not by an order. */
  stopped_by: string | null;
  /** Whether play is adequately supervised. */
  supervised: boolean | null;
  /** Who has the move. */
  turn: Colour;
  /** How the board lies, as it is read: degrees clockwise. */
  turned: Orientation;
  /** He does so only since the round was started: no pieces stood as at the beginning of that game. */
  unset: UnsetOnBoard | null;
  /** White's name; empty when unknown. */
  white: string;
  /** White's remaining time at the last report, in milliseconds. */
  white_ms: number | null;
}

/** Something that was wrong with a board or its line. */
export interface BoardFault {
  /** The board. */
  board: string;
  /** Which of the store's events was at hand, by its number. */
  event: number;
  /** The round that was played. */
  round: number | null;
  /** Since when, in milliseconds since 1970. */
  since: number;
  /** The table. */
  table: number | null;
  /** How often it came in that time: it was gone for less than a minute between. */
  times: number;
  /** Until when; `null` while it is not over. */
  until: number | null;
  /** What it was: of one kind, in stores of before of several. */
  what: FaultText[];
}

/** A table at which a game went on was given another board, or left without one. */
export interface BoardMove {
  /** When, in milliseconds since 1970. */
  at: number;
  /** The board from then on; `null` where there is none. */
  board: string | null;
  /** Who; empty where nobody gave his name. */
  by: string;
  /** The game. */
  game: string;
  /** The board before; `null` where there was none. */
  instead: string | null;
  /** The round of the game. */
  round: number;
  /** The table. */
  table: number;
  /** The table with which it was exchanged, where both gave theirs for the other's. */
  with: number | null;
}

/** How a board is connected. */
export interface BoardPort {
  /** Its address on a bus. */
  address: number | null;
  /** The port's speed in bits a second; `null`: the kind's usual one. */
  baud: number | null;
  /** Its id. */
  board: string;
  /** Whether the configuration says so; else somebody did while the program ran. */
  configured: boolean;
  /** Whether it is on the line and answers. */
  connected: boolean;
  /** What is wrong with it or its line, in words. */
  fault: string | null;
  /** The language it is spoken to in; `null`: whatever answers. */
  kind: string | null;
  /** The name people use. */
  name: string;
  /** Its port, as `arbiterd ports` names it. */
  port: string;
  /** Whether the game on it is stopped, as after it came to another table: what is handled is nobody's move until the arbiter lets it go on. */
  stopped: boolean;
}

/** A board for a table. */
export interface Bound {
  /** Its id in the configuration. */
  board: string;
}

/** A time for which a player was out of the hall. */
export interface Break {
  /** When he came back; `null` while he is out. */
  back?: string | null;
  /** Whether he had the move when he left, as the record had it; `null` where nobody knows. */
  having_move?: boolean | null;
  /** When he left, in RFC 3339. */
  left: string;
  /** The player's starting number. */
  player: number;
  /** The round. */
  round: number;
}

/** The breaks of a player in a round. */
export interface Breaks {
  /** Each, in their order. */
  breaks: OneBreak[];
  /** Of how many breaks the record had it that he had the move when he left. */
  having_move: number;
  /** He is out of the hall now. */
  out: boolean;
  /** Who. */
  player: NamedPlayer;
  /** How many seconds he was out, without the break that goes on. */
  seconds: number;
  /** The table at which he plays. */
  table: number | null;
}

/** What becomes of castling that was left half done when the clock was pressed. */
export type CastlingHalfmove = "restore" | "complete";

/** How sure a finding is. */
export type Certainty = "possible" | "likely" | "certain";

/** One thing that would be different. */
export type Change = {
  change: "details";
} | {
  change: "enters";
  /** The player. */
  player: Player;
} | {
  /** As from now on. */
  after: Player;
  /** As before. */
  before: Player;
  change: "player";
} | {
  /** As before; left out where it is entered. */
  before?: Team | null;
  change: "team";
  /** As from now on. */
  team: Team;
} | {
  change: "matches";
  /** As from now on. */
  matches: Match[];
} | {
  /** As from now on; `null`: it has none any more. */
  after: TeamBye2 | null;
  /** As before; `null`: it had none. */
  before: TeamBye2 | null;
  change: "team-bye";
  /** The team. */
  team: number;
} | {
  /** Black. */
  black: number | null;
  change: "drawn";
  /** The table; byes have none. */
  table: number | null;
  /** White. */
  white: number;
} | {
  /** White and Black from now on. */
  after: unknown[];
  /** White and Black before. */
  before: unknown[];
  change: "redrawn";
  /** The table. */
  table: number;
} | {
  /** As from now on. */
  after: string | null;
  /** As before; `null` where there was none. */
  before: string | null;
  change: "result";
  /** The table; byes have none. */
  table: number | null;
  /** White; with a bye the player. */
  white: number;
} | {
  /** As from now on. */
  after: Start | null;
  /** As before; `null`: the usual one. */
  before: Start | null;
  change: "start";
  /** The table. */
  table: number | null;
} | {
  /** Black. */
  black: number | null;
  change: "gone";
  /** The table; byes have none. */
  table: number | null;
  /** White. */
  white: number;
};

/** A new password. */
export interface ChangeRequest {
  /** The one so far. */
  current: string;
  /** The new one. */
  new: string;
}

/** whether castling follows Chess960, or the number of the array */
export type Chess960 = boolean | number;

/** The secret of a petition. */
export interface Claim {
  secret: string;
}

/** What a player may claim. */
export type ClaimKind = "threefold" | "fifty-moves" | "touch-move" | "illegal-move" | "flag-fall";

/** Who may claim an irregularity, and until when. */
export interface ClaimRight {
  /** The claimant; either player where both answer for it. */
  by: Party;
  /** Whether the claim can still be made. */
  open: boolean;
  /** What ends the right to it. */
  until: ClaimWindow;
}

/** What ends the right to a claim. */
export type ClaimWindow = "touch" | "reply" | {
  moves: number;
} | "game";

/** Whose clock a penalty changes. */
export type ClockOf = "opponent" | "offender";

/** How an event is closed. */
export interface Closing {
  /** Also where rounds are still to be played. */
  anyway?: boolean;
}

/** A breach of the Laws that a board can show or that somebody reports. Names are those of event scripts. Articles are those of 2023; `crate::laws` knows the others. */
export type Code = "moved-out-of-turn" | "adjust-out-of-turn" | "touch-move-own-piece" | "touch-move-opponent-piece" | "touch-move-both-colours" | "castling-not-completed" | "castling-rook-first" | "promotion-choice-changed" | "promotion-order" | "released-piece-moved-again" | "clock-pressed-too-early" | "clock-other-hand" | "clock-stopped-without-reason" | "position-setup-wrong" | "board-orientation-wrong" | "colours-reversed" | "piece-displaced" | "displacement-found-later" | "illegal-move" | "pawn-not-promoted" | "clock-pressed-without-move" | "two-hands" | "illegal-position-standing" | "draw-claim-after-touch" | "incorrect-draw-claim" | "opponent-touched-pieces-out-of-turn";

/** A code as it was scanned or typed. */
export interface Code2 {
  code: string;
}

/** a player */
export type Colour = "white" | "black";

/** Results that a person confirms. */
export interface Confirmed {
  /** The tables. Left out: all whose result is proposed, with nothing of their game left to be ruled on, and none that only the arbiter can declare. */
  tables?: number[] | null;
  /** Nobody disputed them when it was decided: refused where something of a game is left to be ruled on by now. */
  undisputed?: boolean;
  /** What stood at tables when it was decided, as a round shows it (`upon`). Left out: whatever is so now. */
  upon?: Record<string, unknown>;
}

/** A correction of what was public. It is for the chief arbiter's and the operator's eyes. */
export interface Correction {
  /** The game was annulled: nothing comes instead, unless that is taken back. */
  annulled: boolean;
  /** Which outlets have it, and since when; the first to have it first. */
  arrived: PublicArrival[];
  /** Which of the store's events has the game, by its number. */
  event: number;
  /** The game. */
  game: string;
  /** What is public instead; empty where nothing is yet. */
  is: string;
  /** What was corrected. */
  kind: CorrectionKind;
  /** The first half-move that is not as it was, from 1; of a result, 0. */
  ply: number;
  /** Its round. */
  round: number | null;
  /** Its table. */
  table: number | null;
  /** When, in RFC 3339. */
  utc: string;
  /** What was public: moves from there on, or the result. */
  was: string;
}

/** What of a game was corrected after the public had seen it. */
export type CorrectionKind = "moves" | "result" | "start";

/** What a ruling would take out of the record. */
export interface Cut {
  /** The opponent may not claim the breach any more. */
  claim_over: boolean;
  /** How many half-moves. */
  half_moves: number;
  /** They themselves: `12. Nf3 d5 13. Bd3`. */
  moves: string;
  /** The result that goes with them, be it only proposed; `null` where none does. */
  result: ResultView | null;
}

/** What of a game on disk is not what was written. */
export interface Damage {
  /** The first event that is damaged or missing: 0 is the setup. `null` where the events are whole and something else is not. */
  event: number | null;
  /** What is wrong, in words. */
  what: string;
}

/** The answer to a ruling that was taken. */
export interface Decided {
  /** It was taken before: nothing was done now. */
  again: boolean;
  /** The name by which it can be taken back; `null` where it cannot. */
  order: string | null;
}

/** The answer to a petition. */
export interface Decision {
  allow: boolean;
}

/** A ruling on an incident. */
export interface Decision2 {
  /** Its name, unique in the game: one that is repeated counts once. */
  id: string;
  /** What is ordered: one input of an event script. */
  order: Order;
  /** The `version` of the incident that it was decided upon. Left out: whatever it is now. */
  upon?: string | null;
}

/** What is said of a tournament as a whole. Empty text: nobody said. */
export interface Details {
  /** The chief arbiter. */
  chief_arbiter: string;
  /** The class of play: `standard`, `rapid` or `blitz`; empty as the program is configured. */
  class?: string;
  /** After how many minutes who is not there has lost (Article 6.7.1). */
  default_time?: number | null;
  /** The last day. */
  end: string;
  /** The federation's three letters. */
  federation: string;
  /** The year of the edition of the Laws; empty as the program is configured. */
  laws?: string;
  /** Its name. */
  name: string;
  /** How many rounds there are to be. */
  rounds: number | null;
  /** The town, or the place. */
  site: string;
  /** The first day, as `2026.11.24`, or as the file has it. */
  start: string;
  /** Whether play is adequately supervised; `null` as the program is configured. */
  supervised?: boolean | null;
  /** The time control as PGN writes it: `5400+30`, `40/6000+30:900+30`. */
  time_control: string;
  /** What results are worth. */
  worth: Worth;
}

/** What is said of a tournament as a whole. Empty text: nobody said. */
export interface DetailsRequest {
  /** The chief arbiter. */
  chief_arbiter?: string;
  /** The class of play: `standard`, `rapid` or `blitz`; empty as the program is configured. */
  class?: string;
  /** After how many minutes who is not there has lost (Article 6.7.1). */
  default_time?: number | null;
  /** The last day. */
  end?: string;
  /** The federation's three letters. */
  federation?: string;
  /** The year of the edition of the Laws; empty as the program is configured. */
  laws?: string;
  /** Its name. */
  name?: string;
  /** How many rounds there are to be. */
  rounds?: number | null;
  /** The town, or the place. */
  site?: string;
  /** The first day, as `2026.11.24`, or as the file has it. */
  start?: string;
  /** Whether play is adequately supervised; `null` as the program is configured. */
  supervised?: boolean | null;
  /** The time control as PGN writes it: `5400+30`, `40/6000+30:900+30`. */
  time_control?: string;
  /** What results are worth. */
  worth?: WorthRequest;
}

/** The time. */
export interface DeviceTime {
  /** In milliseconds since 1970. */
  now: number;
}

/** One side of a clock that is to be set. */
export interface Dial {
  /** What is added, in milliseconds. */
  add: number;
  /** What it showed when the finding arose, with what was added and taken away since, in milliseconds; `null` where no clock told. */
  from: number | null;
  /** What it is to show, in milliseconds. */
  to: number | null;
}

/** Both sides of the clock. */
export interface Dials {
  /** Black's. */
  black: Dial;
  /** White's. */
  white: Dial;
}

/** The PIN of a device. */
export interface Digits {
  /** 6 to 12 digits. */
  pin: string;
}

/** The answer to an order that was carried out. */
export interface Done {
  /** The board's id. */
  board: string;
  /** The name by which the order can be taken back: its own, or one that it was given. `null` where it cannot. */
  order: string | null;
  /** Always so: else there is another answer. */
  written: boolean;
}

/** It is done. */
export interface Done2 {
  /** Always so: else there is another answer. */
  done: boolean;
}

/** A doubt: the evidence fits more than one hypothesis. */
export interface Doubt {
  /** What is in doubt. */
  kind: DoubtKind;
  /** The ply in doubt. */
  ply: number;
  /** One list of moves for each hypothesis that fits. */
  readings: Move[][];
  /** The squares to look at. */
  squares: Square[];
  /** One sentence for the arbiter. */
  text: string;
}

/** What a doubt is about. */
export type DoubtKind = "ambiguous-move" | "promotion-piece" | "check-square" | "two-hands" | "who-touched" | "board-turned" | "pieces-exchanged" | "position-unknown" | "game-ended" | "thread-lost";

/** The steps of a draw by agreement (9.1). */
export type DrawStep = "offer" | "accept" | "decline";

/** The editions of the FIDE Laws of Chess, oldest first, by the year they came into force. */
export type Edition = "fide-1974" | "fide-1997" | "fide-2001" | "fide-2005" | "fide-2009" | "fide-2014" | "fide-2017" | "fide-2018" | "fide-2023";

/** Results that a person says. */
export interface Entered {
  /** The arbiter has decided so; else it is what the scoresheets say. */
  decided?: boolean;
  /** Only of games that have not begun: where one has, nothing is entered. */
  not_begun?: boolean;
  /** Only of tables that have no confirmed one: that stays as it is. */
  open_only?: boolean;
  /** Why; asked for where a confirmed result is changed, where another is shown by the moves, and for a forfeit of a game with moves. */
  reason?: string;
  /** By table, each once: `1-0`, `0-1`, `1/2-1/2`; sides that do not add up to a point, `0-0`, `1/2-0`, `0-1/2`; by forfeit `+/-`, `-/+`, `-/-`. */
  results: Record<string, unknown>;
  /** What stood at tables when it was decided, as a round shows it (`upon`). Left out: whatever is so now. */
  upon?: Record<string, unknown>;
}

/** A person in an event. */
export interface Entry {
  /** When he was out of the hall. */
  breaks: Break[];
  /** The name of the event. */
  event: string;
  /** What arbiters noted of him, or of a game of his, and where they named him. */
  notes: Note[];
  /** His penalties. */
  penalties: Penalty2[];
  /** What is said of him. */
  player: Player;
  /** His pairings: round, table, opponent, result, game. */
  rounds: Played[];
  /** What was said of his games: reasons for results, for time and for putting them off, and moves from the scoresheets. */
  said: Said[];
}

/** What was taken away. */
export interface Erased {
  /** Copies of the store that were removed: of older versions, and damaged ones. */
  copies: string[];
  /** How many entries in acts. */
  entries: number;
  /** Kept files that were rewritten, or removed where they cannot be. */
  files: string[];
  /** The games that are called otherwise. */
  games: string[];
  /** PGN files that were written anew. */
  pages: number;
}

/** One line of an event script: something that happened, and when. */
export type Event = ({
  /** When, on the board's clock. */
  at: Time;
}) & ((Setup) & ({
  event: "setup";
}) | {
  event: "lift";
  /** Which square. */
  square: Square;
} | {
  event: "place";
  /** What it reads; `?` on occupancy boards, where scripts leave it out. */
  seen?: Symbol;
  /** Which square. */
  square: Square;
} | {
  /** All 64 squares. */
  board: Reading;
  event: "snapshot";
} | {
  /** Who gave it. */
  author?: string | null;
  /** Black's remaining time in milliseconds, where the clock tells. */
  black_ms?: number | null;
  /** Who pressed. */
  by: Colour;
  event: "press";
  /** The order's name, unique in its game. */
  order?: string | null;
  /** White's remaining time in milliseconds, where the clock tells. */
  white_ms?: number | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who announced. */
  by: Colour;
  event: "adjust";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Whose flag. */
  by: Colour;
  event: "flag-fall";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who stopped them. */
  by: Colour;
  event: "stop";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who claims. */
  by: Colour;
  event: "claim";
  /** What is claimed. */
  kind: ClaimKind;
  /** The intended move, for draw claims. */
  move?: Move | null;
  /** The order's name, unique in its game. */
  order?: string | null;
  /** The square the claim is about. */
  square?: Square | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who speaks. */
  by: Colour;
  event: "draw";
  /** The order's name, unique in its game. */
  order?: string | null;
  /** Offer, accept or decline. */
  step: DrawStep;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who resigns. */
  by: Colour;
  event: "resign";
  /** The order's name, unique in its game. */
  order?: string | null;
} | (ArbiterAction) & ({
  /** Who gave it. */
  author?: string | null;
  event: "arbiter";
  /** The order's name, unique in its game. */
  order?: string | null;
}) | {
  /** Whether Black can. */
  black: Mating;
  event: "mating";
  /** The position. Its counters of moves mean nothing. */
  fen: Fen;
  /** Only a quick look was taken: what is unknown may be found by a longer search. */
  quick?: boolean;
  /** Whether White can. */
  white: Mating;
} | {
  event: "suspect";
  /** Which squares. */
  squares: Square[];
} | {
  event: "tick";
});

/** The event at hand. */
export interface Event2 {
  /** How many acts have made it, and those before it: grows with every change. */
  acts: number;
  /** Which boards came to tables at which games went on: these games were stopped. */
  board_moves: BoardMove[];
  /** What is wrong with the acts in the store: nothing can be done then. */
  damage: string | null;
  /** What is said of it. */
  details: Details;
  /** When games were stopped at many tables at once, and went on. */
  halts: Halt[];
  /** How the tables stand in the hall, in rows: `1-10 / 20-11`; empty where nobody has said. */
  layout: string;
  /** Which of the store's events it is, from 1. */
  number: number;
  /** Somebody has said something of it, and it is not closed. */
  open: boolean;
  /** The names of events that are over, the oldest first. */
  past: string[];
  /** In the order in which they were given. */
  penalties: Penalty2[];
  /** By starting number. */
  players: Player[];
  /** By number. */
  rounds: RoundSummary[];
  /** By starting number: whether the public is shown the name shortened, where somebody has said so. */
  shortened: Record<string, unknown>;
  /** Time that arbiters gave both players of a table. */
  times: GivenTime[];
}

/** An event of the store. */
export interface EventEntry {
  /** It is over. */
  closed: boolean;
  /** The last day. */
  end: string;
  /** Its name. */
  name: string;
  /** Its number, from 1, as they were opened. */
  number: number;
  /** How many players it has. */
  players: number;
  /** The numbers of its rounds that are drawn. */
  rounds: number[];
  /** The first day. */
  start: string;
}

/** Something was done to the event: what it is about is to be read anew. */
export interface EventNews {
  /** What was done: `draw`, `start-round`, `begin`, `propose`, `confirm`, `bind` ...; `null` where all is to be read anew. */
  act: string | null;
  /** How many acts have made the event with this one. */
  acts: number;
  /** In which round, if in one. */
  round: number | null;
  /** At which table, if at one. */
  table: number | null;
}

/** What is played in one hall of a round of an event. */
export interface EventPart {
  /** Its day; empty where nobody said. */
  date?: string;
  /** What is said of the event. */
  details: DetailsRequest;
  /** How the hub calls the event, and no other: its name another may have as well. */
  of?: string | null;
  /** The hub had another event of that name before: one that was opened in the hall itself need not be this one. */
  others?: boolean;
  /** Who plays there, or has played there before, by the starting numbers of the whole event. */
  players: Player[];
  /** The round. */
  round: number;
  /** The tables that are played there: all of the round that the hall has. */
  tables: EventPartTable[];
}

/** Who plays whom at a table. */
export interface EventPartTable {
  /** Black's. */
  black: number;
  /** From where the game starts, where that is not the usual position. */
  start?: Start | null;
  /** The table. */
  table: number;
  /** White's starting number. */
  white: number;
}

/** One thing that cannot be understood. */
export interface Fault {
  /** The column, from 1: of characters, in tables of fields. */
  column: number;
  /** The same for whoever says it in another language: by a name that stays, such as `no-number`. */
  kind: string;
  /** The line or row, from 1. */
  line: number;
  /** It is in the file that has the players, beside that with the pairings. */
  of_players?: boolean;
  /** The sheet of a workbook. */
  sheet?: string | null;
  /** What is wrong, in English. */
  text: string;
  /** What stands in its sentence, each by its name. */
  with?: Record<string, string>;
}

/** What is wrong at a table. */
export interface FaultAtTable {
  /** What is wrong with its board or the line, in words. */
  fault: string;
  /** The table. */
  table: number;
}

/** Something that is wrong with a board or its line. */
export interface FaultText {
  /** Which fault, by a name that stays, such as `no-such-port`. */
  kind: string;
  /** An English sentence without a stop. */
  text: string;
  /** What stands in its sentence. */
  with?: Record<string, string>;
}

/** a FEN */
export type Fen = string;

/** A finding and what became of it. */
export interface Finding {
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** When it was raised, on the board's clock. */
  at: Time;
  /** The offender. */
  by: Party;
  /** How sure. */
  certainty: Certainty;
  /** Who may claim it, and whether that is still open. */
  claim: ClaimRight | null;
  /** Which. */
  code: Code;
  /** The input lines it rests on. */
  evidence: Event[];
  /** 1, 2, 3 ... within the game. */
  id: number;
  /** What the Laws propose. */
  penalty: Penalty | null;
  /** The ply it belongs to. */
  ply: number;
  /** Sub-reason of an illegal move. */
  reason: Reason | null;
  /** The moves the offender may play; `null` when free. */
  required: Move[] | null;
  /** The squares it is about. */
  squares: Square[];
  /** What became of it. */
  status: FindingStatus;
  /** One sentence: what was seen, what the Law says, what to do. */
  text: string;
  /** The position before its ply, in FEN, where what was played there was taken back together with plies before it: it is of no ply of the record any more. */
  undone?: string | null;
}

/** Which finding an order means. */
export interface FindingRef {
  /** The offender. */
  by?: Party | null;
  /** What was found. With this, `ply` and `by` the finding is known also where a later version of the program numbers findings otherwise. */
  code?: Code | null;
  /** Where it is upheld: it was so, and nothing follows from it, as once the game has its result. */
  for_record?: boolean;
  /** The finding's number within the game. */
  id: number;
  /** The ply it belongs to. */
  ply?: number | null;
}

/** What became of a finding. */
export type FindingStatus = "open" | "upheld" | "dismissed" | "withdrawn";

/** The first chief arbiter. */
export interface First {
  name: string;
  password: string;
  /** What stands after the `#` of the setup link. */
  secret: string;
}

/** What follows from taking a ruling back. */
export type Follows = "open" | "no-restore" | "reread" | "free" | "clocks" | "no-result";

/** When a finding was made. */
export interface FoundAt {
  /** The finding. */
  id: number;
  /** In milliseconds since 1970, by what the board told at that moment. */
  wall: number;
}

/** An account with a password that was made for it, to be told once. */
export interface Fresh {
  /** Its name. */
  account: string;
  /** The password; `null` where it was given. */
  password: string | null;
}

/** One game of the store, without its events. */
export interface Game {
  /** It was annulled at its table: it counts for nothing, and another is played there. */
  annulled: boolean;
  /** Black's name. */
  black: string;
  /** The board it is played on. */
  board: string;
  /** What of the game on disk is not what was written, as far as was looked. */
  damage: Damage | null;
  /** The day, as `2026.11.21`. */
  date: string;
  /** When it got its result, in RFC 3339. */
  ended: string | null;
  /** The tournament or match. */
  event: string;
  /** Of a game of a round, what else is known of it: names and values of PGN tags. */
  further?: unknown[][];
  /** The game's name, such as `2026-11-21-b01-1`. */
  id: string;
  /** Half-moves in the record. */
  plies: number;
  /** `1-0`, `0-1`, `1/2-1/2`, or `*` while there is none. */
  result: GameResult;
  /** The round. */
  round: string;
  /** The place. */
  site: string;
  /** When it was set up, in RFC 3339. */
  started: string;
  /** White's name. */
  white: string;
}

/** One game as the arbiter reads its events. */
export interface GameDocument {
  /** It was annulled at its table: it counts for nothing, and another is played there. */
  annulled: boolean;
  /** Black's name. */
  black: string;
  /** The board it is played on. */
  board: string;
  /** The findings whose ruling asked for both clocks to be set, and of which nobody has said that they were; none while that waits to be done. */
  clocks_not_set: number[];
  /** What of the game on disk is not what was written, as far as was looked. */
  damage: Damage | null;
  /** The day, as `2026.11.21`. */
  date: string;
  /** When it got its result, in RFC 3339. */
  ended: string | null;
  /** The tournament or match. */
  event: string;
  /** When each finding was made. */
  found: FoundAt[];
  /** Of a game of a round, what else is known of it: names and values of PGN tags. */
  further?: unknown[][];
  /** What was ordered and said, in its order: what has effect, and what was taken back. A pause without a name is one that nobody has ordered: the program stops what is to be set up anew. */
  given: Given[];
  /** The game's name, such as `2026-11-21-b01-1`. */
  id: string;
  /** The record as a list of moves. */
  moves: string[];
  /** Half-moves in the record. */
  plies: number;
  /** Where a loss that an arbiter has declared may rest on findings that were dismissed since: the findings that were ruled a loss while those stood; `null` elsewhere. */
  rests_on_dismissed: number[] | null;
  /** `1-0`, `0-1`, `1/2-1/2`, or `*` while there is none. */
  result: GameResult;
  /** What people have said of its result at its table, in its order. */
  results: ResultSaid[];
  /** The round. */
  round: string;
  /** The place. */
  site: string;
  /** When it was set up, in RFC 3339. */
  started: string;
  /** The game as it stands at the end of its events. A game that is over stays as it was told then, whatever version of the program is asked. */
  view: View | null;
  /** White's name. */
  white: string;
}

/** The result of a game. */
export type GameResult = "1-0" | "0-1" | "1/2-1/2" | "*";

/** An order, or a word of a player. */
export type Given = ({
  /** When, on the board's clock. */
  at: Time;
  /** By whom it was taken back; left out where it has effect. */
  undone?: Undone | null;
  /** When it was written down, in milliseconds since 1970. */
  wall: number;
}) & ((Setup) & ({
  event: "setup";
}) | {
  event: "lift";
  /** Which square. */
  square: Square;
} | {
  event: "place";
  /** What it reads; `?` on occupancy boards, where scripts leave it out. */
  seen?: Symbol;
  /** Which square. */
  square: Square;
} | {
  /** All 64 squares. */
  board: Reading;
  event: "snapshot";
} | {
  /** Who gave it. */
  author?: string | null;
  /** Black's remaining time in milliseconds, where the clock tells. */
  black_ms?: number | null;
  /** Who pressed. */
  by: Colour;
  event: "press";
  /** The order's name, unique in its game. */
  order?: string | null;
  /** White's remaining time in milliseconds, where the clock tells. */
  white_ms?: number | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who announced. */
  by: Colour;
  event: "adjust";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Whose flag. */
  by: Colour;
  event: "flag-fall";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who stopped them. */
  by: Colour;
  event: "stop";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who claims. */
  by: Colour;
  event: "claim";
  /** What is claimed. */
  kind: ClaimKind;
  /** The intended move, for draw claims. */
  move?: Move | null;
  /** The order's name, unique in its game. */
  order?: string | null;
  /** The square the claim is about. */
  square?: Square | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who speaks. */
  by: Colour;
  event: "draw";
  /** The order's name, unique in its game. */
  order?: string | null;
  /** Offer, accept or decline. */
  step: DrawStep;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who resigns. */
  by: Colour;
  event: "resign";
  /** The order's name, unique in its game. */
  order?: string | null;
} | (ArbiterAction) & ({
  /** Who gave it. */
  author?: string | null;
  event: "arbiter";
  /** The order's name, unique in its game. */
  order?: string | null;
}) | {
  /** Whether Black can. */
  black: Mating;
  event: "mating";
  /** The position. Its counters of moves mean nothing. */
  fen: Fen;
  /** Only a quick look was taken: what is unknown may be found by a longer search. */
  quick?: boolean;
  /** Whether White can. */
  white: Mating;
} | {
  event: "suspect";
  /** Which squares. */
  squares: Square[];
} | {
  event: "tick";
});

/** Time that an arbiter gave both players of a table, such as after a disturbance (Article 12.5). */
export interface GivenTime {
  /** When, in RFC 3339. */
  at: string;
  /** Who gave it; empty where nobody said who he is. */
  by?: string;
  /** Why. */
  reason: string;
  /** The round. */
  round: number;
  /** How many seconds each. */
  seconds: number;
  /** The table. */
  table: number;
}

/** Which boards there are; a whole state of each follows. */
export interface Greeting {
  hall: About;
}

/** It is done. */
export interface HallAccepted {
  /** The hall. */
  hall: string;
}

/** A hall as its hub shows it. */
export interface HallOfHub {
  /** Rows that it has written and the hub has not, as far as it has said so. */
  behind: number;
  /** Boards that have had a game. */
  boards: number;
  /** How much the hall's clock is before the hub's, in milliseconds, with the time of the line. */
  clock_offset: number | null;
  /** There is a line to it. */
  connected: boolean;
  /** What of the hub's event is not so in the hall, in words. */
  event: string | null;
  /** Why nothing is taken of it, in words. */
  fault: string | null;
  /** When it last said anything, in milliseconds since 1970. */
  heard: number | null;
  /** What it is called. */
  name: string;
  /** Findings on these boards that wait for an arbiter. */
  open: number;
  /** Whose orders the hall takes from here. */
  orders: Role[];
  /** Games on these boards that go on. */
  playing: number;
  /** Rows of its journal on the hub's disk. */
  rows: number;
  /** The name of another store that calls itself by this hall's name: it can be accepted in the place of the one that is mirrored. */
  stranger: string | null;
  /** The version of its program. */
  version: string | null;
  /** When the last event that the hub has was written down in the hall, in milliseconds since 1970. */
  written: number | null;
}

/** A table of the hall. */
export interface HallTable {
  /** Whether a pairing waits for its game there. */
  awaited: boolean;
  /** The board on it; `null` where results are typed. */
  board: string | null;
  /** Whether that board is on the line and answers; `null` where the program does not run. */
  connected: boolean | null;
  /** The table's game, where it has begun and has no result, and another of no pairing stands on that board in its place: the order `goes-on` with its name brings it there again. */
  cut_off: string | null;
  /** What is wrong with that board or its line, in words. */
  fault: string | null;
  /** Whether the game on that board is stopped, as after the board was changed: what is handled is nobody's move until the arbiter lets it go on. */
  stopped: boolean;
  /** A game with moves that is at hand on that board and belongs to no pairing, while the table's waits: it is over, with its moves, when the pieces are set up for that one. One that has ended already, where it was played under other names. */
  stranger: string | null;
  /** Its number. */
  table: number;
}

/** Games that were stopped at many tables at once, such as for a fire alarm, or went on again. */
export interface Halt {
  /** When, in RFC 3339. */
  at: string;
  /** Where. */
  boards: Halted[];
  /** Who said so; empty where nobody said who he is. */
  by?: string;
  /** They were stopped; else they went on. */
  stops: boolean;
}

/** What was stopped, or goes on. */
export interface HaltDone {
  /** As it is written down. */
  halt: Halt;
  /** The boards that refused, each with why. */
  refused: HaltRefused[];
}

/** A board that refused. */
export interface HaltRefused {
  /** The board's id. */
  board: string;
  /** Why. */
  error: string;
  /** Why, for whoever says it in another language. */
  why?: RefusalReason | null;
}

/** A board at which a game was stopped, or went on. */
export interface Halted {
  /** The board's id. */
  board: string;
  /** The game. */
  game: string;
  /** The order by which it was stopped: it goes on with the others only while no other one has stopped it since. */
  order?: string | null;
  /** The table on which it stood. */
  table?: number | null;
}

/** To whom somebody hands over. */
export interface HandOver {
  /** Who hands over, where nobody is asked who he is. */
  author?: string;
  /** The name of whoever goes now. */
  to: string;
}

/** What was handed over. */
export interface HandedOver {
  /** The incidents, by their ids. */
  incidents: string[];
}

/** Answers as long as the daemon serves; a board's fault is the board's, not the daemon's. */
export interface Health {
  boards?: number;
  connected?: number;
  faults?: number;
  status: "ok";
  version?: string;
}

/** How a result came. */
export type How = "board" | "typed" | "forfeit" | "arbiter" | "file";

/** What a hall knows of its hub. */
export interface HubOfHall {
  /** Where the hub is. */
  address: string;
  /** Of these, what the hub has not yet said to have on its disk. */
  behind: number;
  /** The hub has everything up to then, in RFC 3339; `null` before it has said so. */
  complete_to: string | null;
  /** There is a line to it. */
  connected: boolean;
  /** Why there is none, or why the hub takes nothing. */
  fault: string | null;
  /** What this hall is called there. */
  name: string;
  /** Rows of this hall's journal. */
  rows: number;
}

/** Somebody who was let in. */
export interface In {
  name: string;
  role: Role;
}

/** Where a game of the hub's event is. */
export interface InHall {
  /** Those of this table that were annulled there, in their order. */
  annulled_games: string[];
  /** Its number there; `null` where it was typed. */
  game: string | null;
  /** The hall: its pages are at `/halls/NAME/`. */
  hall: string;
}

/** Something at one table, at one turn, that waits for somebody. */
export interface Incident {
  /** What was added to the clocks for a ruling that was taken back, and is to be taken off again. */
  added: Dials | null;
  /** Whether the pieces of the game stand on the board. */
  at_hand: boolean;
  /** Black's name; empty when unknown. */
  black: string;
  /** The board. */
  board: string;
  /** How sure, where a Law was broken: the surest of what is open. */
  certainty: string | null;
  /** What is in doubt. */
  doubts: Doubt[];
  /** Whether the game has ended. */
  ended: boolean;
  /** What is wrong with the board. */
  fault: string | null;
  /** The same one by one, to be said in the reader's language. */
  faults: FaultText[];
  /** What was found at this turn, with what became of it. */
  findings: Finding[];
  /** The game; empty where it is about the board alone. */
  game: string;
  /** Who is on the way. */
  going: SaidBy | null;
  /** Its name: that of the game or the board, and of the turn. */
  id: string;
  /** What kind of thing it is. */
  kind: IncidentKind;
  /** Who let it wait. */
  later: SaidBy | null;
  /** The game before that has no result: `game`, `ply`, `text`. */
  missed: unknown;
  /** Nothing goes on at the board any more that waits for it: the game has its result, or its pieces stand nowhere. */
  over: boolean;
  /** Nobody may claim it any more. */
  past: boolean;
  /** The half-move it is about. */
  ply: number | null;
  /** A result that waits to be confirmed: `result`, `reason`, `text`. */
  proposed: unknown;
  /** The position to be put back. */
  restore: string | null;
  /** The round of its game, where that is one of the event's. */
  round: number | null;
  /** What was ruled. */
  rulings: IncidentRuling[];
  /** Who looked at it first. */
  seen: SaidBy | null;
  /** Who is asked to go, and has not said that he does. */
  sent: SentTo | null;
  /** Since when, in milliseconds since 1970. */
  since: number;
  /** Where it stands. */
  state: IncidentState;
  /** What is to be done. */
  steps: Step[];
  /** Another board that reads the position of this game, while this one reads that of its game: the two, or their lines, may have changed places. */
  swapped: string | null;
  /** The table, where it is one of the event's. */
  table: number | null;
  /** Who took a ruling back. */
  undone: SaidBy | null;
  /** Somebody plays the game of a pairing from pieces that did not stand as at its start: it is not followed as that. */
  unset: boolean;
  /** Until when at the latest, in milliseconds since 1970. */
  until: number | null;
  /** It waits for the next half-move of its game, if that comes before. */
  until_move: boolean;
  /** What comes first: a smaller number. */
  urgency: number;
  /** What a ruling is decided upon: changes with what is found and what is said of it. */
  version: string;
  /** White's name; empty when unknown. */
  white: string;
}

/** What kind of thing it is: of several in one incident, the most urgent. */
export type IncidentKind = "irregularity" | "restore" | "doubt" | "claim" | "proposed" | "missed" | "unset" | "fault";

/** What waits in a hall. */
export interface IncidentOfHall {
  /** The hall. */
  hall: string;
  /** What it is. */
  incident: Incident;
}

/** A ruling on a finding. */
export interface IncidentRuling {
  /** Whether the finding asked for both before anybody ruled on it: it does so still where the ruling is taken back. */
  asked?: boolean;
  /** Who, and when. */
  by: SaidBy;
  /** Somebody has said that the clocks were set for it. */
  clocks_set: boolean;
  /** What the clocks are to show, where the Laws give time. */
  dials: Dials | null;
  /** The finding's number. */
  finding: number;
  /** What follows from taking it back. */
  follows: Follows[];
  /** The moves that the offender may play, where he is not free. */
  moves: string[] | null;
  /** The order's name, by which it can be taken back. */
  order: string;
  /** The position that is put back. */
  restore: string | null;
  /** Upheld, or dismissed. */
  upheld: boolean;
}

/** Where an incident stands. */
export type IncidentState = "new" | "seen" | "going" | "later" | "undone" | "ruled" | "superseded" | "closed";

/** What a device is let in as. */
export interface Invitation {
  /** Hours for which it is let in, 1 to 336; 16 where that is left out. */
  hours: number | null;
  /** The device's name, such as `rows 1-10`. */
  name: string;
  /** Its role. */
  role: Role;
  /** The tables it is for. */
  tables: Tables | null;
}

/** What a device is let in as. */
export interface InvitationRequest {
  /** Hours for which it is let in, 1 to 336; 16 where that is left out. */
  hours?: number | null;
  /** The device's name, such as `rows 1-10`. */
  name: string;
  /** Its role. */
  role: Role;
  /** The tables it is for. */
  tables?: Tables | null;
}

/** The codes of an invitation. */
export interface Invited {
  /** To be typed at `/pair.html`. */
  code: string;
  /** When the codes are worth nothing any more, in seconds since 1970. */
  ends: number;
  /** To be opened by the device; what is secret stands after `#`. */
  link: string;
  /** The link as a QR code, an SVG. */
  svg: string;
}

/** A finding: a Law was broken. */
export interface Irregularity {
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** The offender. */
  by: Party;
  /** How sure. */
  certainty: Certainty;
  /** Who may claim it, and whether that is still open. */
  claim: ClaimRight | null;
  /** Which. */
  code: Code;
  /** The input lines it rests on. */
  evidence: Event[];
  /** 1, 2, 3 ... within the game. */
  id: number;
  /** What the Laws propose. */
  penalty: Penalty | null;
  /** The ply it belongs to. */
  ply: number;
  /** Sub-reason of an illegal move. */
  reason: Reason | null;
  /** The moves the offender may play; `null` when free. */
  required: Move[] | null;
  /** The squares it is about. */
  squares: Square[];
  /** One sentence: what was seen, what the Law says, what to do. */
  text: string;
}

/** What is known of a person. */
export interface Known {
  /** Files with pairings or players that name him, and pictures of notes about him, by the SHA-256 of their bytes. */
  files: string[];
  /** Games that name him. */
  games: Game[];
  /** In the events of the store, the oldest first. */
  players: Entry[];
}

/** The languages of the sentences in rulings. Names and moves in rulings are the same in all of them. */
export type Language = "en" | "fr" | "de";

/** How late the public sees games. */
export interface Lateness {
  /** By so many half-moves. */
  moves: number;
  /** By so many seconds. */
  seconds: number;
}

/** How the tables stand in the hall. */
export interface Layout {
  /** The rows, with `/` or a line's end between them; empty: nobody says. */
  rows: string;
}

/** A game that Lichess has not taken. */
export interface LichessRefused {
  /** What Lichess says. */
  error: string;
  /** Its table; `null`: Lichess does not say of which game it speaks. */
  table: number | null;
}

/** A round that is pushed. */
export interface LichessRound {
  /** When it is tried again, in RFC 3339. */
  again: string | null;
  /** The event, by its number in the store. */
  event: number;
  /** Games that Lichess has taken. */
  games: number;
  /** Its name at Lichess. */
  id: string;
  /** Why the last request was not taken, and what to do. */
  problem: string | null;
  /** Games that Lichess has not taken, with what it says of each. */
  refused: LichessRefused[];
  /** The event's round. */
  round: number;
  /** How it goes. */
  status: LichessStatus;
  /** When it last took any, in RFC 3339. */
  taken: string | null;
}

/** How a round is pushed. */
export type LichessStatus = "waiting" | "current" | "behind" | "failing";

export type LiveMessage = Greeting | UpdateOfBoard | AnnouncementOfBoard | OfEvent | AllIncidents | OfIncident | OtherIncident | Settled | Beat;

/** What a file does. */
export interface Loaded {
  /** Who plays nobody in it. */
  byes: Pairing[];
  /** What is different. */
  changes: Change[];
  /** The same in words, without what is seen in the pairings. Of many who enter, and of a first field, only the count. */
  differs: string[];
  /** The same in words. */
  notes: string[];
  /** What a person should look at. */
  oddities: Oddity[];
  /** Who plays whom in it. */
  pairings: Pairing[];
  /** How the event would be called from now on, where that is otherwise than before. */
  renamed: string | null;
  /** The round. */
  round: number;
  /** Whether the file itself says that it is this one. */
  says_round: boolean;
  /** Whether something was written down: not in a dry run, nor where nothing changes. */
  written: boolean;
}

/** A name with its password. */
export interface Login {
  name: string;
  password: string;
}

/** The machine's clock. */
export interface MachineClock {
  /** What it shows, in milliseconds since 1970. */
  now: number;
  /** Whether it follows a clock of the network, and is right; `null` where nobody can tell. */
  right: boolean | null;
  /** Whether it may be set from here: it is not known to be right, and no round has begun. */
  settable: boolean;
}

/** Whether the public is shown a name shortened. */
export interface Mark {
  /** The player's starting number. */
  player: number;
  /** `null` or left out: by his age, as the daemon is configured. */
  short?: boolean | null;
}

/** Two teams in a round, and who sits at their boards. Who plays whom there, with which colour and at which table, is said by the round's pairings. */
export interface Match {
  /** The first board first: a player of either team, `null` where nobody sits. */
  boards: ((number | null)[])[];
  /** The whole match was not played: `+` or `-` for each team. */
  forfeit?: ResultCode[] | null;
  /** The two teams; the first has White at the first board. */
  teams: number[];
}

/** Whether a player can mate by some series of legal moves of both. */
export type Mating = "can" | "cannot" | "unknown";

/** Who asks, as far as the service knows. */
export interface Me {
  /** Whether it stands on an account, which has a password. */
  account: boolean;
  /** Eight squares that name the certificate. */
  certificate: string | null;
  /** The name of the account or the device; empty for nobody. */
  name: string;
  /** What is asked of the device before anything else: `choose` or `give` its PIN. */
  pin: string | null;
  /** Whether accounts and devices may be changed without giving the password again. */
  proved: boolean;
  /** Whether the service asks for passwords at all. */
  required: boolean;
  /** The role; `null` for nobody. */
  role: Role | null;
  /** The tables it is for. */
  tables: Tables | null;
}

/** a move in UCI form, such as e2e4 */
export type Move = string;

/** How far a move has come. */
export type MoveState = "made" | "completed";

/** Which table is moved. */
export interface Moved {
  /** The table. */
  table: number;
}

/** A player. */
export interface NamedPlayer {
  /** The name. */
  name: string;
  /** The starting number. */
  number: number;
}

/** An account to be made. */
export interface NewAccount {
  /** Its name. */
  name: string;
  /** Its password; where that is left out, one is made and told once. */
  password?: string | null;
  /** Its role. */
  role: Role;
  /** Its tables, such as `1-10`. */
  tables?: Tables | null;
}

/** The start of a further game on a board. Without any name it is the game of its table's pairing, if one waits there; what else is `null` stays as it is configured. */
export interface NewGame {
  /** Black's name. */
  black?: string | null;
  /** Chess960, or the number of its array. */
  chess960?: Chess960 | null;
  event: "new-game";
  /** The starting position as FEN, or `unknown`. */
  fen?: string | null;
  /** What the board has seen since play began there from `fen`, with pieces that stood as in no start, is of this game: that of a pairing, which waits. */
  played?: boolean | null;
  /** The round. */
  round?: string | null;
  /** White's name. */
  white?: string | null;
}

/** What becomes of a game without a result on whose board the starting position is set up again. */
export type NextGame = "begins" | "asked" | "goes-on";

/** A pairing that waits for its game on a board. */
export interface NextOnBoard {
  /** Black's name. */
  black: string;
  /** Round and table: `3.12`. */
  round: string;
  /** From where it starts, as FEN; `null`: from the usual position. */
  start: string | null;
  /** White's name. */
  white: string;
}

/** A break that is none. */
export interface NoBreak {
  /** When he is said to have left, as the list has it; left out: the last time. */
  left?: string | null;
  /** The player's starting number. */
  player: number;
  /** Why it is none. */
  reason?: string;
}

/** A penalty that is none. */
export interface NoPenalty {
  /** When it was noted, as the event says: of two that read alike nothing else tells which. */
  at?: string | null;
  /** The player's starting number. */
  player: number;
  /** Why it is none. */
  reason: string;
  /** The round of which it was noted. */
  round: number;
  /** With what he was penalised; left out: the only one. */
  what?: string | null;
}

/** Time that is none. */
export interface NoTime {
  /** When it was given, as the event has it. */
  at: string;
  /** Why it is none. */
  reason: string;
  /** The table. */
  table: number;
}

/** Something that an arbiter wrote down. */
export interface Note {
  /** The starting numbers of the players whom it is about: at a table both. */
  about?: number[];
  /** When, in RFC 3339. */
  at: string;
  /** Who wrote it; empty where nobody said. */
  by?: string;
  /** The game; empty where it is about none. */
  game?: string;
  /** The incident; empty where it is about none. */
  incident?: string;
  /** A picture: the SHA-256 of its bytes, in hexadecimal digits. */
  photo?: string | null;
  /** The round that it is about. */
  round?: number | null;
  /** The table. */
  table?: number | null;
  /** What was written. */
  text: string;
}

/** A note. */
export interface Noted {
  /** The players whom it is about. */
  about: NamedPlayer[];
  /** When, in RFC 3339. */
  at: string;
  /** Who wrote it; empty where nobody said. */
  by: string;
  /** The game; empty where it is about none. */
  game: string;
  /** The incident; empty where it is about none. */
  incident: string;
  /** Its number, from 1. */
  number: number;
  /** It has a picture, at `/api/notes/{number}/photo`. */
  photo: boolean;
  /** The round that it is about; `null` where it is about none. */
  round: number | null;
  /** The table. */
  table: number | null;
  /** What was written. */
  text: string;
}

/** A penalty that is noted. */
export interface NotedPenalty {
  /** The player's starting number. */
  player: number;
  /** What for. */
  reason: string;
  /** In which round. */
  round: number;
  /** What it changes on the clocks; left out: what `what` says of that, as `+2:00` for the opponent. */
  time?: PenaltyTime | null;
  /** How many penalties the player had of the round when this one was decided. Left out: whatever is so now. */
  upon?: number | null;
  /** With what. */
  what: string;
}

/** What the touches oblige a player to. */
export interface ObligationView {
  /** The number of the article in the edition in force; `none` where it has none. */
  article: string;
  /** Recalled, not read in the text of the edition. */
  article_unconfirmed?: boolean;
  /** The player. */
  by: Colour;
  /** The moves still permitted. */
  moves: Move[];
}

/** A time for which an arbiter observed a game. */
export interface ObservedGame {
  /** Who; empty where nobody said who he is. */
  by: string;
  /** It ended by itself: the game had a result, was postponed, or others were drawn there. */
  by_itself: boolean;
  /** The game of the pairing, once it has begun on a board; else `null`. */
  game: string | null;
  /** The round. */
  round: number;
  /** Since when, in RFC 3339. */
  since: string;
  /** The table. */
  table: number;
  /** Until when; `null` while he observes it. */
  until: string | null;
}

/** Something that a person should look at. */
export type Oddity = {
  odd: "tables-by-score";
} | {
  odd: "tables-by-order";
} | {
  odd: "tables-stay";
} | {
  /** The column, from 1: of characters, in tables of fields. */
  column: number;
  /** The same for whoever says it in another language: by a name that stays, such as `no-number`. */
  kind: string;
  /** The line or row, from 1. */
  line: number;
  odd: "passed-over";
  /** It is in the file that has the players, beside that with the pairings. */
  of_players?: boolean;
  /** The sheet of a workbook. */
  sheet?: string | null;
  /** What is wrong, in English. */
  text: string;
  /** What stands in its sentence, each by its name. */
  with?: Record<string, string>;
} | {
  odd: "absent";
  /** Their starting numbers. */
  players: number[];
} | {
  /** What is another: `rating`, `team` ... */
  differs: string[];
  /** The name. */
  name: string;
  odd: "by-name";
  /** The starting number. */
  player: number;
} | {
  odd: "odd-time-control";
  /** As it is. */
  written: string;
} | {
  odd: "round-beyond";
  /** The round. */
  round: number;
  /** How many there are to be. */
  rounds: number;
} | {
  odd: "no-board";
  /** The table. */
  table: number;
} | {
  /** The name. */
  name: string;
  /** Their starting numbers. */
  numbers: number[];
  odd: "same-name";
} | {
  /** The name. */
  name: string;
  odd: "odd-name";
  /** The starting number. */
  player: number;
} | {
  odd: "other-points";
  /** Their starting numbers. */
  players: number[];
} | {
  /** A person has confirmed that; else it is only proposed. */
  confirmed: boolean;
  odd: "other-result";
  /** What the file says. */
  said: string;
  /** What stands here. */
  stands: string;
  /** The table. */
  table: number;
} | {
  odd: "other-earlier";
  /** The round. */
  round: number;
  /** What the file says. */
  said: string;
  /** What stands here; `null`: nothing. */
  stands: string | null;
  /** The table. */
  table: number;
} | {
  odd: "other-colours";
  /** The round. */
  round: number;
  /** The table. */
  table: number;
} | {
  odd: "other-bye";
  /** The player's starting number. */
  player: number;
  /** The round. */
  round: number;
  /** What the file says. */
  said: string;
  /** What stands here; `null`: he was paired, or there was nothing of him. */
  stands: string | null;
} | {
  /** The other's name. */
  known: string;
  /** The name. */
  name: string;
  odd: "like-known";
  /** The other's starting number. */
  other: number;
  /** The new starting number. */
  player: number;
} | {
  odd: "no-match";
  /** The tables. */
  tables: number[];
} | {
  odd: "other-worth";
  /** Those rounds. */
  rounds: number[];
} | {
  odd: "new-worth";
} | {
  odd: "not-drawn";
  /** The starting number. */
  player: number;
};

/** Something was done to the event. */
export interface OfEvent {
  event: EventNews;
}

/** One incident is new. */
export interface OfIncident {
  /** As it is now. */
  incident: Incident;
}

/** Completed illegal moves that count, by player. */
export interface Offences {
  /** Black's. */
  black: number;
  /** Which one loses under the Laws of this game; `null`: no number of them. */
  loses: number | null;
  /** White's. */
  white: number;
}

/** A time out of the hall. */
export interface OneBreak {
  /** When he came back; `null` while he is out. */
  back: string | null;
  /** Whether he had the move when he left, as the record had it; `null` where nobody knows. */
  having_move: boolean | null;
  /** When he left, in RFC 3339. */
  left: string;
  /** How many seconds that was; `null` while he is out. */
  seconds: number | null;
}

/** What waits for the arbiter, each as it is named. */
export interface Open {
  /** The numbers of findings. */
  findings?: string[];
  /** Orders that can be taken back. */
  orders?: string[];
  /** The game is paused. */
  paused: boolean;
  /** Plies in doubt. */
  plies?: string[];
  /** A position is to be put back. */
  restore: boolean;
  /** A result waits to be confirmed. */
  result: boolean;
}

/** what the arbiter rules, what a player said or did that no board shows, or a new game */
export type Order = {
  /** Who gave it. */
  author?: string | null;
  /** Black's remaining time in milliseconds, where the clock tells. */
  black_ms?: number | null;
  /** Who pressed. */
  by: Colour;
  event: "press";
  /** The order's name, unique in its game. */
  order?: string | null;
  /** White's remaining time in milliseconds, where the clock tells. */
  white_ms?: number | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who announced. */
  by: Colour;
  event: "adjust";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Whose flag. */
  by: Colour;
  event: "flag-fall";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who stopped them. */
  by: Colour;
  event: "stop";
  /** The order's name, unique in its game. */
  order?: string | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who claims. */
  by: Colour;
  event: "claim";
  /** What is claimed. */
  kind: ClaimKind;
  /** The intended move, for draw claims. */
  move?: Move | null;
  /** The order's name, unique in its game. */
  order?: string | null;
  /** The square the claim is about. */
  square?: Square | null;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who speaks. */
  by: Colour;
  event: "draw";
  /** The order's name, unique in its game. */
  order?: string | null;
  /** Offer, accept or decline. */
  step: DrawStep;
} | {
  /** Who gave it. */
  author?: string | null;
  /** Who resigns. */
  by: Colour;
  event: "resign";
  /** The order's name, unique in its game. */
  order?: string | null;
} | (ArbiterActionRequest) & ({
  /** Who gave it. */
  author?: string | null;
  event: "arbiter";
  /** The order's name, unique in its game. */
  order?: string | null;
}) | NewGame;

/** What is to be written down: of a player, an incident, a game, or a table of a round. */
export interface Order2 {
  /** Who writes it, where nobody is asked who he is. */
  author?: string;
  /** The game's name. */
  game?: string | null;
  /** The incident's id. */
  incident?: string | null;
  /** A picture in Base64: JPEG, PNG or WebP, at most 360 KiB. */
  photo?: string | null;
  /** The player's starting number. */
  player?: number | null;
  /** The round; of a player the one that it is about. */
  round?: number | null;
  /** The table of `round`. */
  table?: number | null;
  /** What is written; at most 2000 characters. */
  text?: string;
}

/** Somebody leaves, or is back. */
export interface Order3 {
  /** When, in RFC 3339, of the last day: it may have been said without a line. Left out: now. */
  at?: string | null;
  /** He leaves; else he is back. */
  out: boolean;
  /** The player's starting number. */
  player: number;
}

/** Who says so. */
export interface Order4 {
  /** Who, where nobody is asked who he is. */
  author?: string;
  /** How many times games had been stopped or let go on together in the event when it was decided. Left out: whatever is so now. */
  upon?: number | null;
}

/** Whether an arbiter observes the game at a table. */
export interface Order5 {
  /** Who says so, where nobody is asked who he is. */
  author?: string;
  /** He observes it from now on; else no longer. */
  observes: boolean;
  /** The round; left out: the one whose game is played at the table. */
  round?: number | null;
  /** Which arbiter; left out: whoever says so. Of another the chief arbiter may say that he observes a game, and everybody who may rule there that he does no longer. */
  whose?: string | null;
}

/** A file to be loaded. */
export interface Order6 {
  /** Draw it also where the hub of this hall decides who plays whom. */
  anyway?: boolean;
  /** Say what would be done, and do nothing. */
  dry_run?: boolean;
  /** In which encoding both are, such as `windows-1250`. Left out: UTF-8 or UTF-16 where they are that, else Windows-1252. */
  encoding?: string | null;
  /** Its bytes in Base64: PGN, TRF, a list of pairs, or a table. */
  file: string;
  /** The round where neither this order nor the file says it. */
  or_round?: number | null;
  /** A report file (TRF) in Base64 that has the players, where `file` has their numbers only. */
  players?: string | null;
  /** The round. Left out: the file says it. */
  round?: number | null;
  /** The first and the last of the tables that are drawn; the others stay as they are. */
  tables?: number[] | null;
}

/** degrees clockwise */
export type Orientation = 0 | 90 | 180 | 270;

/** Another table. */
export interface Other {
  /** Its number. */
  with: number;
}

/** One incident is other than before. */
export interface OtherIncident {
  /** Its id, and those of its fields that are others. */
  changed: Record<string, unknown>;
}

/** Who plays whom at a table, and how that stands. */
export interface Pairing {
  /** Its games that were annulled, in their order. */
  annulled_games: string[];
  /** Black; `null` is a bye. */
  black: Seated | null;
  /** The board on it; `null` where results are typed. */
  board: string | null;
  /** Who has given it, where he has a name and whoever asks is shown it; empty else, and where a board shows it. */
  by: string;
  /** How it ended for White and for Black, as report files have it. */
  codes: ResultCode[] | null;
  /** A person has said so; else it is only proposed. */
  confirmed: boolean;
  /** The game. */
  game: string | null;
  /** How that came. */
  how: How | null;
  /** At a hub: where it is played, or its game was annulled. Left out where it has begun in no hall. */
  in_hall?: InHall | null;
  /** Its result comes later than its round. */
  postponed: boolean;
  /** The result for people: `1-0`, `½-½`, `+/-` ... */
  result: string | null;
  /** The table; byes have none. */
  table: number | null;
  /** Moves that were typed. */
  typed: Typed | null;
  /** What stands here: whoever decides something upon it says so with it. */
  upon: string;
  /** White; with a bye the player. */
  white: Seated;
}

/** Whom a finding is about. */
export type Party = "white" | "black" | "either";

/** A proposed result that was not confirmed with the others. */
export interface PassedOver {
  /** Its table. */
  table: number;
  /** Why. */
  why: Why2;
}

/** A penalty as the Laws propose it; the arbiter applies it. */
export interface Penalty {
  /** Time added to the opponent's clock, in milliseconds. */
  opponent_ms: number;
  /** What ends the game, if it does. */
  then: PenaltyEnd | null;
}

/** What a player was penalised with (Article 12.9). Nothing adds them up: only the regulations of the tournament could say how. */
export interface Penalty2 {
  /** When, in RFC 3339; empty where nobody said. */
  at?: string;
  /** The player's starting number. */
  player: number;
  /** What for. */
  reason: string;
  /** In which round. */
  round: number;
  /** What it changed on the clocks; left out where it is none of time. */
  time?: PenaltyTime | null;
  /** With what. */
  what: string;
}

/** How a penalty ends the game. */
export type PenaltyEnd = "loss" | "draw";

/** What a penalty changes on the clocks (Articles 12.9.2 and 12.9.3). */
export interface PenaltyTime {
  /** Whose clock. */
  of: ClockOf;
  /** By how many seconds: more for the opponent, less for the offender. */
  seconds: number;
}

/** Somebody who waits for an answer. */
export interface Petition {
  /** His address. */
  address: string;
  /** What his browser calls itself. */
  browser: string;
  /** Its number. */
  id: number;
  /** What he was invited as; `null`: a screen that shows a code. */
  invitation: Invitation | null;
  /** Four squares, which the device shows as well. */
  squares: string;
}

/** Where the game stands in its cycle. */
export type Phase = "waiting" | "rest" | "in-hand" | "placed" | "made" | "disturbed" | "restoring" | "paused" | "ended";

/** A round of a person. */
export interface Played {
  /** The game. */
  game: string | null;
  /** The opponent's starting number. */
  opponent: number | null;
  /** How it ended, White first. */
  result: string | null;
  /** The round. */
  round: number;
  /** The table; byes have none. */
  table: number | null;
  /** Whether he had White. */
  white: boolean;
}

/** A player. */
export interface Player {
  /** The day of birth as it was written. */
  birth?: string;
  /** The federation's three letters. */
  federation?: string;
  /** FIDE's number of the player. */
  fide_id?: number | null;
  /** As it was written, mostly `Last, First`. */
  name: string;
  /** The starting number: the key. */
  number: number;
  /** The rating. */
  rating?: number | null;
  /** The club or the team. */
  team?: string;
  /** `GM`, `WFM` ... */
  title?: string;
}

/** One ply of the record. */
export interface PlyRecord {
  /** When it was first seen made, on the board's clock. */
  at: Time;
  /** The mover's remaining time after his press, in milliseconds, where the clock told. */
  clock_ms: number | null;
  /** Whether it is completed (6.2.1). */
  completed: boolean;
  /** Whether more than one hypothesis of this ply fits. */
  doubtful: boolean;
  /** The position after it. */
  fen: string;
  /** In standard algebraic notation, with check and mate signs. */
  san: string;
  /** The move; from-to for an illegal move that stands. */
  uci: Move;
}

/** Points, with one decimal */
export type Points = string;

/** What is to be otherwise; what is left out stays as it is. */
export interface PortChange {
  /** The port's speed in bits a second; 0 is the kind's usual one. */
  baud?: number | null;
  /** The kind of board, or `auto`: whatever answers. */
  kind?: string | null;
  /** The device, such as `/dev/ttyUSB0`, or `bluetooth:ADDRESS`, or `tcp://HOST:PORT`. */
  port?: string | null;
  /** Or the serial number of its USB device. */
  "usb-serial"?: string | null;
}

/** Games that are postponed. */
export interface Postponed {
  /** Why. */
  reason?: string;
  /** The tables. */
  tables: number[];
}

/** What went wrong. */
export interface Problem {
  /** What the order would take out of the record; it is asked first. */
  cut?: Cut | null;
  /** One sentence: what is wrong and what to do. */
  error: string;
  /** Of a file that cannot be understood, each place. */
  faults?: Fault[];
  /** Why it was refused, for whoever says it in another language. */
  why?: RefusalReason | null;
}

/** what a pawn became */
export type Promotion = "q" | "r" | "b" | "n";

/** How the order of promotion is judged where the Laws left it open. */
export type PromotionOrder = "tolerate" | "strict";

/** The password once more. */
export interface Proof {
  password: string;
}

/** Something is at an outlet. */
export interface PublicArrival {
  /** Where. */
  outlet: PublicOutlet;
  /** Since when, in RFC 3339. */
  utc: string;
}

/** How late games are public. */
export interface PublicDelay {
  /** How late; left out: as it is configured. */
  by?: PublicLatenessOrder | null;
  /** In this round; left out: in all. */
  round?: number | null;
  /** At this table; left out: at all. */
  table?: number | null;
}

/** How far a game is public. */
export interface PublicGameState {
  /** The event that it is played in, by its number. */
  event: number;
  /** The game. */
  game: string;
  /** How late it is public. */
  late: Lateness;
  /** Half-moves that are public. */
  plies: number;
  /** The result that is public; `*` while there is none. */
  result: string;
  /** Its round. */
  round: number | null;
  /** It is stopped. */
  stopped: boolean;
  /** Its table. */
  table: number | null;
  /** It goes on in a way that the arbiter has to look at first. */
  with_arbiter: boolean;
}

/** How late; what is left out stays as it is there. */
export interface PublicLatenessOrder {
  /** By so many half-moves. */
  moves?: number | null;
  /** By so many seconds. */
  seconds?: number | null;
}

/** Where publication is stopped, or goes on. */
export interface PublicOrder {
  /** In this event of the store, by its number; left out: in the one at hand, and where nothing else is said, in all. */
  event?: number | null;
  /** Why. */
  reason?: string;
  /** In this round; left out: in all. */
  round?: number | null;
  /** At this table; left out: at all. */
  table?: number | null;
}

/** A way out of the gate. */
export type PublicOutlet = "live" | "folder" | "livechess" | "lichess";

/** A way out that is configured, and how it stands with it. */
export interface PublicOutletState {
  /** Clients that follow boards there now; `null` where none is counted. */
  clients: number | null;
  /** When everything public was last there, in RFC 3339; `null` where it is there at once. */
  done: string | null;
  /** Which. */
  outlet: PublicOutlet;
  /** Where that is: an address, or a directory. */
  place: string;
  /** Why not everything is there, and what is tried. */
  problem: string | null;
}

/** How the public sees the games. */
export interface PublicState {
  /** How far each game is public. */
  games: PublicGameState[];
  /** So late it is now where somebody has just said so. */
  here?: Lateness | null;
  /** So late it is public. */
  late: Lateness;
  /** How the rounds that are pushed to Lichess go; empty where none are. */
  lichess: LichessRound[];
  /** The other ways out, and how it stands with each. */
  outlets: PublicOutletState[];
  /** What was said of it: where it is stopped, and how late it is. */
  said: Publication;
  /** A game of which nothing else is said is stopped. */
  stopped: boolean;
}

/** What was said of how the public sees the games. */
export interface Publication {
  /** Where it is how late; the last that fits counts. */
  delays: unknown[][];
  /** Where it is stopped, and where it goes on though it is stopped around it; the last that fits counts. */
  stops: unknown[][];
}

/** 64 symbols, a8 to h1 */
export type Reading = string;

/** Why a completed move is illegal. */
export type Reason = "piece-cannot-move-so" | "own-king-in-check" | "castling-illegal" | "castling-half-done" | "en-passant-late" | "en-passant-victim-left" | "two-pieces-moved" | "king-captured" | "promotion-bad-piece" | "other";

/** Why something was refused. */
export interface RefusalReason {
  /** Which reason, by a name that stays, such as `round-closed`. */
  kind: string;
  /** What stands in its sentence, each by its name. */
  with?: Record<string, string>;
}

/** How a game, or a round without one, ended for one player, as FIDE's report files have it */
export type ResultCode = "1" | "=" | "0" | "+" | "-" | "W" | "D" | "L" | "H" | "F" | "U" | "Z";

/** Why a game has its result. */
export type ResultReason = "checkmate" | "stalemate" | "dead-position" | "fivefold" | "seventy-five-moves" | "threefold" | "fifty-moves" | "flag-fall" | "resignation" | "agreement" | "forfeit-illegal-moves" | "illegal-position" | "kings-placed" | "entered" | "confirmed" | "arbiter" | "annulled";

/** What somebody has said of a result. */
export interface ResultSaid {
  /** When, in milliseconds since 1970. */
  at: number;
  /** Who; empty where nobody gave his name. */
  by: string;
  /** How that came. */
  how: How | null;
  /** The result that stood before, where that was another. */
  instead: string | null;
  /** Why; empty where nobody said. */
  reason: string;
  /** The result from then on, for people: `1-0`, `½-½`, `+/-` ...; `null` where there is none. */
  result: string | null;
  /** The table. */
  table: number;
  /** What was done with the result. */
  what: SaidWhat;
}

/** A result, and whether a human must confirm it. */
export interface ResultView {
  /** Whether a human must confirm it. */
  proposed: boolean;
  /** Why. */
  reason: ResultReason;
  /** The result. */
  result: GameResult;
}

/** Postponed games that are played now. */
export interface Resumed {
  /** The tables. */
  tables: number[];
}

/** What somebody is in the tournament. */
export type Role = "chief" | "sector" | "operator" | "viewer" | "display";

/** What castling in Chess960 with the rook touched before the king (4.4.2) is called. Guideline II.3.2 does not set the article aside, but its own ways to castle make the order a matter of chance: events decide. */
export type RookFirst = "ignore" | "possible" | "likely";

/** A round. */
export interface Round {
  /** The tables at which somebody played before the round was started: not followed as the game of the pairing, which waits. */
  begun_early: number[];
  /** The tables at which somebody plays only since then, in a game that did not begin with the pieces of the pairing's: not followed as that, which waits. */
  begun_unset: number[];
  /** Its day. */
  date: string;
  /** When who is not there has lost (Article 6.7.1), in RFC 3339, where the event has a default time. */
  default_at: string | null;
  /** The tables without a confirmed result, of a round under way, whose board or its line has a fault. */
  faults: FaultAtTable[];
  /** What was passed over of the scoresheet that was typed: comments, variations and the like; left out where nothing was. */
  left_out?: string;
  /** The matches of teams. */
  matches: TeamMatch[];
  /** The tables without a confirmed result: the round cannot be closed. */
  open: number[];
  /** By table; byes at the end. */
  pairings: Pairing[];
  /** Results that were not confirmed when all undisputed ones were; left out where there are none. */
  passed_over?: PassedOver[];
  /** The tables whose game is postponed: the round can be closed beside them. */
  postponed: number[];
  /** The tables with a loss that an arbiter has declared, and that may rest on a finding that was dismissed since; `null` as `unruled` is. */
  rests_on_dismissed: number[] | null;
  /** Its number. */
  round: number;
  /** How far it is. */
  stage: Stage;
  /** When it was started, in RFC 3339; empty where it was not. */
  started: string;
  /** The tables whose game is stopped, as after its board was changed: what is handled there is nobody's move until the arbiter lets it go on. */
  stopped: number[];
  /** What teams have that play nobody. */
  team_byes: TeamBye[];
  /** The tables with a result that their board shows and only the arbiter can declare: it is confirmed by itself, and not with all others; `null` as `unruled` is. */
  undeclared: number[] | null;
  /** The tables whose game has a finding, a doubt or a question that nobody has ruled on; `null` for those who are shown none, and of events that are over (`/api/unruled` has them). */
  unruled: number[] | null;
  /** The tables at which nothing has begun. */
  waiting: number[];
}

/** How far a round is. */
export interface RoundSummary {
  /** The tables at which somebody played before the round was started: not followed as the game of the pairing, which waits. */
  begun_early: number[];
  /** The tables at which somebody plays only since then, in a game that did not begin with the pieces of the pairing's: not followed as that, which waits. */
  begun_unset: number[];
  /** Its day. */
  date: string;
  /** How many games there are. */
  games: number;
  /** The tables without a confirmed result. */
  open: number[];
  /** The tables whose game is postponed. */
  postponed: number[];
  /** Its number. */
  round: number;
  /** How far it is. */
  stage: Stage;
}

/** The answer to a ruling that was taken. */
export interface Ruled {
  /** The game. */
  game: string;
  /** The name by which it can be taken back; `null` where it cannot. */
  order: string | null;
}

/** What somebody said of a game. */
export interface Said {
  /** With what: `result`, `withdraw`, `postpone`, `moves`, `give-time`, `publish`. */
  act: string;
  /** The moves that were typed. */
  moves: string[];
  /** Why; empty where nobody said. */
  reason: string;
  /** The round. */
  round: number;
  /** The table. */
  table: number;
  /** When, in RFC 3339. */
  utc: string;
}

/** Who, and when. */
export interface SaidBy {
  /** Milliseconds since 1970. */
  at: number;
  /** The name; empty where nobody said, or the board showed it. */
  who: string;
}

/** What somebody says. */
export interface SaidRequest {
  /** Who, where nobody is asked who he is. */
  author?: string;
  /** Of clocks that were set: the ruling for which they were, by its name. Where it was taken back meanwhile, they are to be set back. */
  order?: string | null;
  /** Of what waits: for how many seconds, 1 to 86400. Left out: 300, or 3600 where it waits for a move. */
  seconds?: number | null;
  /** Of what is done: which step. */
  step?: StepKind | null;
  /** Of who is asked to go: his name. */
  to?: string | null;
  /** Of what waits: only for the next half-move of its game, if that comes before. */
  until_move?: boolean;
}

/** What is done with a result. */
export type SaidWhat = "typed" | "entered" | "confirmed" | "withdrawn" | "annulled" | "reinstated" | "postponed" | "resumed";

/** A round, a table, a table of a round, or everything. */
export interface Scope {
  /** The round; `null`: every round, and games of none. */
  round: number | null;
  /** The table; `null`: every table. */
  table: number | null;
}

/** Which screen shall be what. */
export interface Screen {
  /** The code that it shows. */
  code: string;
  /** Hours for which it is let in, 1 to 336; 16 where that is left out. */
  hours?: number | null;
  /** The device's name, such as `rows 1-10`. */
  name: string;
  /** Its role. */
  role: Role;
  /** The tables it is for. */
  tables?: Tables | null;
}

/** A player at a table. */
export interface Seated {
  /** The federation. */
  federation: string;
  /** FIDE's number of the player. */
  fide_id: number | null;
  /** The name. */
  name: string;
  /** The starting number. */
  number: number;
  /** The rating. */
  rating: number | null;
  /** The title. */
  title: string;
}

/** How much a board's sensors can tell. */
export type SensorClass = "occupancy" | "colour" | "piece";

/** Somebody was asked to see to it. */
export interface SentTo {
  /** Milliseconds since 1970. */
  at: number;
  /** Who asks; empty where nobody said. */
  by: string;
  /** Who is to go. */
  to: string;
}

/** Somebody on a device. */
export interface Session {
  /** Whether it stands on an account; else on a device that was paired. */
  account: boolean;
  /** Where it was opened from. */
  address: string;
  /** What the browser calls itself. */
  browser: string;
  /** When it ends in any case. */
  ends: number;
  /** Its number; never given twice. */
  id: number;
  /** The name of the account, or of the device. */
  name: string;
  /** When it was opened, in seconds since 1970. */
  opened: number;
  /** When the password was last given; 0: never. */
  proved: number;
  /** What he is. */
  role: Role;
  /** When it was last used. */
  seen: number;
  /** The tables he is for; `null`: all, or none where the role rules at some only. */
  tables: Tables | null;
}

/** Time windows, in milliseconds, and what an event may decide for itself. No default makes a clock press wait: with a press, the ruling comes at once. */
export interface Settings {
  /** How long before its announcement an adjustment may have begun: buttons lag behind words. FIDE wants the words first (4.2.1), so none by default. */
  "adjust-grace-ms": number;
  /** A made move that rests exactly this long is announced. */
  "announce-ms": number;
  /** How long after an adjustment announced out of turn a piece that is touched belongs to it. After that the announcement is told by itself. */
  "announced-touch-ms": number;
  /** Time for the opponent after a completed illegal move in supervised blitz: the letter of B.2 and B.3 (2023) is not clear, practice gives one minute. */
  "blitz-penalty-ms": number;
  /** The minimum contact: a lift shorter than this may be a brush or a sensor's bounce, never a deliberate touch. Human hands need longer to take hold of a piece and let it go. */
  "brush-ms": number;
  /** The clock pressed with castling half done. */
  "castling-halfmove": CastlingHalfmove;
  /** What is said when a player castles in Chess960 having touched the rook first. */
  "chess960-rook-first": RookFirst;
  /** Without a clock, an unexplained position at rest this long is taken as completed. Longer than any hesitation. */
  "clockless-rest-ms": number;
  /** A press is told as too early when the piece comes to its square this much later, longer than late readings usually take. A very large value: never told. */
  "early-press-ms": number;
  /** An opponent's piece taken up this much before the move was made was taken up out of turn, possibly. Shorter, it may be a reply to a move not read yet. A very large value: never told. */
  "early-touch-ms": number;
  /** A mate or stalemate that rests this long without a press ends the game: until then the piece may be in the hand. */
  "end-of-game-ms": number;
  /** An opponent's piece lifted and put back within this time may have been brushed (4.2.2): only a human can know. */
  "fleeting-ms": number;
  /** The language of the sentences. */
  language: Language;
  /** A promoted piece put down before the pawn is taken up, under editions before 2014. */
  "promotion-order": PromotionOrder;
  /** A legal contact that rested longer than this was possibly a release (4.7). */
  "release-ms": number;
  /** While a placed piece stands at least this long and another piece is lifted, it was likely let go. */
  "release-other-lift-ms": number;
  /** How long after a press a piece may stay unread before the press is judged without it: sensors that lose a reading find it again within about two seconds. */
  "reread-ms": number;
  /** A rook that left its square this much before the king was touched first for certain; less, and the king's lift may have been read late (4.4.2). */
  "rook-first-ms": number;
  /** The scan window: changes closer together than this have no order. Boards scan their squares one after another. */
  "skew-ms": number;
  /** Clocks stopped without a reason that is seen within this time. An arbiter needs so long to come to the board. */
  "stop-grace-ms": number;
  /** When castling raises the question whether one hand played it or two (4.1). */
  "two-hands": TwoHands;
}

/** Time windows, in milliseconds, and what an event may decide for itself. No default makes a clock press wait: with a press, the ruling comes at once. */
export interface SettingsRequest {
  /** How long before its announcement an adjustment may have begun: buttons lag behind words. FIDE wants the words first (4.2.1), so none by default. */
  "adjust-grace-ms"?: number;
  /** A made move that rests exactly this long is announced. */
  "announce-ms"?: number;
  /** How long after an adjustment announced out of turn a piece that is touched belongs to it. After that the announcement is told by itself. */
  "announced-touch-ms"?: number;
  /** Time for the opponent after a completed illegal move in supervised blitz: the letter of B.2 and B.3 (2023) is not clear, practice gives one minute. */
  "blitz-penalty-ms"?: number;
  /** The minimum contact: a lift shorter than this may be a brush or a sensor's bounce, never a deliberate touch. Human hands need longer to take hold of a piece and let it go. */
  "brush-ms"?: number;
  /** The clock pressed with castling half done. */
  "castling-halfmove"?: CastlingHalfmove;
  /** What is said when a player castles in Chess960 having touched the rook first. */
  "chess960-rook-first"?: RookFirst;
  /** Without a clock, an unexplained position at rest this long is taken as completed. Longer than any hesitation. */
  "clockless-rest-ms"?: number;
  /** A press is told as too early when the piece comes to its square this much later, longer than late readings usually take. A very large value: never told. */
  "early-press-ms"?: number;
  /** An opponent's piece taken up this much before the move was made was taken up out of turn, possibly. Shorter, it may be a reply to a move not read yet. A very large value: never told. */
  "early-touch-ms"?: number;
  /** A mate or stalemate that rests this long without a press ends the game: until then the piece may be in the hand. */
  "end-of-game-ms"?: number;
  /** An opponent's piece lifted and put back within this time may have been brushed (4.2.2): only a human can know. */
  "fleeting-ms"?: number;
  /** The language of the sentences. */
  language?: Language;
  /** A promoted piece put down before the pawn is taken up, under editions before 2014. */
  "promotion-order"?: PromotionOrder;
  /** A legal contact that rested longer than this was possibly a release (4.7). */
  "release-ms"?: number;
  /** While a placed piece stands at least this long and another piece is lifted, it was likely let go. */
  "release-other-lift-ms"?: number;
  /** How long after a press a piece may stay unread before the press is judged without it: sensors that lose a reading find it again within about two seconds. */
  "reread-ms"?: number;
  /** A rook that left its square this much before the king was touched first for certain; less, and the king's lift may have been read late (4.4.2). */
  "rook-first-ms"?: number;
  /** The scan window: changes closer together than this have no order. Boards scan their squares one after another. */
  "skew-ms"?: number;
  /** Clocks stopped without a reason that is seen within this time. An arbiter needs so long to come to the board. */
  "stop-grace-ms"?: number;
  /** When castling raises the question whether one hand played it or two (4.1). */
  "two-hands"?: TwoHands;
}

/** One incident is not any more. */
export interface Settled {
  /** Its id. */
  settled: string;
}

/** What a game starts from and what its evidence is worth. */
export interface Setup {
  /** Who answers what the arbiter asks (`Input::Mating`). */
  answers?: Answers;
  /** Chess960 castling (Guideline II). Without a FEN the game starts from the array of orthodox chess. */
  chess960: boolean;
  /** The class of play. */
  class: TimeClass;
  /** Whether a clock is connected. */
  clock: boolean;
  /** The starting position; `null` is the initial one. */
  fen?: StartFen | null;
  /** The game's name, unique within a daemon. */
  game: string;
  /** The edition of the Laws. */
  laws: Edition;
  /** What becomes of a game without a result on whose board the starting position is set up again. */
  next_game?: NextGame;
  /** Settings of the event that differ from the default. */
  options: Settings;
  /** Whether the board is read by whole states, so that short events may be missing. Changes between two states have no order: `options.skew_ms` is at least the time from one to the next. */
  polled: boolean;
  /** What the board's sensors can tell. */
  sensor: SensorClass;
  /** Whether play is adequately supervised (Appendix A.4 / B.2). */
  supervised: boolean;
  /** How the board lies, where it is known to lie turned. */
  turned?: Orientation;
}

/** What a game starts from and what its evidence is worth. */
export interface SetupRequest {
  /** Who answers what the arbiter asks (`Input::Mating`). */
  answers?: Answers;
  /** Chess960 castling (Guideline II). Without a FEN the game starts from the array of orthodox chess. */
  chess960?: boolean;
  /** The class of play. */
  class?: TimeClass;
  /** Whether a clock is connected. */
  clock?: boolean;
  /** The starting position; `null` is the initial one. */
  fen?: StartFen | null;
  /** The game's name, unique within a daemon. */
  game?: string;
  /** The edition of the Laws. */
  laws?: Edition;
  /** What becomes of a game without a result on whose board the starting position is set up again. */
  next_game?: NextGame;
  /** Settings of the event that differ from the default. */
  options?: SettingsRequest;
  /** Whether the board is read by whole states, so that short events may be missing. Changes between two states have no order: `options.skew_ms` is at least the time from one to the next. */
  polled?: boolean;
  /** What the board's sensors can tell. */
  sensor: SensorClass;
  /** Whether play is adequately supervised (Appendix A.4 / B.2). */
  supervised?: boolean;
  /** How the board lies, where it is known to lie turned. */
  turned?: Orientation;
}

/** Moves from the scoresheets. */
export interface Sheet {
  /** They follow on so many half-moves that the board has seen. Left out where it has seen none. */
  after?: number | null;
  /** In algebraic notation, with or without numbers: `1. e4 e5 2. Nf3`, or as a PGN of one game. A result behind the last move is the table's, where it has none yet. */
  moves: string;
  /** Why; asked for where they take the place of what a board has surely seen, or follows. */
  reason?: string;
  /** The table. */
  table: number;
}

/** a square, a1 to h8 */
export type Square = string;

/** How far a round is. */
export type Stage = "drawn" | "under-way" | "closed";

/** From where a game starts. */
export interface Start {
  /** It is Chess960: castling follows it. */
  chess960?: boolean;
  /** The position; empty where only the variant is known. */
  fen?: string;
}

/** a FEN or `unknown` */
export type StartFen = string;

/** Something that is to be done after a ruling. */
export interface Step {
  /** Who did it, where a person said so; the board ticks the others. */
  by: SaidBy | null;
  /** Whether it is done. */
  done: boolean;
  /** What. */
  step: StepKind;
}

/** What is left to be done after a ruling. */
export type StepKind = "position" | "clocks" | "moves" | "clocks-back" | "cancel";

/** A game as a whole. */
export interface Summary {
  /** Plies still in doubt. */
  doubts: number[];
  /** The last position. */
  fen: string;
  /** Irregularities that were not withdrawn, by code. */
  irregularities: Record<string, number>;
  /** Every ply. */
  moves: Move[];
  /** The result. */
  result: GameResult;
}

/** one symbol: ? L D PNBRQK pnbrqk */
export type Symbol = string;

/** Tables that follow each other, such as `1-10`. */
export type Tables = string;

/** A team. */
export interface Team {
  /** Its name. */
  name: string;
  /** Its number: the key. */
  number: number;
  /** The starting numbers of its players, in the order of their boards. */
  players: number[];
  /** Its short name, where it has one. */
  short?: string;
}

/** What a team has for a round in which it plays nobody. */
export interface TeamBye {
  /** `F`, `H`, `Z`, or `U` where the pairing gave it. */
  code: ResultCode;
  /** Its game points. */
  game_points: Points;
  /** Its match points. */
  match_points: Points;
  /** The team. */
  team: TeamInMatch;
}

/** What a team has for a round in which it plays nobody. */
export interface TeamBye2 {
  /** `F`, `H`, `Z`, or `U` where the pairing gave it. */
  code: ResultCode;
  /** Match points and game points, where somebody has said what it is worth. */
  points?: Points[] | null;
  /** The team. */
  team: number;
}

/** A team in a match. */
export interface TeamInMatch {
  /** Its name. */
  name: string;
  /** Its number. */
  number: number;
}

/** How a match of two teams stands. */
export interface TeamMatch {
  /** The points of its games as far as they are settled. */
  game_points: Points[];
  /** The match points, once every game is settled. */
  match_points: Points[] | null;
  /** The boards of the match whose game is not settled, from 1. */
  open: number[];
  /** The two teams; the first has White at the first board. */
  teams: TeamInMatch[];
}

/** The sentences of a game in one language. */
export interface Texts {
  /** Of its doubts, by half-move and kind: `12.promotion-piece`. */
  doubts: Record<string, string>;
  /** Of its findings, by number. */
  findings: Record<string, unknown>;
  /** The same of what was seen and what the Law says, without what is to be done about it: for reports of what is past. */
  happened: Record<string, unknown>;
  /** Of its result. */
  result: string | null;
}

/** A moment, in milliseconds on the clock of the board that reported it.  The core has no clock of its own: every call carries its time, so a recorded trace replays to the same rulings. */
export type Time = number;

/** The class of play (Laws, Article 6 and Appendices A and B). */
export type TimeClass = "standard" | "rapid" | "blitz";

/** Time for both players of a table. */
export interface TimeRequest {
  /** Who gives it, where nobody is asked who he is. */
  author?: string;
  /** Why. */
  reason: string;
  /** How many seconds each, 1 to 1800. */
  seconds: number;
  /** The table. */
  table: number;
  /** How often time had been given at this table in this round when it was decided. Left out: whatever is so now. */
  upon?: number | null;
}

/** What would be so if an order were given now. */
export interface Trial {
  /** What would be said of it. */
  said: Announcement[];
  /** How the game would stand. */
  view: View;
}

/** When the arbiter is asked whether a player castled with two hands. It is never more than a question: no sensor sees hands. */
export type TwoHands = "ignore" | "at-once" | "in-the-air";

/** Moves that a person has typed from the scoresheets. */
export interface Typed {
  /** They follow on so many half-moves of the game that the board has seen. */
  after: number;
  /** They take the place of what the board had seen then. Else they fill what it had not: once it has seen the same, its own record goes on. */
  instead?: boolean;
  /** In algebraic notation (Appendix C). */
  moves: string[];
}

/** That an order was taken back. */
export interface Undone {
  /** By whom; empty where nobody gave his name. */
  author: string;
  /** When, in milliseconds since 1970. */
  wall: number;
}

/** A game in which something waits for the arbiter. */
export interface Unruled {
  /** Whether its pieces stand on the board: then it is ruled on there, with whatever the arbiter can order. */
  at_hand: boolean;
  /** Black's name; empty when unknown. */
  black: string;
  /** The board that it is, or was, played on. */
  board: string;
  /** What is in doubt, questions included. */
  doubts: Doubt[];
  /** Findings that nobody has ruled on. */
  findings: Finding[];
  /** Its name. */
  game: string;
  /** The round, where it is one of the event's. */
  round: number | null;
  /** Whether it is stopped: what is handled on its board is nobody's move until the arbiter lets it go on. */
  stopped: boolean;
  /** The table, where it is one of the event's. */
  table: number | null;
  /** White's name; empty when unknown. */
  white: string;
}

/** After how many seconds a certain finding that nobody has looked at is told once more to whoever is responsible for all tables, by the class of play. */
export interface Unseen {
  /** In blitz. */
  blitz: number;
  /** In rapid play. */
  rapid: number;
  /** In standard play. */
  standard: number;
}

/** Play in the game of a pairing from pieces that did not stand as at its start: it is not followed as that before the arbiter says with what it begins. */
export interface UnsetOnBoard {
  /** Black's name. */
  black: string;
  /** Round and table: `3.12`. */
  round: string;
  /** What stood there when play began, as FEN: with the order `new-game`, this `fen` and `played` what was played since is read. `null` where nobody can tell. */
  stood: string | null;
  /** White's name. */
  white: string;
}

/** A message with its board. */
export interface UpdateOfBoard {
  /** Whether its sensors are analogue, so that it can be calibrated. */
  analogue?: boolean;
  /** The game before, while it is not known whether it has ended; the next one is played meanwhile. */
  asked?: Asked | null;
  /** Black's name; empty when unknown. */
  black?: string;
  /** Black's remaining time at the last report, in milliseconds. */
  black_ms?: number | null;
  /** The board's id. */
  board: string;
  /** The class of play. */
  class?: TimeClass | null;
  /** When it was last told what the clocks show, in milliseconds since 1970: what was added to them since is not in that. */
  clock_at?: number | null;
  /** Since when the clocks stand, in milliseconds since 1970: the board says so, or the game is paused or has ended. `null` while one runs, or is not known to stand. */
  clock_stands?: number | null;
  /** When the clock that runs began to, in milliseconds since 1970, as if it had never stood: a console counts on from there. */
  clock_told?: number | null;
  /** Whether the board is on the line and answers. */
  connected?: boolean;
  /** Squares that read differently from the recorded position. */
  differs?: Square[];
  /** Squares whose sensors the board itself does not trust, as the game calls them. */
  distrusted?: string[];
  /** Open doubts. */
  doubts?: Doubt[];
  /** What is wrong with the board or its line, in words. */
  fault?: string | null;
  /** The same one by one, to be said in the reader's language. */
  faults?: FaultText[];
  /** The recorded position. */
  fen?: string;
  /** Every finding of the game. */
  findings?: Finding[];
  /** What the board's firmware calls itself, if it says that: name, version, what it was built of. */
  firmware?: string | null;
  /** The game's name; empty when none is set up. */
  game?: string;
  /** What ends the game by itself in the position that stands, where a finding that waits keeps that from counting: nobody is to move then. */
  held_back?: ResultReason | null;
  /** The board's id in the configuration. Empty, and not written, where the message names its board. */
  id?: string;
  /** The last half-move, where a client did not ask for all of them */
  last?: PlyRecord | null;
  /** The edition of the Laws. */
  laws?: Edition | null;
  /** The record as a list of moves. */
  moves?: string[];
  /** The name people use. */
  name?: string;
  /** Who is to play here next: the pairing of the round under way that waits for its game, while another game stands here. */
  next?: NextOnBoard | null;
  /** What was last learned of the board by itself, in words. */
  note?: string | null;
  /** What the touches oblige the player to, if they do. */
  obligation?: ObligationView | null;
  /** Completed illegal moves that count against each player, as far as certain or upheld. */
  offences?: Offences | null;
  /** Findings that wait for the arbiter. */
  open?: number;
  /** How many orders and words of players were given in the game, those included that were taken back. */
  ordered?: number;
  /** The orders that have effect and can be taken back, oldest first: of very many the last. */
  orders?: Event[];
  /** The record. */
  plies?: PlyRecord[];
  /** How many plies are as they were: `plies` are those after them. Left out where everything is told */
  plies_from?: number;
  /** Half-moves in the record. */
  ply?: number;
  /** What the sensors read now: 64 symbols, a8 to h8 first, h1 last. */
  reading?: Reading | null;
  /** The position to be put back while one is ordered. */
  restore?: string | null;
  /** Where a loss that an arbiter has declared may rest on findings that were dismissed since: the findings that were ruled a loss while those stood; `null` elsewhere. */
  rests_on_dismissed?: number[] | null;
  /** The result, if there is one. */
  result?: ResultView | null;
  /** The sentence of the result. */
  result_text?: string | null;
  /** The round; empty when unknown. */
  round?: string;
  /** Whose clock runs, `w` or `b`, where a clock is connected and was pressed. */
  running?: string | null;
  /** What the sensors can tell. */
  sensor?: SensorClass | null;
  /** The board's serial number, once it has told it. */
  serial?: string | null;
  /** The position from which the record goes: the starting position, or one that was set before anything was played. */
  start_fen?: string;
  /** Where the game stands in its cycle. */
  state?: Phase;
  /** The order by which the game is stopped, by its name; `null` where it is not stopped, or not by an order. */
  stopped_by?: string | null;
  /** Whether play is adequately supervised. */
  supervised?: boolean | null;
  /** Who has the move. */
  turn?: Colour;
  /** How the board lies, as it is read: degrees clockwise. */
  turned?: Orientation;
  /** He does so only since the round was started: no pieces stood as at the beginning of that game. */
  unset?: UnsetOnBoard | null;
  update: "board";
  /** White's name; empty when unknown. */
  white?: string;
  /** White's remaining time at the last report, in milliseconds. */
  white_ms?: number | null;
}

/** Everything a console shows of one board. Whoever keeps the record and the findings in a way of his own (`crate::Arbiter::view_with`) may have other types of them; of the type `()` they are not written. */
export interface View {
  /** Black's remaining time at the last report, in milliseconds. */
  black_ms: number | null;
  /** The class of play. */
  class: TimeClass;
  /** Squares that read differently from the recorded position. */
  differs: Square[];
  /** Open doubts. */
  doubts: Doubt[];
  /** The recorded position. */
  fen: string;
  /** Every finding of the game. */
  findings: Finding[];
  /** The game's name; empty when none is set up. */
  game: string;
  /** What ends the game by itself in the position that stands, where a finding that waits keeps that from counting: nobody is to move then. */
  held_back: ResultReason | null;
  /** The edition of the Laws. */
  laws: Edition;
  /** What the touches oblige the player to, if they do. */
  obligation: ObligationView | null;
  /** Completed illegal moves that count against each player, as far as certain or upheld. */
  offences: Offences;
  /** The orders that have effect and can be taken back, oldest first: of very many the last. */
  orders: Event[];
  /** The record. */
  plies: PlyRecord[];
  /** What the sensors read now: 64 symbols, a8 to h8 first, h1 last. */
  reading: Reading;
  /** The position to be put back while one is ordered. */
  restore: string | null;
  /** The result, if there is one. */
  result: ResultView | null;
  /** The sentence of the result. */
  result_text: string | null;
  /** Whose clock runs, `w` or `b`, where a clock is connected and was pressed. */
  running: string | null;
  /** What the sensors can tell. */
  sensor: SensorClass;
  /** The position from which the record goes: the starting position, or one that was set before anything was played. */
  start_fen: string;
  /** Where the game stands in its cycle. */
  state: Phase;
  /** Whether play is adequately supervised. */
  supervised: boolean;
  /** Who has the move. */
  turn: Colour;
  /** How the board lies, as it is read: degrees clockwise. */
  turned: Orientation;
  /** White's remaining time at the last report, in milliseconds. */
  white_ms: number | null;
}

/** A device that waits to be let in. */
export interface Waiting {
  /** Of a screen: the code to show. */
  code: string | null;
  /** What it will be let in as. */
  invitation: Invitation | null;
  /** To ask what became of it. Nobody else may know it. */
  secret: string;
  /** Four squares, which the chief arbiter is shown as well. */
  squares: string;
}

/** Whose data: one of these is given, or a name and the number that he has or had. */
export interface Whom {
  /** In which of the store's events, from 1; with a number or a name. */
  event?: number | null;
  /** FIDE's number. */
  fide_id?: number | null;
  /** The name as it was written, whatever the case of its letters. */
  name?: string | null;
  /** The starting number in the event at hand, or in `event`. */
  number?: number | null;
}

/** Why an order is not carried out. */
export type Why = "no-finding" | "decided" | "no-promotion" | "no-reading" | "no-ply" | "not-playable" | "played-so" | "no-position" | "position-unknown" | "nothing-stands" | "not-asked" | "no-game" | "paused-already" | "not-paused" | "result-stands" | "no-result" | "lies-so" | "no-offer" | "not-playing" | "name-taken" | "no-order" | "taken-back" | "order-forgotten" | "ply-forgotten";

/** Why a result is not confirmed unless it is named. */
export type Why2 = "file" | "typed" | "unruled" | "rests-on-dismissed" | "undeclared" | "other-table";

/** Results that a person takes back. */
export interface Withdrawn {
  /** Why; asked for where a result is confirmed. */
  reason?: string;
  /** The tables. */
  tables: number[];
  /** What stood at tables when it was decided, as a round shows it (`upon`). Left out: whatever is so now. */
  upon?: Record<string, unknown>;
}

/** What a game is worth, and a match of teams. FIDE's values where nobody says otherwise. */
export interface Worth {
  /** Absence, announced or not. */
  absence: Points;
  /** The bye that the pairing gives. */
  bye: Points;
  /** A game drawn; a half-point bye. */
  draw: Points;
  /** A game lost over the board. */
  loss: Points;
  /** for one drawn, */
  match_drawn: Points;
  /** and for one lost. */
  match_lost: Points;
  /** Match points for a match won, */
  match_won: Points;
  /** A game won, over the board or by forfeit; a full-point bye. */
  win: Points;
}

/** What a game is worth, and a match of teams. FIDE's values where nobody says otherwise. */
export interface WorthRequest {
  /** Absence, announced or not. */
  absence?: Points;
  /** The bye that the pairing gives. */
  bye?: Points;
  /** A game drawn; a half-point bye. */
  draw?: Points;
  /** A game lost over the board. */
  loss?: Points;
  /** for one drawn, */
  match_drawn?: Points;
  /** and for one lost. */
  match_lost?: Points;
  /** Match points for a match won, */
  match_won?: Points;
  /** A game won, over the board or by forfeit; a full-point bye. */
  win?: Points;
}
