import { useState } from "preact/hooks";
import type { Runouts, SolveAction } from "../messages";
import { number, percent, t } from "../strings";
import { Inline } from "../ui/Card";
import { actionText } from "./Node";
import { Choice } from "../ui/Controls";
import { actionColors, actionFill, heat, heatTone } from "../ui/heat";

type View = "strategy" | "oop" | "ip";
const RANKS = "AKQJT98765432";
const SUITS = "shdc";

/** What follows each next card, as a grid of cards: the mix of actions, or a player's EV from the lowest to the highest. */
export function RunoutGrid({ runouts, actions, go }: { runouts: Runouts; actions: readonly SolveAction[]; go: (path: string) => void }) {
  const [view, setView] = useState<View>("strategy");
  const rows = new Map(runouts.cards.map((one) => [one.card, one]));
  const names = runouts.actions.map(actionText);
  const colors = actionColors(runouts.actions);
  const player = view === "ip" ? 1 : 0;
  // Where nobody gets there is no figure.
  const values = runouts.cards.map((one) => one.ev[player]).filter((one) => one !== null);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const paths = new Map(actions.map((one) => [one.text, one.path]));
  return (
    <div class="runouts">
      <Choice<View> label={t("runouts")} value={view} set={setView} options={[["strategy", t("strategy")], ["oop", `${t("evOf")}, ${t("oop")}`], ["ip", `${t("evOf")}, ${t("ip")}`]]} />
      <div class="runout-grid">
        {[...SUITS].flatMap((suit) => [...RANKS].map((rank) => {
          const card = rank + suit;
          const row = rows.get(card);
          const path = paths.get(card);
          const value = row?.ev[player] ?? null;
          if (!row || path === undefined || value === null) return <span key={card} class="runout-cell" />;
          const share = high > low ? (value - low) / (high - low) : 0.5;
          const mix = row.shares.map((share) => share ?? 0);
          const words = view === "strategy" ? names.map((name, i) => `${name} ${percent(mix[i])}`).join(", ") : number(value, 1);
          return (
            <button key={card} class={`runout-cell${view === "strategy" ? "" : ` ev ${heatTone(share)}`}`} style={view === "strategy" ? undefined : { background: heat(share) }} title={words} aria-label={`${card}: ${words}`} onClick={() => go(path)}>
              <Inline cards={[card]} />
              {view === "strategy" ? (
                <span class="mix" aria-hidden="true">{mix.map((part, i) => <span key={i} style={{ width: `${100 * part}%`, background: actionFill(colors[i]) }} />)}</span>
              ) : <span class="num small runout-value">{number(value, 1)}</span>}
            </button>
          );
        }))}
      </div>
      {view === "strategy" ? <ul class="mix-key small">{names.map((name, i) => <li key={name}><i class={`swatch act-${colors[i]}`} />{name}</li>)}</ul>
        : values.length ? <div class="heat-key small" aria-hidden="true">{number(low, 1)} <i /> {number(high, 1)}</div> : null}
    </div>
  );
}
