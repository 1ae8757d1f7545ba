import { useState } from "preact/hooks";
import type { SolveLock } from "../messages";
import { t } from "../strings";

/** Nodes whose strategy is fixed: a path ("check/bet 75%") and the share of each action. */
export function Locks({ locks, set }: { locks: SolveLock[]; set: (locks: SolveLock[]) => void }) {
  const change = (index: number, part: Partial<SolveLock>) => set(locks.map((lock, i) => (i === index ? { ...lock, ...part } : lock)));
  return (
    <details class="locks" open={locks.length > 0}>
      <summary>{t("locks")}{locks.length ? ` (${locks.length})` : ""}</summary>
      <p class="small muted">{t("locksAbout")}</p>
      {locks.map((lock, i) => (
        <div key={i} class="row end lock">
          <label class="field grow"><span>{t("path")}</span><input type="text" value={lock.path} onChange={(event) => change(i, { path: event.currentTarget.value })} /></label>
          <Shares value={lock.strategy} set={(strategy) => change(i, { strategy })} />
          <button type="button" onClick={() => set(locks.filter((_, k) => k !== i))} aria-label={t("remove")}>✕</button>
        </div>
      ))}
      <button type="button" class="tiny" onClick={() => set([...locks, { path: "", strategy: { check: 1 } }])}>{t("addLock")}</button>
    </details>
  );
}

function Shares({ value, set }: { value: Record<string, number>; set: (strategy: Record<string, number>) => void }) {
  /** What was typed and is not understood. */
  const [typed, setTyped] = useState<string | null>(null);
  const change = (text: string) => {
    const strategy = parseShares(text);
    setTyped(strategy ? null : text);
    if (strategy) set(strategy);
  };
  return (
    <label class="field grow">
      <span>{t("shares")}</span>
      <input type="text" value={typed ?? sharesText(value)} aria-invalid={typed !== null} onChange={(event) => change(event.currentTarget.value)} />
      {typed !== null ? <span class="small armed" role="alert">{t("badShares")}</span> : null}
    </label>
  );
}

function sharesText(strategy: Record<string, number>): string {
  return Object.entries(strategy).map(([action, share]) => `${action} = ${share}`).join(", ");
}

/** "check = 0.3, bet 100 = 70 %" as numbers; null where a part is none, or nothing is more than 0. */
function parseShares(text: string): Record<string, number> | null {
  const shares: Record<string, number> = {};
  for (const part of text.split(",").filter((one) => one.trim())) {
    const [, action, share, percent] = part.match(/^\s*(.*?)\s*=\s*(\d*\.?\d+)\s*(%?)\s*$/) ?? [];
    if (!action) return null;
    shares[action] = Number(share) / (percent ? 100 : 1);
  }
  return Object.values(shares).some((one) => one > 0) ? shares : null;
}
