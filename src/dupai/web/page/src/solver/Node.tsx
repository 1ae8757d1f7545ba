import { useEffect, useRef, useState } from "preact/hooks";
import { query, useAsk } from "../api";
import { COMBO_CARDS, CARDS, COMBOS_OF, SQUARE_TEXT } from "../cards";
import type { Runouts, RunTable, SolveAction, SolveLock, SolveNode } from "../messages";
import { number, percent, say, t } from "../strings";
import { Card, Cards, Inline } from "../ui/Card";
import { Choice, Problem } from "../ui/Controls";
import { Grid13, type Part } from "../ui/Grid";
import { actionColors, actionFill, actionTone, heat, heatTone } from "../ui/heat";
import { ResultTable } from "../ui/Table";
import { RunoutGrid } from "./Runouts";

type View = "strategy" | "ev" | "equity";

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((one) => one !== null);
  return known.length ? known.reduce((sum, one) => sum + one, 0) / known.length : null;
}

/** A solved tree, node by node: the strategy grid by action colours, EV and equity of each hand; on request beside the
 *  strategy of the solution `before`. */
export function NodeView({ id, before, lock, solveFrom }: { id: string; before: string | null; lock: (lock: SolveLock) => void; solveFrom: (path: string) => void }) {
  const [path, setPath] = useState("");
  const [at, setAt] = useState<number | null>(null);
  const [view, setView] = useState<View>("strategy");
  const [runouts, setRunouts] = useState(false);
  const [beside, setBeside] = useState(false);
  const other = useAsk<SolveNode>(beside && before ? query(`/api/solve/${before}/node`, { path }) : null);
  const asked = useAsk<SolveNode>(query(`/api/solve/${id}/node`, { path }));
  const node = asked.data;
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "start" }), [node === null]);
  const cards = node !== null && node.kind === "card";
  const table = useAsk<Runouts>(runouts && cards ? query(`/api/solve/${id}/runouts`, { path: node.path }) : null);
  if (asked.error) return <Problem text={asked.error} retry={() => (setPath(""), asked.reload())} />;
  if (!node) return <p class="muted">{t("loading")}</p>;
  // Of the node that is shown, which is the one before until the next has come.
  const acting = node.player !== null && !cards && node.strategy.length > 0;
  const colors = actionColors(node.actions);
  // Where nobody gets there are no frequencies, but hands still have a strategy.
  const share = (i: number) => node.actions[i].p ?? mean(node.strategy[i]) ?? 1 / node.actions.length;
  const lockHere = () => lock({ path: node.path, strategy: Object.fromEntries(node.actions.map((one, i) => [one.text, Number(share(i).toFixed(3))])) });
  return (
    <section class="panel node" ref={place}>
      <div class="row between">
        <nav class="crumbs" aria-label={t("path")}>
          <button class="tiny" onClick={() => setPath("")} aria-current={node.path === "" ? "true" : undefined}>{t("root")}</button>
          {node.trail.map((step) => <button key={step.path} class="tiny" onClick={() => setPath(step.path)}>{step.about ? say(step.about) : <Inline cards={[step.text]} />}</button>)}
        </nav>
        <div class="row"><span class="num small">{t("pot")} <b>{number(node.pot, node.pot % 1 ? 1 : 0)}</b></span><Cards cards={node.board} size="small" /></div>
      </div>
      {node.solved ? null : (
        <p class="row small muted" role="note">
          <span>{t("notSolved", { n: node.reached > 0 ? number(1 / node.reached) : "∞" })}</span>
          {acting ? <button class="tiny" onClick={() => solveFrom(node.path)}>{t("solveHere")}</button> : null}
        </p>
      )}
      {cards ? (
        <>
          <NextCard actions={node.actions} go={setPath} />
          <button class="tiny runouts-open" aria-pressed={runouts} onClick={() => setRunouts(!runouts)}>{t("runouts")}</button>
        </>
      ) : acting ? (
        <div class="node-columns">
          <div>
            <div class="row between">
              <h2>{t("strategyOf", { name: t(node.player === 0 ? "oop" : "ip") })}</h2>
              <Choice<View> label={t("strategy")} value={view} set={setView} options={[["strategy", t("strategy")], ["ev", t("evOf")], ["equity", t("equityOf")]]} />
            </div>
            <NodeGrid node={node} colors={colors} view={view} at={at} point={setAt} />
          </div>
          <div class="stack">
            {other.error ? <Problem text={other.error} /> : other.data?.strategy.length && other.data.player === node.player ? <Before node={other.data} view={view} at={at} point={setAt} /> : null}
            <ul class="node-actions">
              {node.actions.map((one, i) => (
                <li key={one.path}>
                  <button onClick={() => setPath(one.path)}>
                    <i class={`swatch act-${colors[i]}`} /><span class="grow">{actionText(one)}</span><b class="num">{one.p === null ? "" : percent(one.p, 1)}</b>
                  </button>
                </li>
              ))}
            </ul>
            <div class="row"><button class="tiny" onClick={lockHere}>{t("lockHere")}</button><span class="small muted">{t("lockAbout")}</span></div>
            {before ? <button class="tiny beside" aria-pressed={beside} onClick={() => setBeside(!beside)}>{t("beside")}</button> : null}
            <HandList node={node} colors={colors} at={at} />
          </div>
        </div>
      ) : <p class="muted">{t("terminal")}</p>}
      {runouts && cards && table.error ? <Problem text={table.error} /> : null}
      {runouts && cards && table.loading ? <p class="muted small" role="status">{t("loading")}</p> : null}
      {runouts && cards && table.data && !table.loading ? (
        <>
          <RunoutGrid runouts={table.data} actions={node.actions} go={setPath} />
          <details class="small"><summary>{t("asTable")}</summary><ResultTable table={runoutTable(table.data)} /></details>
        </>
      ) : null}
    </section>
  );
}

