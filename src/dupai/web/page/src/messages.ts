// Made by `python tools/page_messages.py` from src/dupai/web/_messages. Do not edit.

/** One statement about a decision, an action or a hand. */
export interface Reason {
  code: string;
  values?: Record<string, number | string | (Reason | string)[]>;
  text?: string;
}

/** A mean with its standard error and the number of observations. */
export interface Measured {
  mean: number;
  se: number;
  n: number;
}

/** An option of an agent or reader: ``default`` as it is written in a spec. */
export interface OptionInfo {
  name: string;
  kind: "choice" | "number" | "text" | "flag";
  about: string;
  default: string;
  choices: string[];
}

/** An agent or a reader that can be named. */
export interface AgentInfo {
  name: string;
  about: string;
  presets: string[];
  options: OptionInfo[];
  min_players: number;
  max_players: number;
  error: string | null;
}

/** An opponent with a name and a line about it (``seat.SPEC`` and ``about.SPEC`` of the shared words), and the big blinds that it wins per 100 hands from an average opponent; None where that was not rated. */
export interface OpponentInfo {
  spec: string;
  kind: "people" | "thinker" | "style" | "simple";
  games: ("no-limit" | "limit")[];
  min_players: number;
  max_players: number;
  heads_up: Measured | null;
  six_max: Measured | null;
}

/** Where hands can be opened from. ``hands`` is None where they have not been counted. */
export interface SourceInfo {
  id: string;
  kind: "example" | "file" | "store" | "upload" | "table";
  title: Reason;
  hands: number | null;
}

/** What this server has: GET /api/info. ``opponents``: the usual ones by betting structure; ``seats``: all that have a name. */
export interface Info {
  version: string;
  agents: AgentInfo[];
  readers: AgentInfo[];
  opponents: Record<string, string[]>;
  seats: OpponentInfo[];
  advisors: string[];
  classes: string[];
  combos: string[];
  upload_bytes: number;
}

/** What may be chosen for a table besides its game. */
export interface TableChoices {
  speed: "slow" | "normal" | "fast" | "instant";
  clock: number;
  panel: boolean;
  advisor: string;
  reader: string;
  coach: boolean;
}

/** POST /api/tables: everything has a default. */
export interface NewTable {
  speed?: "slow" | "normal" | "fast" | "instant";
  clock?: number;
  panel?: boolean;
  advisor?: string;
  reader?: string;
  coach?: boolean;
  seats?: number;
  game?: "no-limit" | "limit";
  small_blind?: number;
  big_blind?: number;
  stack?: number;
  opponents?: (string | null)[] | null;
  tournament?: boolean;
  reset?: boolean;
  name?: string;
}

/** The id of what was made. */
export interface Made {
  id: string;
}

/** A row of GET /api/tables. */
export interface LobbyTable {
  id: string;
  game: "no-limit" | "limit";
  blinds: [number, number];
  seats: (string | null)[];
  spectators: number;
  hand: number;
}

/** POST /api/tables/ID/seat: take a seat; the answer sets the cookie that the socket then shows. */
export interface NewSeat {
  name: string;
  seat?: number | null;
}

/** The body of every refused request. */
export interface Failure {
  error: string;
}

/** An action: ``f``, ``c`` (check or call) or ``r300`` (bet or raise to 300 on this street). ``n`` is the number of actions of the hand that the player had seen: a late click acts on nothing else. */
export interface Act {
  do: "act";
  hand: number;
  n: number;
  action: string;
}

/** Do not deal me in from the next hand on. */
export interface Away {
  do: "sit_out";
}

/** Deal me in again. */
export interface Back {
  do: "sit_in";
}

/** Fill my stack up to the buy-in before the next hand. */
export interface Rebuy {
  do: "rebuy";
}

/** Give up my seat. */
export interface Leave {
  do: "leave";
}

/** Go on at once: deal the next hand. */
export interface Next {
  do: "next";
}

/** My part in the next deck, for the seal with this hash: the SHA-256 of my share and, once the seal is closed, the share. */
export interface Share {
  do: "share";
  seal: string;
  text: string;
}

/** Switch the reading panel for everybody at the table (who made the table may). */
export interface SetPanel {
  do: "panel";
  on: boolean;
}

/** Set the pace of the table (who made the table may). */
export interface SetSpeed {
  do: "speed";
  speed: "slow" | "normal" | "fast" | "instant";
}

/** Choose the agent that advises all people at the table. */
export interface SetAdvisor {
  do: "advisor";
  agent: string;
}

