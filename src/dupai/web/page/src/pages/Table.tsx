import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask, useAsk } from "../api";
import type { Info, Made, State } from "../messages";
import { go } from "../router";
import { number, playerName, positionName, showAmounts, t } from "../strings";
import { Actions, typing } from "../table/Actions";
import { Fair } from "../table/Fair";
import { Felt } from "../table/Felt";
import { Log } from "../table/Log";
import { CoachPanel, MirrorPanel, ReadingPanel, RevealPanel } from "../table/Panel";
import { useTable } from "../table/socket";
import { AmountsButton, CopyButton, Dialog, Field, Problem, Select, Tabs } from "../ui/Controls";
import type { PageProps } from "../router";
import "../styles/table.css";

type Tab = "log" | "reading" | "mirror" | "after" | "coach";
const SPEEDS = ["slow", "normal", "fast", "instant"] as const;

export function Table({ parts }: PageProps) {
  const id = parts[0] ?? "";
  const { data, send, online, reopen } = useTable(id);
  const [tab, setTab] = useState<Tab>("reading");
  const [dialog, setDialog] = useState<"keys" | "fair" | null>(null);
  const [sitting, setSitting] = useState<number | null>(null);
  const info = useAsk<Info>("/api/info");
  const { state } = data;
  // Keys of everybody, whether they play or look on.
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (!state || event.repeat || typing(event)) return;
      if (event.key === "?") setDialog("keys");
      else if (event.key.toLowerCase() === "m" && state.host) send({ do: "panel", on: !state.panel });
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  if (!state || data.gone) return <div class="page wait"><p role="status">{t(data.gone ? "noTable" : online ? "loading" : "reconnecting")}</p><p><a href="/">{t("home")}</a></p></div>;
  showAmounts(state.settings.blinds[1]);
  const names = (seat: number) => state.seats[seat] ? playerName(state.seats[seat].name) : t("seatN", { n: seat + 1 });
  const spectator = state.me === null;
  const shown: Tab = spectator || !state.panel ? (tab === "coach" && !spectator ? "coach" : "log") : tab;
  const tabs: [Tab, string][] = [
    ...(state.panel && !spectator ? ([["reading", t("reading")], ["mirror", t("mirror")], ["after", t("after")]] as [Tab, string][]) : []),
    ...(spectator ? [] : ([["coach", t("coachTab")]] as [Tab, string][])),
    ["log", t("log")],
  ];
  // Readings of the decision before are still there when a new one begins: they must not pass for its advice.
  const stale = state.hand?.turn?.seat === state.me && data.readings?.n !== state.hand?.n;
  const deal = state.hand ? { hand: state.hand.number, deal: state.hand.deal } : null;
  return (
    <div class="table-page">
      <section class="table-main" aria-label={t("table")}>
        <h1 class="hidden-label">{t("table")}</h1>
        <TopLine state={state} openFair={() => setDialog("fair")} openKeys={() => setDialog("keys")} />
        {!online ? <p class="notice warn" role="status">{t("serverAway")}</p> : null}
        {data.problem ? <Problem text={data.problem} /> : null}
        {state.note ? <p class="notice small">{state.note}</p> : null}
        <Felt state={state} sit={setSitting} since={data.since} />
        <fieldset class="plain" disabled={!online}>
        {!spectator ? <Actions state={state} send={send} /> : sitting === null ? <p class="actions idle">{t("spectating")}</p>
          : <SitDown state={state} seat={sitting} done={() => (setSitting(null), reopen())} close={() => setSitting(null)} />}
        <BottomLine state={state} send={send} />
        </fieldset>
      </section>
      <aside class="table-side" aria-label={t("panel")}>
        <h2 class="hidden-label">{t("panel")}</h2>
        <Tabs label={t("panel")} value={shown} set={setTab} options={tabs} />
        {!state.panel && shown !== "log" && shown !== "coach" ? <p class="muted panel-body">{t("panelOff")}</p> : null}
        {shown === "reading" ? (data.readings ? <ReadingPanel readings={data.readings} log={state.hand?.log ?? []} names={names} position={(seat) => positionName(state.seats[seat].position ?? 0, state.seats.filter((one) => one.position !== null).length)} stale={stale} advisors={info.data?.advisors ?? []} ask={(agent) => send({ do: "advisor", agent })} /> : <p class="muted panel-body" role="status">{t(state.hand?.turn?.seat === state.me ? "panelReads" : "panelWait")}</p>) : null}
        {shown === "mirror" ? <MirrorPanel mirror={data.mirror} /> : null}
        {shown === "after" ? <RevealPanel reveal={data.reveal} names={names} /> : null}
        {shown === "coach" ? <CoachPanel lessons={data.lessons} table={state} on={state.settings.coach} /> : null}
        {shown === "log" ? <div class="panel-body">{!state.panel && !spectator ? <p class="small muted">{t("panelOff")}</p> : null}<Log state={state} /></div> : null}
      </aside>
      {dialog === "fair" ? <Fair now={deal} revealed={data.revealed} close={() => setDialog(null)} /> : null}
      {dialog === "keys" ? <Keys close={() => setDialog(null)} /> : null}
    </div>
  );
}

