import { useEffect, useState } from "preact/hooks";
import { ask, useAsk, query } from "../api";
import type { Cross, Info, NewRun, ReportLine, RunLine, RunResult } from "../messages";
import { go } from "../router";
import { localTime, named, number, percent, signed, t, useLanguage } from "../strings";
import { Chart } from "../ui/Chart";
import { Choice, NumberField, Problem, Select } from "../ui/Controls";
import type { PageProps } from "../router";
import { ResultTable } from "../ui/Table";
import "../styles/results.css";

/** Matches, ladders, tournaments and experiments from the results files of the command line. */
export function Results({ search }: PageProps) {
  const runs = useAsk<RunLine[]>("/api/results");
  const reports = useAsk<ReportLine[]>("/api/reports");
  const id = search.get("id") ?? runs.data?.[0]?.id ?? null;
  return (
    <div class="page">
      <h1>{t("resultTitle")}</h1>
      <RunForm begun={(run) => (runs.reload(), go(query("/results", { id: run.id })))} />
      {runs.error ? <Problem text={runs.error} retry={runs.reload} /> : null}
      {reports.data?.length ? (
        <section class="panel reports">
          <h2>{t("reports")}</h2>
          <ul class="name-list">
            {reports.data.map((one) => <li key={one.id}><a href={query("/api/report", { id: one.id })} target="_blank" rel="noopener"><span><b>{one.title}</b> <span class="small">{one.folder}</span><br /><span class="muted small num">{localTime(`${one.written.replace(" ", "T")}Z`)}</span></span></a></li>)}
          </ul>
        </section>
      ) : null}
      {runs.data && !runs.data.length && reports.data && !reports.data.length ? <p class="panel muted">{t("noResults")}</p> : null}
      {runs.data?.length ? (
        <div class="side-columns">
          <nav class="panel" aria-label={t("resultTitle")}>
            <ul class="name-list">
              {runs.data.map((run) => (
                <li key={run.id}><a href={query("/results", { id: run.id })} aria-current={run.id === id ? "true" : undefined}
                  onClick={(event) => (event.preventDefault(), go(query("/results", { id: run.id })))}>
                  <span><b>{named("run", run.kind)}</b> <span class="small" title={run.title}>{titleWords(run.title)}</span><br /><span class="muted small num">{localTime(run.started)}{run.finished ? "" : ` · ${t("running")}`}</span></span>
                </a></li>
              ))}
            </ul>
          </nav>
          {id ? <Run key={id} id={id} listed={runs.data.some((run) => run.id === id && run.finished)} ended={runs.reload} /> : null}
        </div>
      ) : null}
    </div>
  );
}

/** The title of a run with the names of those who have one. */
const titleWords = (title: string): string => title.split(" v ").map((spec) => named("seat", spec)).join(" v ");

/** What came out, with the names of those who have one; their specs are tooltips. It is a sentence in English: in
 * Chinese the tables say it. */
function Headline({ result }: { result: RunResult }) {
  if (useLanguage() === "zh") return <span title={result.headline}>{t("handsPlayed", { n: number(result.hands) })}</span>;
  const specs = new Set([...result.names, ...result.run.title.split(" v ")].filter((spec) => named("seat", spec) !== spec));
  const anyOf = [...specs].sort((a, b) => b.length - a.length).map((spec) => spec.replace(/[^\w]/g, "\\$&")).join("|");
  if (!anyOf) return <>{result.headline}</>;
  return <>{result.headline.split(new RegExp(`(?<![\\w:])(${anyOf})(?![\\w:=])`)).map((part) => (specs.has(part) ? <span title={part}>{named("seat", part)}</span> : part))}</>;
}

/** Starts a match at one table, or a ladder of all pairs. */
function RunForm({ begun }: { begun: (run: RunLine) => void }) {
  const info = useAsk<Info>("/api/info");
  const [form, setForm] = useState({ kind: "match" as NewRun["kind"], agents: ["persona:pros", "rules"], hands: 1000, seed: 1 });
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { agents } = form;
  const known = (info.data?.seats ?? []).filter((one) => one.games.includes("no-limit") && one.min_players <= 2).map((one) => [one.spec, named("seat", one.spec)] as const);
  const work = async (job: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    await job().catch((error: Error) => setProblem(error.message));
    setBusy(false);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void work(async () => begun(await ask<RunLine>("/api/runs", form satisfies NewRun)));
  };
  return (
    <details class="panel run-form">
      <summary>{t("startRun")}</summary>
      <form class="stack" onSubmit={submit}>
        <Choice label={t("kind")} value={form.kind} set={(kind) => setForm({ ...form, kind })} options={[["match", t("oneTable")], ["ladder", t("allPairs")]]} />
        <div class="fields">
          {agents.map((spec, i) => <Select key={i} label={t("player", { n: i + 1 })} value={spec} set={(next) => setForm({ ...form, agents: agents.map((one, k) => (k === i ? next : one)) })} options={known} />)}
          <NumberField label={t("hands")} value={form.hands} min={1} max={100000} set={(hands) => setForm({ ...form, hands })} />
          <NumberField label={t("seed")} value={form.seed} set={(seed) => setForm({ ...form, seed })} />
        </div>
        <div class="row">
          <button class="primary" disabled={busy}>{t(busy ? "loading" : "startRun")}</button>
          <button type="button" disabled={agents.length > 9} onClick={() => setForm({ ...form, agents: [...agents, "caller"] })}>{t("addPlayer")}</button>
          <button type="button" disabled={agents.length < 3} onClick={() => setForm({ ...form, agents: agents.slice(0, -1) })}>{t("remove")}</button>
          <button type="button" onClick={() => void work(() => ask("/api/runs", undefined, "DELETE"))}>{t("stop")}</button>
        </div>
        {problem ? <Problem text={problem} /> : null}
      </form>
    </details>
  );
}