/** A seat as the receiver may see it. */
export interface Seat {
  seat: number;
  kind: "empty" | "person" | "agent";
  name: string;
  spec: string;
  stack: number;
  bet: number;
  cards: [string, string] | null;
  status: "empty" | "in" | "folded" | "all-in" | "away" | "out" | "waiting";
  connected: boolean;
  last: Reason | null;
  made: Reason | null;
  won: number | null;
  net: number;
  position: number | null;
}

/** A main or side pot with the seats that can win it; bets of this street are in no pot yet. */
export interface Pot {
  chips: number;
  seats: number[];
}

/** A button of the bet slider: an end of the slider, or a share of the pot. */
export interface Size {
  name: "min" | "1/3" | "1/2" | "2/3" | "pot" | "max" | "all-in";
  to: number;
}

/** Who is to act and what they may do; ``min`` and ``max`` are 0 where no raise is allowed. ``clock``: seconds in all and left, None without a clock. */
export interface Turn {
  seat: number;
  fold: boolean;
  call: number;
  min: number;
  max: number;
  sizes: Size[];
  clock: [number, number] | null;
}

/** A line of the hand's log: a street with its board, or what a player did. */
export interface LogLine {
  kind: "post" | "action" | "street" | "show" | "win";
  street: number;
  about: Reason | null;
  seat: number | null;
  cards: string[];
  name: string;
}

/** The sealed deck: ``hash`` is the SHA-256 of ``nonce``, which is revealed with the ``deck`` when the hand is over. ``shares``: name and share of each person dealt in; None: the hash is of nonce and deck. */
export interface Deal {
  hash: string;
  nonce: string | null;
  deck: string | null;
  shares: [string, string][] | null;
}

/** The hand in play or just over. ``n``: actions so far; ``pot``: all chips, bets included; once nobody can bet, without those that came back. */
export interface HandNow {
  number: number;
  n: number;
  street: number;
  board: string[];
  pot: number;
  pots: Pot[];
  button: number;
  blinds: [number, number];
  turn: Turn | null;
  log: LogLine[];
  deal: Deal;
}

/** What was chosen for the table. */
export interface Settings {
  game: "no-limit" | "limit";
  blinds: [number, number];
  stack: number;
  speed: "slow" | "normal" | "fast" | "instant";
  clock: number;
  advisor: string;
  reader: string;
  coach: boolean;
  tournament: boolean;
  reset: boolean;
}

/** The seal of the next deck: the hash of its nonce, and the hashes of people's shares by name; ``closed``: they are settled, and the shares may follow. */
export interface Seal {
  hash: string;
  commits: Record<string, string>;
  closed: boolean;
}

/** The whole table as the receiver may see it, after every change. */
export interface State {
  type: "state";
  table: string;
  settings: Settings;
  phase: "waiting" | "betting" | "runout" | "over";
  me: number | null;
  host: boolean;
  panel: boolean;
  spectators: number;
  seats: Seat[];
  hand: HandNow | null;
  note: string;
  seal: Seal;
}

/** A class of hands by name with its probability. */
export interface ClassShare {
  name: string;
  p: number;
}

/** The 169 squares when the betting of a street was over (or now): mean probability of a square's hands, the largest 1. */
export interface StreetGrid {
  street: number;
  grid: number[];
}

/** What a seat seems to hold. ``said``: how far it is narrowed, its likeliest hands, how that is counted; ``draws``: beside the made hands of ``classes``; ``equity``: the receiver's against this reading alone. */
export interface SeatReading {
  seat: number;
  p: number[];
  said: Reason[];
  classes: ClassShare[];
  streets: StreetGrid[];
  draws: ClassShare[];
  equity: number | null;
}

/** An action of the advice; ``ev`` in big blinds. */
export interface AdvisedAction {
  about: Reason;
  kind: "fold" | "check" | "call" | "bet" | "raise" | "all-in";
  p: number;
  to: number | null;
  ev: number | null;
}

/** What an agent would do, and why. */
export interface Advice {
  agent: string;
  actions: AdvisedAction[];
  reasons: Reason[];
}

/** The panel at the receiver's decision, or while others act: from what that seat may know. */
export interface Readings {
  type: "readings";
  hand: number;
  n: number;
  seats: SeatReading[];
  equity: Measured | null;
  pot_odds: number | null;
  advice: Advice | null;
  error: string | null;
}

/** What an observer reads in the receiver; ``bits``: gained on the cards that they hold, ``said``: in words. */
export interface Mirror {
  type: "mirror";
  hand: number;
  n: number;
  reading: SeatReading;
  said: Reason;
  bits: number;
}