/** The strategy of another solution at the same node. */
function Before({ node, ...rest }: Omit<NodeGridProps, "colors">) {
  const colors = actionColors(node.actions);
  return (
    <section>
      <h2>{t("strategyBefore")}</h2>
      <NodeGrid node={node} colors={colors} {...rest} />
      <ul class="mix-key small num">{node.actions.map((one, i) => <li key={one.path}><i class={`swatch act-${colors[i]}`} />{actionText(one)} {one.p === null ? "" : percent(one.p, 1)}</li>)}</ul>
    </section>
  );
}

/** The runouts as a table. */
function runoutTable({ actions, cards }: Runouts): RunTable {
  const evs = (["oop", "ip"] as const).map((side) => `${t("evOf")}, ${t(side)}`);
  const figure = (value: number | null, words: (one: number) => string) => (value === null ? "" : words(value));
  const rows = cards.map((one) => [one.card, ...one.ev.map((ev) => figure(ev, (x) => number(x, 2))), ...one.shares.map((share) => figure(share, (x) => percent(x, 1)))]);
  return { title: "", head: [t("cardsNext"), ...evs, ...actions.map(actionText)], rows };
}

export const actionText = (action: SolveAction): string => (action.about ? say(action.about) : action.text);

function NextCard({ actions, go }: { actions: readonly SolveAction[]; go: (path: string) => void }) {
  return (
    <div class="next-place">
      <h2>{t("cardsNext")}</h2>
      <div class="next-cards">{actions.map((one) => <button key={one.path} class="card-button" onClick={() => go(one.path)}><Card card={one.text} size="small" /></button>)}</div>
    </div>
  );
}

interface NodeGridProps {
  node: SolveNode;
  colors: string[];
  view: View;
  at: number | null;
  point: (index: number) => void;
}

