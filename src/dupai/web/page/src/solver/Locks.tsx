import type { SolveLock } from "../messages";
import { t } from "../strings";

/** Nodes whose strategy is fixed: a path ("check/bet 75%") and the share of each action. */
export function Locks({ locks, set }: { locks: SolveLock[]; set: (locks: SolveLock[]) => void }) {
  const change = (index: number, part: Partial<SolveLock>) => set(locks.map((lock, i) => (i === index ? { ...lock, ...part } : lock)));
  return (
    <details class="locks" open={locks.length > 0}>
      <summary>{t("locks")}{locks.length ? ` (${locks.length})` : ""}</summary>
      {locks.map((lock, i) => (
        <div key={i} class="row end lock">
          <label class="field grow"><span>{t("path")}</span><input type="text" value={lock.path} onChange={(event) => change(i, { path: event.currentTarget.value })} /></label>
          <label class="field grow"><span>{t("shares")}</span>
            <input type="text" value={sharesText(lock.strategy)} onChange={(event) => change(i, { strategy: parseShares(event.currentTarget.value) })} /></label>
          <button type="button" onClick={() => set(locks.filter((_, k) => k !== i))} aria-label={t("remove")}>✕</button>
        </div>
      ))}
      <button type="button" class="tiny" onClick={() => set([...locks, { path: "", strategy: { check: 1 } }])}>{t("addLock")}</button>
    </details>
  );
}

function sharesText(strategy: Record<string, number>): string {
  return Object.entries(strategy).map(([action, share]) => `${action} = ${share}`).join(", ");
}

function parseShares(text: string): Record<string, number> {
  return Object.fromEntries(text.split(",").map((part) => part.split("=").map((word) => word.trim())).filter(([action, share]) => action && Number.isFinite(Number(share))).map(([action, share]) => [action, Number(share)]));
}