/** A hand that was shown, and what the receiver's reader made of it: ``bits`` over knowing nothing, ``p`` the probability it gave to the cards, ``covered``: share of them in the 80 % set; ``said``: the bits in words, None of a hand that an earlier version kept. */
export interface Shown {
  seat: number;
  cards: [string, string];
  bits: number;
  p: number;
  covered: number;
  said: Reason | null;
}

/** The session so far: hands shown, bits gained, and how often the 80 % set held the truth. */
export interface Calibration {
  shown: number;
  bits: Measured;
  covered: number;
}

/** After the hand: what was shown, and how well it was read. */
export interface Reveal {
  type: "reveal";
  hand: number;
  seats: Shown[];
  calibration: Calibration;
}

/** A kind of action (a word of the catalogue) with its estimate in big blinds. */
export interface ActionValue {
  action: string;
  ev: Measured;
}

/** What a decision gave up, in big blinds; ``sure``: more than two standard errors. */
export interface LessonLine {
  hand: number;
  decision: number;
  street: number;
  chosen: Reason;
  best: Reason;
  gave_up: Measured;
  sure: boolean;
  about: Reason;
  values: ActionValue[];
}

/** The coach after a hand: its decisions, and the three costliest of the session. */
export interface Lessons {
  type: "coach";
  lessons: LessonLine[];
  worst: LessonLine[];
  total: Measured;
}

/** A request that was refused, and why. */
export interface Refused {
  type: "error";
  text: string;
}

/** POST /api/tables/ID/again: play a decision again, against hands dealt anew from the readings. */
export interface Again {
  hand: number;
  decision: number;
}

/** Something in an upload that is no hand. */
export interface Reject {
  line: number;
  reason: string;
}

/** POST /api/upload: the id of the source, how many hands it has, and what was refused (the first few). */
export interface Uploaded {
  id: string;
  hands: number;
  rejects: Reject[];
}

/** A player and what they won. */
export interface Winner {
  name: string;
  about: Reason;
}

/** A hand in a list. ``id``: its number in its source, from 0; ``result``: the first winners. */
export interface HandLine {
  id: number;
  title: Reason;
  names: string[];
  board: string[];
  pot: number;
  result: Winner[];
}

/** GET /api/hands?source=&from=&count=. */
export interface HandList {
  total: number;
  hands: HandLine[];
}

/** The hand after ``n`` actions; the lists go by seat. ``about``: what was done last, by ``seat``. */
export interface Step {
  n: number;
  street: number;
  board: string[];
  stacks: number[];
  bets: number[];
  folded: boolean[];
  pot: number;
  actor: number | null;
  seat: number | null;
  about: Reason;
}

/** GET /api/hand?source=&id=: the lists go by seat (the place in the list); ``payoffs`` in chips. */
export interface ReplayHand {
  id: number;
  title: Reason;
  game: string;
  names: string[];
  stacks: number[];
  button: number;
  blinds: number[];
  big_blind: number;
  cards: ([string, string] | null)[];
  payoffs: number[];
  board: string[];
  steps: Step[];
  comment: string;
}

/** All-in equity by seat when a street begins (None: folded or unknown cards). */
export interface EquityPoint {
  n: number;
  street: number;
  equity: (number | null)[];
}

/** GET /api/hand/review?source=&id=&n=&agent=&reader=: a decision from what its actor could know. */
export interface ReviewPoint {
  n: number;
  seat: number;
  readings: Readings;
  chosen: Reason;
  gave_up: Measured | null;
  values: ActionValue[];
  no_estimate: Reason | null;
}

/** A range: its text, 1,326 weights, and the form in which it was written. POST /api/range takes text or weights. */
export interface RangeText {
  text?: string;
  weights?: number[] | null;
  form?: string;
}

/** A range by name. */
export interface Preset {
  name: string;
  text: string;
}

/** POST /api/equity: hands or ranges. */
export interface EquityRequest {
  hands: string[];
  board?: string;
  dead?: string;
}

/** Shares of one player; ``se`` 0 where exact. */
export interface EquityPlayer {
  equity: number;
  win: number;
  tie: number;
  se: number;
}

/** All players, and whether the numbers are exact. */
export interface EquityResult {
  players: EquityPlayer[];
  exact: boolean;
}

/** A node whose strategy is fixed: by action the share for all hands. */
export interface SolveLock {
  path: string;
  strategy: Record<string, number>;
}