function NodeGrid({ node, colors, view, at, point }: NodeGridProps) {
  const player = node.player!;
  const reach = node.reach[player];
  const values = view === "ev" ? node.ev[player] : node.equity[player];
  const known = (values ?? []).filter((value): value is number => value !== null);
  const low = view === "equity" ? 0 : Math.min(0, ...known);
  const high = view === "equity" ? 1 : Math.max(1e-9, ...known);
  const squares = COMBOS_OF.map((combos) => {
    const weight = combos.reduce((sum, combo) => sum + reach[combo], 0);
    const mean = (of: readonly (number | null)[]) => (weight > 0 ? combos.reduce((sum, combo) => sum + reach[combo] * (of[combo] ?? 0), 0) / weight : 0);
    return { weight, held: weight / combos.length, shares: node.strategy.map(mean), value: weight > 0 && values ? mean(values) : null };
  });
  const top = Math.max(...squares.map((one) => one.held), 1e-12);
  const share = (value: number) => (value - low) / (high - low);
  const parts = (i: number): Part[] => {
    const one = squares[i];
    if (one.weight <= 0) return [];
    if (view === "strategy") return one.shares.map((part, k) => ({ fill: actionFill(colors[k]), share: part }));
    return [{ fill: one.value === null ? "transparent" : heat(share(one.value)), share: 1 }];
  };
  const tone = (i: number): string => {
    const one = squares[i];
    if (view !== "strategy") return one.value === null ? "" : heatTone(share(one.value));
    return one.held / top > 0.55 ? actionTone(colors[one.shares.indexOf(Math.max(...one.shares))]) : "";
  };
  const describe = (i: number) => {
    const one = squares[i];
    if (one.weight <= 0) return SQUARE_TEXT[i];
    return `${SQUARE_TEXT[i]} ${node.actions.map((action, k) => `${actionText(action)} ${percent(one.shares[k])}`).join(", ")}${one.value === null ? "" : `, ${number(one.value, 2)}`}`;
  };
  return (
    <Grid13 label={t("strategyOf", { name: t(player === 0 ? "oop" : "ip") })} parts={parts} at={at} onPoint={point} describe={describe}
      height={(i) => (view === "strategy" ? Math.min(1, squares[i].held / top) : 1)} tone={tone} />
  );
}

/** The combos of a square with their mix, EV and equity. */
function HandList({ node, colors, at }: { node: SolveNode; colors: string[]; at: number | null }) {
  const player = node.player!;
  if (at === null) return <p class="small muted">{t("chooseHand")}</p>;
  const combos = COMBOS_OF[at].filter((combo) => node.reach[player][combo] > 0);
  return (
    <div aria-live="polite">
      <h3>{SQUARE_TEXT[at]}</h3>
      <div class="scroll">
        <table class="hands-table">
          <thead><tr><th>{t("combosN", { n: combos.length })}</th><th>{t("strategy")}</th><th class="num">{t("evOf")}</th><th class="num">{t("equityOf")}</th></tr></thead>
          <tbody>
            {combos.map((combo) => (
              <tr key={combo}>
                <td><Inline cards={[CARDS[COMBO_CARDS[combo][1]], CARDS[COMBO_CARDS[combo][0]]]} /></td>
                <td><div class="mix" role="img" aria-label={node.actions.map((one, i) => `${actionText(one)} ${percent(node.strategy[i][combo] ?? 0)}`).join(", ")}>
                  {node.actions.map((one, i) => <span key={one.path} class={`act-${colors[i]}`} style={{ width: `${100 * (node.strategy[i][combo] ?? 0)}%` }}>{(node.strategy[i][combo] ?? 0) > 0.25 ? percent(node.strategy[i][combo] ?? 0) : ""}</span>)}
                </div></td>
                <td class="num">{node.ev[player][combo] === null ? "" : number(node.ev[player][combo]!, 1)}</td>
                <td class="num">{node.equity[player][combo] === null ? "" : percent(node.equity[player][combo]!, 1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
