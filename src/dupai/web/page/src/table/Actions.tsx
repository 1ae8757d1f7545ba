import { useLayoutEffect, useState } from "preact/hooks";
import type { Request, State } from "../messages";
import { amountUnit, chips, playerName, say, t, word } from "../strings";

interface Props {
  state: State;
  send: (request: Request) => void;
}

/** Whether a key goes to a field rather than to the table. */
export function typing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return true;
  return target.matches("textarea, select, input:not([type=range]):not([type=checkbox])");
}

/** What I can do: fold, check or call, and a bet by slider, buttons or keys. */
export function Actions({ state, send }: Props) {
  const hand = state.hand;
  const turn = hand?.turn && hand.turn.seat === state.me ? hand.turn : null;
  const [to, setTo] = useState(0);
  const [armed, setArmed] = useState(false);
  const canRaise = turn !== null && turn.max > 0;
  // before the picture: the amount of the decision before must not stand at this one
  useLayoutEffect(() => {
    if (!turn) return;
    setArmed(false);
    setTo(turn.sizes.find((size) => size.name === "1/2")?.to ?? turn.min);
  }, [hand?.number, hand?.n, state.me]);
  const seat = state.me === null ? null : state.seats[state.me];
  const clamp = (value: number) => (turn ? Math.min(turn.max, Math.max(turn.min, Math.round(value))) : 0);
  const act = (action: string) => hand && turn && send({ do: "act", hand: hand.number, n: hand.n, action });
  const raise = (size = to) => canRaise && act(`r${clamp(size)}`);
  const isAllIn = (size: number) => seat !== null && size === seat.stack + seat.bet;
  const big = state.settings.blinds[1];
  const unit = amountUnit();
  const half = hand && turn ? halfPot(state) : 0;
  const end = state.phase === "over" ? whyNoHand(state) : null;
  // at once, not after the next frame: a key may follow the picture closely
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (typing(event)) return;
      const name = event.key.toLowerCase();
      // Only - + and the arrows may be held: a second A is meant to be pressed.
      if (event.repeat && /^[a-z]$/.test(name)) return;
      if (name === "n" && state.phase === "over" && end === null) return send({ do: "next" });
      if (!turn) return;
      if (name !== "a") setArmed(false);
      if (name === "f" && turn.fold) act("f");
      else if (name === "c") act("c");
      else if (name === "r") raise();
      else if (name === "h") raise(half);
      else if (name === "p") raise(fullPot(state));
      else if (name === "a" && canRaise) {
        if (armed) act(`r${turn.max}`);
        else {
          setTo(turn.max);
          // In limit games the largest raise is a bet like others.
          setArmed(isAllIn(turn.max));
        }
      } else if ((name === "-" || name === "arrowdown") && canRaise) setTo(clamp(to - big));
      else if ((name === "+" || name === "=" || name === "arrowup") && canRaise) setTo(clamp(to + big));
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  if (!hand) {
    const taken = state.seats.filter((one) => one.kind !== "empty").length;
    return (
      <div class="actions idle">
        <p>{t("waitingPlayers")}</p>
        {state.host && taken >= 2 && taken < state.seats.length ? <button onClick={() => send({ do: "next" })}>{t("dealNow")}</button> : null}
      </div>
    );
  }
  if (!turn) {
    const actor = hand.turn ? state.seats[hand.turn.seat].name : null;
    return (
      <div class="actions idle">
        <p aria-live="polite">{state.phase === "runout" ? t("runout") : state.phase === "over" ? resultWords(state) : actor ? t("waitFor", { name: playerName(actor) }) : state.note || t("waitingPlayers")}</p>
        {state.settings.tournament && seat?.status === "out" && end === null ? <p>{t("youAreOut")}</p> : null}
        {end !== null ? <p>{end}</p> : state.phase === "over" ? <button class="primary" onClick={() => send({ do: "next" })}>{t("nextHand")} <kbd>N</kbd></button> : null}
      </div>
    );
  }
  const bets = state.seats.some((one) => one.bet > 0);
  const raiseText = isAllIn(to) ? t("allIn", { n: chips(to) }) : t(bets ? "raiseTo" : "betTo", { n: chips(to) });
  return (
    <div class="actions" role="group" aria-label={t("yourTurn")}>
      <p class="hidden-label" aria-live="assertive">{t("yourTurn")}</p>
      {canRaise ? (
        <div class="sizing">
          <div class="size-buttons">
            {turn.sizes.map((size) => <button key={size.name} class="tiny" aria-pressed={size.to === to} onClick={() => setTo(size.to)}>{word(`${size.name} size`, size.name)}</button>)}
          </div>
          <input type="range" aria-label={t("amount")} min={turn.min} max={turn.max} step={1} value={to}
            onInput={(event) => setTo(clamp(event.currentTarget.valueAsNumber))} disabled={turn.min === turn.max} />
          <input type="number" class="num" aria-label={t("amount")} min={turn.min / unit} max={turn.max / unit} step="any" value={to / unit}
            onChange={(event) => setTo(clamp(event.currentTarget.valueAsNumber * unit || turn.min))}
            onKeyDown={(event) => event.key === "Enter" && (event.preventDefault(), raise(clamp(event.currentTarget.valueAsNumber * unit || turn.min)))} />
        </div>
      ) : null}
      <div class="main-actions">
        {turn.fold ? <button class="do-fold" onClick={() => act("f")}>{t("fold")} <kbd>F</kbd></button> : null}
        <button class="do-call" onClick={() => act("c")}>{turn.call > 0 ? t("call", { n: chips(turn.call) }) : t("check")} <kbd>C</kbd></button>
        {canRaise ? <button class="do-raise num" onClick={() => raise()}>{raiseText} <kbd>R</kbd></button> : null}
      </div>
      {armed ? <p class="small armed" role="status">{t("confirmAllin")}</p> : null}
    </div>
  );
}

function resultWords(state: State): string {
  const wins = (state.hand?.log ?? []).filter((line) => line.kind === "win");
  const made = (name: string) => state.seats.find((seat) => seat.name === name)?.made;
  return wins.map(({ name, about }) => `${playerName(name)} ${say(about!, name === "You")}${made(name) ? ` (${say(made(name)!)})` : ""}`).join(" · ") || t("nextHand");
}

/** Why no other hand is dealt as things are, or null: two must have chips and be there, a person among them. */
function whyNoHand(state: State): string | null {
  const { tournament } = state.settings;
  const me = state.seats[state.me ?? 0];
  const left = state.seats.filter((seat) => seat.kind !== "empty" && seat.status !== "out");
  const ready = left.filter((seat) => seat.status !== "away");
  if (tournament && left.length < 2) return left[0]?.seat === me.seat ? t("tournamentWon") : t("tournamentOver", { name: playerName(left[0]?.name ?? "") });
  if (!ready.some((seat) => seat.kind === "person")) {
    if (me.status === "away") return t("youAreAway", { button: t("sitIn") });
    if (!tournament) return t("youAreBroke", { button: t("rebuy") });
    // Agents play on where every person is out.
    if (left.some((seat) => seat.kind === "person")) return t("tooFew");
  }
  return ready.length < 2 ? t("tooFew") : null;
}

/** The total of a raise by a share of the pot after calling. */
function potRaise(state: State, share: number): number {
  const turn = state.hand!.turn!;
  const mine = state.seats[turn.seat].bet;
  return mine + turn.call + share * (state.hand!.pot + turn.call);
}

const halfPot = (state: State) => potRaise(state, 0.5);
const fullPot = (state: State) => potRaise(state, 1);