/** POST /api/solve: a spot as 'dupai solve' takes it; ``target`` in percent of the pot. ``again``: the id of a solution that holds more than a form shows; its spot is solved, with ``locks`` in the place of those shown. ``start``: a path in it; the game is solved from that node on, with the ranges that get there. */
export interface SolveRequest {
  board: string;
  oop: string;
  ip: string;
  pot: number;
  stack: number;
  bet?: string;
  raise?: string;
  locks?: SolveLock[];
  target?: number;
  max_iterations?: number;
  again?: string | null;
  start?: string | null;
}

/** GET /api/solve/ID/form: a solution's spot as :class:`SolveRequest` has it. ``whole``: nothing of it is missing here (sizes by street or player, rake, dead cards, locks by hand). */
export interface SolveForm {
  board: string;
  oop: string;
  ip: string;
  pot: number;
  stack: number;
  bet: string;
  raise: string;
  locks: SolveLock[];
  whole: boolean;
}

/** A point of the curve: exploitability in percent of the pot. */
export interface SolvePoint {
  iterations: number;
  seconds: number;
  exploitability: number;
}

/** GET /api/solve/ID. Nodes can be looked at when it is no longer ``running``. */
export interface SolveStatus {
  id: string;
  state: "waiting" | "running" | "done" | "stopped" | "failed";
  seconds: number;
  target: number;
  curve: SolvePoint[];
  evs: [number, number] | null;
  error: string | null;
}

/** An action or a card that leads on from a node. */
export interface SolveAction {
  text: string;
  path: string;
  kind: "fold" | "check" | "call" | "bet" | "raise" | "all-in" | "card";
  about: Reason | null;
  p: number | null;
}

/** GET /api/solve/ID/node?path=. */
export interface SolveNode {
  path: string;
  kind: string;
  board: string[];
  player: number | null;
  pot: number;
  reached: number;
  solved: boolean;
  trail: SolveAction[];
  actions: SolveAction[];
  strategy: ((number | null)[])[];
  ev: ((number | null)[])[];
  equity: ((number | null)[])[];
  reach: number[][];
}

/** What follows a next card: EV by player (oop, ip), and how often each action is taken; None where nobody gets there. */
export interface Runout {
  card: string;
  ev: [number | null, number | null];
  shares: (number | null)[];
}

/** GET /api/solve/ID/runouts?path=: every next card of a node; ``actions``: after it. */
export interface Runouts {
  actions: SolveAction[];
  cards: Runout[];
}

/** GET /api/players?source=. */
export interface PlayerLine {
  name: string;
  hands: number;
}

/** A statistic: the estimate, its 95 % interval, and the opportunities; None where it cannot arise. */
export interface Stat {
  name: string;
  title: string;
  mean: number | null;
  low: number | null;
  high: number | null;
  n: number;
  percent: boolean;
}

/** After ``hand`` hands: ``won`` and, where known, with the luck of the cards taken out. */
export interface CurvePoint {
  hand: number;
  won: number;
  fair: number | null;
}

/** GET /api/player?source=&name=: the curve is in big blinds. */
export interface Player {
  name: string;
  hands: number;
  bb100: Measured;
  stats: Stat[];
  curve: CurvePoint[];
  leaks: Reason[];
}

/** A run of a results file: GET /api/results. */
export interface RunLine {
  id: string;
  kind: string;
  title: string;
  started: string;
  finished: boolean;
}

/** POST /api/runs: a match or ladder to play; the answer is its line. DELETE /api/runs stops it. */
export interface NewRun {
  kind: "match" | "ladder";
  agents: string[];
  hands?: number;
  seed?: number;
}

/** A report of ``dupai reproduce``: GET /api/reports; GET /api/report?id= is its page. */
export interface ReportLine {
  id: string;
  title: string;
  folder: string;
  written: string;
}

/** A line of a chart. */
export interface NamedCurve {
  name: string;
  points: [number, number][];
}

/** A table of a result, as the command line prints it. */
export interface RunTable {
  title: string;
  head: string[];
  rows: string[][];
}

/** Everybody against everybody: the row's result against the column's player. */
export interface Cross {
  names: string[];
  cells: ((number | null)[])[];
  unit: string;
}

/** GET /api/result?id=: ``places``: by player the share of matches that they finished in each place. */
export interface RunResult {
  run: RunLine;
  hands: number;
  headline: string;
  tables: RunTable[];
  curves: NamedCurve[];
  places: number[][];
  names: string[];
  cross: Cross | null;
  partial: boolean;
}

export type Request = Act | Away | Back | Rebuy | Leave | Next | Share | SetPanel | SetSpeed | SetAdvisor;

export type Event = State | Readings | Mirror | Reveal | Lessons | Refused;
