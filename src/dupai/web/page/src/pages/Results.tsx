import { useEffect, useRef } from "preact/hooks";
import { useAsk, query } from "../api";
import type { Cross, ReportLine, RunLine, RunResult } from "../messages";
import { go } from "../router";
import { localTime, named, number, percent, signed, t } from "../strings";
import { Chart } from "../ui/Chart";
import { Problem } from "../ui/Controls";
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
                  <span><b>{named("run", run.kind)}</b> <span class="small">{run.title}</span><br /><span class="muted small num">{localTime(run.started)}{run.finished ? "" : ` · ${t("running")}`}</span></span>
                </a></li>
              ))}
            </ul>
          </nav>
          {id ? <Run key={id} id={id} ended={runs.reload} /> : null}
        </div>
      ) : null}
    </div>
  );
}

function Run({ id, ended }: { id: string; ended: () => void }) {
  const asked = useAsk<RunResult>(query("/api/result", { id }));
  const result = asked.data;
  const live = result !== null && !result.run.finished;
  const was = useRef(false);
  useEffect(() => {
    if (was.current && !live) ended();
    was.current = live;
    if (!live) return;
    const timer = setInterval(asked.reload, 3000);
    return () => clearInterval(timer);
  }, [live]);
  if (asked.error) return <Problem text={asked.error} retry={asked.reload} />;
  if (!result) return <p class="panel muted">{t("loading")}</p>;
  return (
    <div class="stack">
      <section class="panel">
        <h2>{result.run.title || named("run", result.run.kind)}</h2>
        <p class="break">{result.headline}</p>
        {result.partial ? <p class="notice warn">{t("running")}</p> : null}
      </section>
      {result.curves.length ? <section class="panel"><h2>{t("chipCurves")}</h2><Chart label={t("chipCurves")} lines={result.curves.map((curve) => ({ name: curve.name, points: curve.points }))} height={280} value={(one) => number(one)} xValue={(one) => number(one)} /></section> : null}
      {result.places.length ? <section class="panel"><h2>{t("places")}</h2><Places places={result.places} names={result.names} /></section> : null}
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
        <thead><tr><td />{cross.names.map((name) => <th key={name} class="num">{name}</th>)}</tr></thead>
        <tbody>
          {cross.names.map((name, i) => (
            <tr key={name}><th scope="row">{name}</th>
              {cross.cells[i].map((cell, k) => <td key={k} class="num" style={cell === null ? {} : { background: `color-mix(in oklab, var(--surface), ${cell > 0 ? "var(--check)" : "var(--bet-3)"} ${Math.round(62 * Math.sqrt(Math.abs(cell) / top))}%)` }}>{cell === null ? "" : signed(cell, Math.abs(cell) < 10 ? 1 : 0)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
