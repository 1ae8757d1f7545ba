import { useState } from "preact/hooks";
import { ask, useAsk } from "../api";
import type { AgentInfo, Info, LobbyTable, Made, NewTable } from "../messages";
import { go } from "../router";
import { named, number, playerName, t } from "../strings";
import { Cards } from "../ui/Card";
import { Choice, NumberField, Problem, Select, TextField, Tick } from "../ui/Controls";
import { OpponentField } from "./Opponent";
import "../styles/lobby.css";

/** The name at the table: the one used last. */
const ownName = () => localStorage.getItem("name") || t("you");

/** The start page: one click to a table, or a table of one's own. */
export function Lobby() {
  const tables = useAsk<LobbyTable[]>("/api/tables");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const open = async (table: NewTable) => {
    setBusy(true);
    setProblem(null);
    try {
      go(`/table/${(await ask<Made>("/api/tables", table)).id}`);
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <div class="page lobby">
      <section class="hero">
        <div class="hero-text">
          <h1>{t("tagline")}</h1>
          <p>{t("taglineMore")}</p>
          <div class="row">
            <button class="primary big" disabled={busy} onClick={() => void open({ name: ownName() })} autofocus>{t("quickPlay")}</button>
            <button class="big" disabled={busy} onClick={() => void open({ name: ownName(), seats: 2 })}>{t("quickHeads")}</button>
            <button class="big" disabled={busy} onClick={() => void open({ name: ownName(), tournament: true, stack: 3000 })}>{t("quickTournament")}</button>
          </div>
          <p class="small hero-note">{t("quickTitle")}: {t("quickAbout")}</p>
        </div>
        <div class="hero-cards" aria-hidden="true"><Cards cards={["As", "Kh", "Qd", "Jc", "Ts"]} size="large" /></div>
      </section>
      {problem ? <Problem text={problem} /> : null}
      <div class="columns two">
        <OwnTable open={open} busy={busy} />
        <section class="panel">
          <h2>{t("tables")}</h2>
          {tables.data?.length ? <TableList tables={tables.data} /> : <p class="muted">{t("noTables")}</p>}
        </section>
      </div>
    </div>
  );
}

function TableList({ tables }: { tables: LobbyTable[] }) {
  return (
    <ul class="table-list">
      {tables.map((table) => {
        const free = table.seats.some((name) => name === null);
        return (
          <li key={table.id}>
            <div>
              <b class="num">{number(table.blinds[0])}/{number(table.blinds[1])}</b> {t(table.game === "limit" ? "limit" : "noLimit")}
              <span class="muted small"> · {t("hand", { n: table.hand })}{table.spectators ? ` · ${t("spectators", { n: table.spectators })}` : ""}</span>
              <div class="small muted">{table.seats.map((name) => (name === null ? t("empty") : playerName(name))).join(", ")}</div>
            </div>
            <a class="button" href={`/table/${table.id}`}>{t(free ? "join" : "watch")}</a>
          </li>
        );
      })}
    </ul>
  );
}

const SPEEDS = ["slow", "normal", "fast", "instant"] as const;

function OwnTable({ open, busy }: { open: (table: NewTable) => Promise<void>; busy: boolean }) {
  const info = useAsk<Info>("/api/info");
  const [table, setTable] = useState({ seats: 6, small_blind: 50, big_blind: 100, stack: 10000, clock: 0, name: ownName(), advisor: "advisor" });
  const [game, setGame] = useState<"no-limit" | "limit">("no-limit");
  const [format, setFormat] = useState<"cash" | "tournament">("cash");
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>("normal");
  const [flags, setFlags] = useState({ panel: true, coach: true, reset: false, watch: false });
  const [chosen, setChosen] = useState<(string | null | undefined)[]>([]);
  const [refused, setRefused] = useState<string | null>(null);
  const set = (part: Partial<typeof table>) => setTable({ ...table, ...part });
  const suggestions = info.data?.opponents[game] ?? [];
  // Who has no name looks on, too.
  const watch = flags.watch || !table.name.trim();
  const others = watch ? table.seats : table.seats - 1;
  const opponents = Array.from({ length: others }, (_, i) => (chosen[i] === undefined ? (suggestions[i % Math.max(1, suggestions.length)] ?? "rules") : chosen[i]));
  const submit = (event: Event) => {
    event.preventDefault();
    if (table.small_blind > table.big_blind) return setRefused(t("blindsOrder"));
    if (table.stack < table.big_blind) return setRefused(t("stackShort"));
    setRefused(null);
    localStorage.setItem("name", table.name);
    void open({
      ...table, game, speed, opponents: opponents as (string | null)[], panel: flags.panel, coach: flags.coach, reset: flags.reset,
      tournament: format === "tournament", name: watch ? "" : table.name,
    });
  };
  const agents: AgentInfo[] = info.data?.agents ?? [];
  const known = (info.data?.seats ?? []).filter((one) => one.games.includes(game) && one.min_players <= table.seats && table.seats <= one.max_players);
  return (
    <section class="panel">
      <h2>{t("ownTable")}</h2>
      <form onSubmit={submit} class="stack">
        <div class="fields">
          <NumberField label={t("seats")} value={table.seats} min={2} max={10} set={(seats) => set({ seats: Math.min(10, Math.max(2, Math.round(seats))) })} />
          <NumberField label={t("smallBlind")} value={table.small_blind} min={1} set={(small_blind) => set({ small_blind })} />
          <NumberField label={t("bigBlind")} value={table.big_blind} min={1} set={(big_blind) => set({ big_blind })} />
          <NumberField label={t("stackSize")} value={table.stack} min={1} set={(stack) => set({ stack })} />
          <div>
            <TextField label={t("yourName")} value={table.name} set={(name) => set({ name })} />
            {table.name.trim() || flags.watch ? null : <p class="small muted" role="status">{t("noName")}</p>}
          </div>
          <Select label={t("clock")} value={String(table.clock)} set={(clock) => set({ clock: Number(clock) })}
            options={[["0", t("noClock")], ...[15, 30, 60].map((n) => [String(n), t("seconds", { n })] as const)]} />
          <Select label={t("advisor")} value={table.advisor} set={(advisor) => set({ advisor })} options={(info.data?.advisors ?? ["advisor"]).map((spec) => [spec, named("seat", spec)])} />
        </div>
        <div class="row">
          <Choice label={t("game")} value={game} set={setGame} options={[["no-limit", t("noLimit")], ["limit", t("limit")]]} />
          <Choice label={t("format")} value={format} set={setFormat} options={[["cash", t("cashGame")], ["tournament", t("tournament")]]} />
          <Choice label={t("speed")} value={speed} set={setSpeed} options={SPEEDS.map((one) => [one, t(one)])} />
        </div>
        <div class="row ticks">
          <Tick label={t("panel")} on={flags.panel} set={(panel) => setFlags({ ...flags, panel })} />
          <Tick label={t("coach")} on={flags.coach} set={(coach) => setFlags({ ...flags, coach })} />
          <Tick label={t("resetStacks")} on={flags.reset} set={(reset) => setFlags({ ...flags, reset })} />
          <Tick label={t("lookOn")} on={flags.watch} set={(watch) => setFlags({ ...flags, watch })} />
        </div>
        <fieldset class="opponents">
          <legend>{t("opponentsTitle")}</legend>
          {opponents.map((spec, i) => (
            <OpponentField key={i} label={t("seatN", { n: i + (watch ? 1 : 2) })} spec={spec ?? null} agents={agents} known={known} seats={table.seats}
              set={(next) => setChosen(Object.assign([...chosen], { [i]: next }))} />
          ))}
        </fieldset>
        {refused ? <Problem text={refused} /> : null}
        <button class="primary" disabled={busy}>{t("makeTable")}</button>
      </form>
    </section>
  );
}
