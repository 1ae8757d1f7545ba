import type { AdvisedAction } from "../messages";
import { token } from "../theme";

/** The place of a probability between the four colours: 0 (nothing) to 3 (the most likely square). The power makes small
 *  ones visible, and leaves a hand that nothing is known about pale. */
const placeOf = (value: number): number => 3 * Math.min(1, Math.max(0, value)) ** 0.75;

/** The one scale of probabilities. */
export function heat(value: number): string {
  const x = placeOf(value);
  const step = Math.min(2, Math.floor(x));
  return `color-mix(in oklab, var(--heat-${step + 1}) ${(100 * (x - step)).toFixed(1)}%, var(--heat-${step}))`;
}

/** The value at the scale's end, at least. A hand that nothing is known about is pale: the scale ends at six times the
 *  mean of all hands or at the likeliest square, whichever is more. */
export const LEAST_TOP = 6 / 1326;

/** The class of text on a colour of the scale, so that it stands out from it: black or white in the light theme turns at
 *  another place than in the dark one. */
export function heatTone(value: number): string {
  return value > 0.77 ? "on-mid on-deep" : value > 0.36 ? "on-mid" : "";
}

/** The same on the colour of an action. */
export function actionTone(color: string): string {
  return color === "bet3" || color === "all-in" ? "on-deep" : "on-mid";
}

/** The same scale as numbers, for canvases. */
export function heatScale(): (value: number) => [number, number, number] {
  const stops = [0, 1, 2, 3].map((n) => {
    const hex = parseInt(token(`--heat-${n}`).slice(1), 16);
    return [hex >> 16, (hex >> 8) & 255, hex & 255];
  });
  return (value) => {
    const x = placeOf(value);
    const step = Math.min(2, Math.floor(x));
    return [0, 1, 2].map((i) => Math.round(stops[step][i] + (x - step) * (stops[step + 1][i] - stops[step][i]))) as [number, number, number];
  };
}

/** The colour of an action: folds blue, checks and calls green, bets and raises from light to dark red by size. */
export function actionColors(actions: readonly { kind: AdvisedAction["kind"] | "card" }[]): string[] {
  const kinds = actions.map(({ kind }) => (kind === "raise" ? "bet" : kind));
  const bets = kinds.filter((kind) => kind === "bet").length;
  let nth = 0;
  return kinds.map((kind) => {
    if (kind !== "bet") return kind;
    nth += 1;
    return `bet${bets === 1 ? 2 : Math.min(3, 1 + Math.floor(((nth - 1) * 3) / bets))}`;
  });
}

export function actionFill(color: string): string {
  const names: Record<string, string> = { fold: "--fold", check: "--check", call: "--check", bet1: "--bet-1", bet2: "--bet-2", bet3: "--bet-3", "all-in": "--bet-4" };
  return `var(${names[color]})`;
}