/** One run; ``ended`` is called where it is over and the list, which was read before, does not say so (``listed``). */
function Run({ id, listed, ended }: { id: string; listed: boolean; ended: () => void }) {
  const asked = useAsk<RunResult>(query("/api/result", { id }));
  const result = asked.data;
  const over = result !== null && result.run.finished;
  const live = result !== null && !over;
  useEffect(() => {
    if (over && !listed) ended();
  }, [over, listed]);
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(asked.reload, 3000);
    return () => clearInterval(timer);
  }, [live]);
  if (asked.error) return <Problem text={asked.error} retry={asked.reload} />;
  if (!result) return <p class="panel muted">{t("loading")}</p>;
  return (
    <div class="stack">
      <section class="panel">
        <h2 title={result.run.title}>{titleWords(result.run.title) || named("run", result.run.kind)}</h2>
        {result.partial ? <p class="notice warn">{t("running")}</p> : <p class="break"><Headline result={result} /></p>}
      </section>
      {result.curves.length ? <section class="panel"><h2>{t("chipCurves")}</h2><Chart label={t("chipCurves")} lines={result.curves.map((curve) => ({ name: named("seat", curve.name), points: curve.points }))} height={280} value={(one) => number(one)} xValue={(one) => number(one)} /></section> : null}
      {result.places.length ? <section class="panel"><h2>{t("places")}</h2><Places places={result.places} names={result.names.map((name) => named("seat", name))} /></section> : null}
      {result.cross ? <section class="panel"><h2>{t("cross")} <span class="small muted">({result.cross.unit})</span></h2><CrossTable cross={result.cross} /></section> : null}
      {result.tables.map((table, i) => <section key={i} class="panel"><ResultTable table={table} /></section>)}
    </div>
  );
}

/** In which places each player finished: one bar each, first place at the left. */
function Places({ places, names }: { places: RunResult["places"]; names: readonly string[] }) {
  return (
    <div class="places">
      {places.map((shares, i) => (
        <div key={names[i]} class="place-row">
          <span class="place-name">{names[i]}</span>
          <div class="mix" role="img" aria-label={`${names[i]}: ${shares.map((share, k) => `${t("place", { n: k + 1 })} ${percent(share)}`).join(", ")}`}>
            {shares.map((share, k) => share > 0 ? <span key={k} style={{ width: `${100 * share}%`, background: `color-mix(in oklab, var(--heat-0), var(--accent) ${k ? Math.round(48 - (38 * (k - 1)) / Math.max(1, shares.length - 2)) : 100}%)`, color: k ? "var(--ink)" : "var(--on-accent)" }}>{share > 0.06 ? percent(share) : ""}</span> : null)}
          </div>
        </div>
      ))}
      <p class="small muted">{t("place", { n: 1 })} → {t("place", { n: places[0]?.length ?? 1 })}</p>
    </div>
  );
}

function CrossTable({ cross }: { cross: Cross }) {
  const top = Math.max(1e-9, ...cross.cells.flat().map((cell) => Math.abs(cell ?? 0)));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t("cross")}>
      <table class="cross">
        <thead><tr><td />{cross.names.map((name) => <th key={name} class="num">{named("seat", name)}</th>)}</tr></thead>
        <tbody>
          {cross.names.map((name, i) => (
            <tr key={name}><th scope="row">{named("seat", name)}</th>
              {cross.cells[i].map((cell, k) => <td key={k} class="num" style={cell === null ? {} : { background: `color-mix(in oklab, var(--surface), ${cell > 0 ? "var(--check)" : "var(--bet-3)"} ${Math.round(62 * Math.sqrt(Math.abs(cell) / top))}%)` }}>{cell === null ? "" : signed(cell, Math.abs(cell) < 10 ? 1 : 0)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
