import { useState } from "preact/hooks";
import { query, useAsk } from "../api";
import type { Player, PlayerLine, SourceInfo, Stat } from "../messages";
import { go } from "../router";
import { named, number, say, signed, t } from "../strings";
import { Chart } from "../ui/Chart";
import { Problem, Select, TextField } from "../ui/Controls";
import type { PageProps } from "../router";
import { Figure } from "../table/Panel";
import "../styles/results.css";
import "../styles/table.css";

/** Players of a source: statistics with n and interval, winnings with and without luck, leaks. */
export function Players({ search }: PageProps) {
  const sources = useAsk<SourceInfo[]>("/api/sources");
  const list = sources.data ?? [];
  const source = search.get("source") ?? list.find((one) => one.kind !== "upload")?.id ?? null;
  const name = search.get("name");
  const [filter, setFilter] = useState("");
  const players = useAsk<PlayerLine[]>(source ? query("/api/players", { source, from: 0, count: 5000 }) : null);
  const shown = (players.data ?? []).filter((one) => one.name.toLowerCase().includes(filter.toLowerCase()));
  const current = name ?? shown[0]?.name ?? null;
  return (
    <div class="page">
      <h1>{t("playerTitle")}</h1>
      {sources.error ? <Problem text={sources.error} retry={sources.reload} /> : null}
      <div class="side-columns">
        <section class="panel">
          <Select label={t("source")} value={source ?? ""} set={(next) => go(query("/players", { source: next }))} options={list.map((one) => [one.id, say(one.title)])} />
          <TextField label={t("search")} value={filter} set={setFilter} />
          {players.error ? <Problem text={players.error} /> : null}
          {players.data && !shown.length ? <p class="muted small">{t("noPlayers")}</p> : null}
          <ul class="name-list">
            {shown.slice(0, 200).map((one) => (
              <li key={one.name}><a href={query("/players", { source: source ?? "", name: one.name })} aria-current={one.name === current ? "true" : undefined}>{named("seat", one.name)}<span class="muted num small">{number(one.hands)}</span></a></li>
            ))}
          </ul>
        </section>
        {source && current ? <PlayerView key={`${source} ${current}`} source={source} name={current} /> : null}
      </div>
    </div>
  );
}

function PlayerView({ source, name }: { source: string; name: string }) {
  const asked = useAsk<Player>(query("/api/player", { source, name }));
  if (asked.error) return <Problem text={asked.error} retry={asked.reload} />;
  const player = asked.data;
  if (!player) return <p class="panel muted">{t("loading")}</p>;
  const fair = player.curve.filter((one) => one.fair !== null);
  const lines = [{ name: t("withLuck"), points: player.curve.map((one) => [one.hand, one.won] as const) }, ...(fair.length ? [{ name: t("luckOut"), points: fair.map((one) => [one.hand, one.fair!] as const), dashed: true }] : [])];
  return (
    <div class="stack">
      <section class="panel">
        <h2>{named("seat", player.name)}</h2>
        <div class="figures">
          <Figure name={t("hands")} value={number(player.hands)} />
          <Figure name={t("bb100")} value={signed(player.bb100.mean, 1)} note={player.bb100.n > 1 ? `± ${number(1.96 * player.bb100.se, 1)}` : ""} />
        </div>
      </section>
      {player.curve.length > 1 ? <section class="panel"><h2>{t("curve")} <span class="muted small">({t("bigBlinds")})</span></h2><Chart label={t("curve")} lines={lines} height={240} value={(one) => number(one)} xValue={(one) => number(one)} /></section> : null}
      <section class="panel"><h2>{t("leaks")}</h2>{player.leaks.length ? <ul class="leaks">{player.leaks.map((leak, i) => <li key={i}>{say(leak)}</li>)}</ul> : <p class="muted">{t("noLeaks")}</p>}</section>
      <section class="panel scroll">
        <table>
          <thead><tr><th>{t("statistic")}</th><th class="num">{t("value")}</th><th class="interval-head">{t("interval")}</th><th class="num">{t("opportunities")}</th></tr></thead>
          <tbody>{player.stats.filter((one) => one.n > 0 && one.name !== "bb/100").map((one) => <StatRow key={one.name} stat={one} />)}</tbody>
        </table>
      </section>
    </div>
  );
}

function StatRow({ stat }: { stat: Stat }) {
  const show = (value: number) => (stat.percent ? `${number(100 * value, 1)} %` : number(value, 2));
  const { mean, low, high } = stat;
  const title = named("statistic", stat.name, stat.title);
  return (
    <tr>
      <td><b>{title}</b>{title.toLowerCase() !== stat.name ? <span class="muted small stat-title"> {stat.name}</span> : null}</td>
      <td class="num">{mean === null ? "–" : show(mean)}</td>
      <td>{low !== null && high !== null ? (
        <div class="interval">
          {stat.percent && high <= 1 ? <span class="interval-track" aria-hidden="true"><span class="interval-fill" style={{ left: `${100 * low}%`, width: `${100 * (high - low)}%` }} /><span class="interval-mean" style={{ left: `${100 * (mean ?? 0)}%` }} /></span> : null}
          <span class="num small muted">{show(low)} – {show(high)}</span>
        </div>
      ) : null}</td>
      <td class="num muted">{number(stat.n)}</td>
    </tr>
  );
}