/** The name to take a seat with: the one used last, unless somebody at the table has it. */
function SitDown({ state, seat, done, close }: { state: State; seat: number; done: () => void; close: () => void }) {
  const used = localStorage.getItem("name") ?? "";
  const [name, setName] = useState(state.seats.some((one) => one.name === used) ? "" : used);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    setProblem(null);
  }, [seat]);
  const sit = async (event: Event) => {
    event.preventDefault();
    setProblem(null);
    try {
      await ask<Made>(`/api/tables/${state.table}/seat`, { name, seat });
      localStorage.setItem("name", name.trim());
      done();
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form class="actions" onSubmit={(event) => void sit(event)}>
      <div class="row end">
        <Field label={`${t("seatN", { n: seat + 1 })}: ${t("yourName")}`}>
          <input type="text" ref={input} value={name} required spellcheck={false} autocomplete="off" onInput={(event) => setName(event.currentTarget.value)} />
        </Field>
        <button class="primary">{t("quickPlay")}</button>
        <button type="button" onClick={close}>{t("cancel")}</button>
      </div>
      {problem ? <Problem text={problem} /> : null}
    </form>
  );
}

function TopLine({ state, openFair, openKeys }: { state: State; openFair: () => void; openKeys: () => void }) {
  const [small, big] = state.settings.blinds;
  return (
    <div class="row between table-top">
      <p class="small num">
        <b>{t(state.settings.game === "limit" ? "limit" : "noLimit")} {number(small)}/{number(big)}</b>
        {state.settings.tournament ? ` · ${t("tournament")}` : ""}{state.hand ? ` · ${t("hand", { n: state.hand.number })}` : ""}
        {state.spectators ? ` · ${t("spectators", { n: state.spectators })}` : ""}
      </p>
      <div class="row">
        <AmountsButton />
        <button class="tiny" onClick={openFair}>{t("fair")}{state.hand ? <span class="mono muted seal"> {state.hand.deal.hash.slice(0, 8)}</span> : null}</button>
        <CopyButton label={t("invite")} text={() => `${location.origin}/table/${state.table}`} />
        <button class="tiny keys" onClick={openKeys}>{t("keys")} <kbd>?</kbd></button>
      </div>
    </div>
  );
}

function BottomLine({ state, send }: { state: State; send: ReturnType<typeof useTable>["send"] }) {
  const me = state.me === null ? null : state.seats[state.me];
  const leave = () => {
    send({ do: "leave" });
    go("/");
  };
  return (
    <div class="row between table-bottom">
      <div class="row">
        {me && me.kind === "person" ? (
          <>
            {me.status === "away" ? <button class="tiny" onClick={() => send({ do: "sit_in" })}>{t("sitIn")}</button> : <button class="tiny" onClick={() => send({ do: "sit_out" })}>{t("sitOut")}</button>}
            {state.settings.tournament ? null : <button class="tiny" onClick={() => send({ do: "rebuy" })}>{t("rebuy")}</button>}
            <button class="tiny" onClick={leave}>{t("leave")}</button>
            <a class="small" href={`/replay?source=table:${state.table}`}>{t("replay")}</a>
          </>
        ) : null}
      </div>
      <div class="row">
        {state.host ? (
          <>
            <button class="tiny" aria-pressed={state.panel} onClick={() => send({ do: "panel", on: !state.panel })}>{t(state.panel ? "panelTurnOff" : "panel")} <kbd>M</kbd></button>
            <div class="inline-select"><Select label={t("speed")} value={state.settings.speed} set={(speed) => send({ do: "speed", speed: speed as (typeof SPEEDS)[number] })} options={SPEEDS.map((one) => [one, t(one)])} /></div>
          </>
        ) : null}
      </div>
    </div>
  );
}

function Keys({ close }: { close: () => void }) {
  const keys: [string, string][] = [
    ["F", t("keyFold")], ["C", t("keyCall")], ["R", t("keyRaise")], ["H", t("keyHalf")], ["P", t("keyPot")], ["− +", t("keySize")],
    ["A", t("keyAllin")], ["N", t("keyNext")], ["M", t("keyPanel")], ["?", t("keyHelp")],
  ];
  return <Dialog title={t("keysTitle")} close={close}><dl class="pairs">{keys.map(([key, text]) => [<dt key={key}><kbd>{key}</kbd></dt>, <dd key={`${key}t`}>{text}</dd>])}</dl></Dialog>;
}
