import { RANKS } from "../cards";
import type { Reason, State, Seat } from "../messages";
import { chips, playerName, positionName, say, signed, t, word } from "../strings";
import { Card, Cards } from "../ui/Card";

/** Where a seat and its bet are, in percent of the table, as style: the receiver's seat is at the bottom. On a phone the
 *  bets (`--nx`, `--ny`) lie above and below the board, which is as wide as the seats leave room. */
function places(count: number, seat: number, me: number): Record<string, string> {
  const angle = Math.PI / 2 + (2 * Math.PI * (seat - me)) / count;
  // A little squarer than an ellipse, so that seats keep clear of the board.
  const flat = (value: number) => Math.sign(value) * Math.abs(value) ** 0.82;
  const [x, y] = [flat(Math.cos(angle)), flat(Math.sin(angle))];
  const bet = 50 + 27 * x;
  const at = {
    "--x": 50 + 43 * x, "--y": 50 + 40 * y, "--bx": bet, "--by": 49 + 20.5 * y,
    "--nx": Math.min(65, Math.max(35, bet)), "--ny": y > -0.01 ? 60.5 + 11.5 * Math.abs(y) ** 3 : 34.5 + 9.5 * y ** 3,
  };
  return Object.fromEntries(Object.entries(at).map(([name, value]) => [name, `${value.toFixed(2)}%`]));
}

interface Props {
  state: State;
  sit: (seat: number) => void;
  since: number;
  /** The seat at the bottom where it is not the receiver's. */
  bottom?: number;
}

export function Felt({ state, sit, since, bottom = 0 }: Props) {
  const { hand, seats } = state;
  const me = state.me ?? bottom;
  const unit = state.settings.blinds[1] / 2;
  const settled = hand ? hand.pots.reduce((sum, pot) => sum + pot.chips, 0) : 0;
  return (
    <div class={`felt seats-${seats.length}`}>
      <div class="felt-cloth" />
      <div class="felt-middle">
        {hand ? (
          <>
            <div class="pot num" aria-label={`${t("pot")} ${hand.pot}`}>{settled > 0 ? <Piles amount={settled} unit={unit} /> : null}<span class="pot-word">{t("pot")}</span> <b>{chips(hand.pot)}</b></div>
            <div class="board" role="group" aria-label={t("board")}><Cards cards={hand.board} places={5} /></div>
            <div class="pots num">
              {hand.pots.length > 1 ? hand.pots.map((pot, i) => (
                <span key={i} class="side-pot">{i ? t("sidePot", { n: i }) : t("mainPot")} {chips(pot.chips)}</span>
              )) : settled !== hand.pot && settled > 0 ? <span class="side-pot">{t("mainPot")} {chips(settled)}</span> : null}
            </div>
          </>
        ) : <p>{t("waitingPlayers")}</p>}
      </div>
      <ol class="seats">
        {seats.map((seat) => {
          const place = places(seats.length, seat.seat, me);
          return (
            <li key={seat.seat} class="seat-place" style={place}>
              <SeatView seat={seat} state={state} sit={sit} since={since} />
            </li>
          );
        })}
      </ol>
      {seats.map((seat) => {
        const place = places(seats.length, seat.seat, me);
        const button = hand?.button === seat.seat;
        return seat.bet > 0 || button ? (
          <div key={`bet${seat.seat}`} class="bet-place num" style={place}>
            {button ? <span class="button-chip" role="img" aria-label={t("dealer")}>D</span> : null}
            {seat.bet > 0 ? <><Piles amount={seat.bet} unit={unit} />{chips(seat.bet)}</> : null}
          </div>
        ) : null;
      })}
    </div>
  );
}

/** The higher card first. */
function byRank(cards: readonly [string, string]): string[] {
  return [...cards].sort((a, b) => RANKS.indexOf(b[0]) - RANKS.indexOf(a[0]));
}

