import { t } from "../strings";
import type { LogLine, ReplayHand, Seat, State, Step } from "../messages";

/** Whether the cards of a seat are known: only then can its decision be judged. */
export const isKnown = (hand: ReplayHand, seat: number | null): boolean => seat !== null && !!hand.cards[seat]?.every((card) => card !== "??");

/** The seat to show at the bottom: that of my name, else the first whose cards are known. */
export function ownSeat(hand: ReplayHand): number {
  const mine = hand.names.findIndex((name) => name === t("you") || name === localStorage.getItem("name"));
  return mine >= 0 ? mine : Math.max(0, hand.names.findIndex((_, seat) => isKnown(hand, seat)));
}

/** A step of a recorded hand as the table's state, so that both are drawn by the same parts. */
export function stateAt(hand: ReplayHand, step: Step): State {
  const last = step.n === hand.steps[hand.steps.length - 1].n && step === hand.steps[hand.steps.length - 1];
  const seats: Seat[] = hand.names.map((name, seat) => ({
    seat, kind: "agent", name, spec: "", stack: step.stacks[seat], bet: step.bets[seat], connected: true, made: null, net: 0, position: seat,
    cards: step.folded[seat] && !isKnown(hand, seat) ? null : (hand.cards[seat] ?? ["??", "??"]), status: step.folded[seat] ? "folded" : step.stacks[seat] === 0 ? "all-in" : "in",
    last: step.seat === seat && !last ? step.about : null, won: last ? hand.payoffs[seat] : null,
  }));
  const committed = step.bets.reduce((sum, bet) => sum + bet, 0);
  return {
    type: "state", table: "", phase: last ? "over" : "betting", me: null, host: false, panel: false, spectators: 0, note: "", seal: { hash: "", commits: {}, closed: true }, seats,
    settings: { game: "no-limit", blinds: [hand.blinds[0] ?? 0, hand.big_blind], stack: 0, speed: "normal", clock: 0, advisor: "", reader: "", coach: false, tournament: false, reset: false },
    hand: {
      number: hand.id, n: step.n, street: step.street, board: step.board, pot: step.pot, pots: [{ chips: step.pot - committed, seats: [] }], button: hand.button,
      blinds: [hand.blinds[0] ?? 0, hand.big_blind], log: logTo(hand, step), deal: { hash: "", nonce: null, deck: null, shares: null },
      turn: step.actor === null ? null : { seat: step.actor, fold: false, call: 0, min: 0, max: 0, sizes: [], clock: null },
    },
  };
}

function logTo(hand: ReplayHand, step: Step): LogLine[] {
  const lines: LogLine[] = [];
  let shown = 0;
  for (const one of hand.steps) {
    const name = one.seat === null ? "" : hand.names[one.seat];
    if (one.seat !== null) lines.push({ kind: "action", street: one.street, about: one.about, seat: one.seat, cards: [], name });
    // a run-out opens several streets at once
    for (const [street, count] of [[1, 3], [2, 4], [3, 5]]) {
      if (shown >= count || one.board.length < count) continue;
      lines.push({ kind: "street", street, about: null, seat: null, cards: one.board.slice(shown, count), name: "" });
      shown = count;
    }
    if (one === step) break;
  }
  return lines;
}