function SeatView({ seat, state, sit, since }: { seat: Seat; state: State; sit: (seat: number) => void; since: number }) {
  const turn = state.hand?.turn;
  const acts = turn?.seat === seat.seat;
  const mine = state.me === seat.seat;
  if (seat.kind === "empty") {
    return (
      <div class="seat free">
        {state.me === null ? <button class="tiny" onClick={() => sit(seat.seat)}>{t("sitHere")}</button> : <span class="small">{t("empty")}</span>}
      </div>
    );
  }
  const won = state.phase === "over" ? seat.won : null;
  const status = seat.status === "away" ? t("away") : seat.status === "out" ? t("out") : seat.status === "folded" ? t("folded") : seat.status === "waiting" ? t("waitsHand") : "";
  return (
    <div class={`seat ${seat.status}${acts ? " acts" : ""}${mine ? " mine" : ""}${won !== null && won > 0 ? " winner" : ""}`}>
      <div class="hole">
        {seat.cards ? byRank(seat.cards).map((card, i) => <Card key={i + card} card={card} size={mine ? "large" : "normal"} dim={seat.status === "folded"} />) : null}
      </div>
      <div class="plate">
        <span class="seat-name" title={seat.spec || seat.name}>{playerName(seat.name)}{seat.connected ? "" : " ⚠"}</span>
        <span class="seat-stack num">{seat.position === null ? null : <span class="seat-position">{positionName(seat.position, state.seats.filter((one) => one.position !== null).length)}</span>}{chips(seat.stack)}</span>
        {acts && turn.clock ? <ClockBar key={`${state.hand!.number}.${state.hand!.n}`} total={turn.clock[0]} left={turn.clock[1]} since={since} /> : null}
      </div>
      <span class="seat-tag" aria-live="off">
        {won !== null && won !== 0 ? <b class="num">{chips(won, signed)}{seat.made ? <Made made={seat.made} /> : null}</b> : seat.made ? say(seat.made) : seat.last ? lastWords(seat.last, seat.name === "You") : status}
      </span>
    </div>
  );
}

/** "pair, sixes", of which a phone shows the kind alone. */
function Made({ made }: { made: Reason }) {
  const kind = word(String(made.values?.kind));
  return <> · {kind}<span class="made-more">{say(made).slice(kind.length)}</span></>;
}

/** What a player did last, in the few words that fit under a seat: "raises to 10,000, all-in" is "All-in 10,000". */
function lastWords(last: Reason, you: boolean): string {
  const [action] = last.code === "with_all_in" ? (last.values?.action as Reason[]) : [];
  const total = action?.values?.to ?? action?.values?.chips;
  return action ? t("allIn", { n: chips(total as number) }) : say(last, you);
}

function ClockBar({ total, left, since }: { total: number; left: number; since: number }) {
  const start = Math.max(0, left - (performance.now() - since) / 1000);
  return (
    <span class="clock-bar" aria-hidden="true">
      <span ref={(bar) => {
        if (!bar) return;
        bar.animate([{ width: `${(100 * start) / total}%` }, { width: "0%" }], { duration: start * 1000, fill: "forwards" });
      }} />
    </span>
  );
}

/** Chips of a value in small blinds each: side and top. */
const CHIPS = [[500, "#4b3472", "#7c5cb4"], [100, "#15181b", "#454d54"], [20, "#1f5c3d", "#3f9468"], [5, "#8c2f2b", "#d9564b"], [1, "#a9a290", "#efe9d8"]] as const;

/** An amount as piles of chips, at most the three largest, in small blinds of `unit`. */
function Piles({ amount, unit }: { amount: number; unit: number }) {
  let rest = Math.max(1, Math.floor(amount / unit));
  const piles = CHIPS.map(([value, side, top]) => {
    const count = Math.floor(rest / value);
    rest -= count * value;
    return { count: Math.min(5, count), side, top };
  }).filter(({ count }) => count > 0);
  return <span class="piles" aria-hidden="true">{piles.slice(0, 3).map(({ count, side, top }) => (
    <svg key={top} viewBox="0 0 22 26" width="18" height="21">
      {Array.from({ length: count }, (_, i) => (
        <g key={i} transform={`translate(0 ${17 - 3.4 * i})`}>
          <ellipse cx="11" cy="5" rx="9.500" ry="3.800" fill={side} /><ellipse cx="11" cy="3.400" rx="9.500" ry="3.800" fill={top} />
          <ellipse cx="11" cy="3.400" rx="5.500" ry="2" fill="none" stroke="#fff" stroke-opacity=".55" stroke-dasharray="2.200 2.200" />
        </g>
      ))}
    </svg>
  ))}</span>;
}
