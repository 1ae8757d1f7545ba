import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { query, useAsk } from "../api";
import type { EquityPoint, Info, LogLine, ReplayHand, ReviewPoint, Step } from "../messages";
import { go } from "../router";
import { named, number, percent, positionName, say, showAmounts, STREETS, t, word } from "../strings";
import { Felt } from "../table/Felt";
import { Log } from "../table/Log";
import { ReadingPanel } from "../table/Panel";
import { Chart } from "../ui/Chart";
import { AmountsButton, CopyButton, Problem, Select, Tabs } from "../ui/Controls";
import { download, spotPicture } from "./png";
import { isKnown, ownSeat, stateAt } from "./state";
import "../styles/table.css";

export function ReplayView({ source, id, n }: { source: string; id: number; n: number | null }) {
  const hand = useAsk<ReplayHand>(query("/api/hand", { source, id }));
  if (hand.error) return <div class="page"><Problem text={hand.error} retry={hand.reload} /><a href="/replay">{t("back")}</a></div>;
  if (!hand.data) return <p class="page wait">{t("loading")}</p>;
  return <Hand hand={hand.data} source={source} start={n ?? Math.max(0, hand.data.steps.findIndex((step) => isKnown(hand.data!, step.actor)))} />;
}

/** The step from which a decision is looked at: itself, or where the actor's cards are unknown the next decision of somebody
 *  whose cards are known while the actor is in the hand, else the last one before; undefined if there is none. */
function viewpoint(hand: ReplayHand, at: number): Step | undefined {
  const actor = hand.steps[at].actor!;
  if (isKnown(hand, actor)) return hand.steps[at];
  const sees = (step: Step) => isKnown(hand, step.actor) && !step.folded[actor];
  return hand.steps.slice(at).find(sees) ?? hand.steps.slice(0, at).reverse().find(sees);
}

function Hand({ hand, source, start }: { hand: ReplayHand; source: string; start: number }) {
  const last = hand.steps.length - 1;
  const [at, setAt] = useState(Math.min(last, Math.max(0, start)));
  const [playing, setPlaying] = useState(false);
  const [tab, setTab] = useState<"review" | "log">("review");
  const equity = useAsk<EquityPoint[]>(query("/api/hand/equity", { source, id: hand.id }));
  const step = hand.steps[at];
  const move = (to: number) => {
    const next = Math.min(last, Math.max(0, to));
    setAt(next);
    go(query("/replay", { source, id: hand.id, n: next }), true);
  };
  const streetStart = (street: number) => hand.steps.findIndex((one) => one.street === street);
  useEffect(() => {
    if (!playing) return;
    if (at >= last) return setPlaying(false);
    const timer = setTimeout(() => move(at + 1), 900);
    return () => clearTimeout(timer);
  }, [playing, at]);
  // at once, not after the next frame: a key may follow the picture closely
  useLayoutEffect(() => {
    const key = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select, textarea, button[role=tab], g")) return;
      if (event.key === "ArrowRight") move(at + 1);
      else if (event.key === "ArrowLeft") move(at - 1);
      else if (event.key === "Home") move(0);
      else if (event.key === "End") move(last);
      else if (event.key === " " && !target.matches("button, a, summary")) setPlaying(!playing);
      else if (/^[1-4]$/.test(event.key) && streetStart(Number(event.key) - 1) >= 0) move(streetStart(Number(event.key) - 1));
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const state = stateAt(hand, step);
  const own = ownSeat(hand);
  showAmounts(hand.big_blind);
  const exportPng = async () => download(await spotPicture(state, own, `${say(hand.title)} · ${t(STREETS[step.street])}`), `hand-${hand.id}-${at}.png`);
  const points = equity.data ?? [];
  // Streets that run out after the same action stand beside each other.
  const places = points.map((point, i) => point.n + (i - points.findIndex((one) => one.n === point.n)) / 4);
  const lines = hand.names.flatMap((name, seat) => {
    const known = points.flatMap(({ n, equity }, i) => (n > at || equity[seat] === null ? [] : [[places[i], equity[seat]] as [number, number]]));
    if (!known.length) return [];
    const now = known[known.length - 1][1];
    // it stands until the next street, or until they fold
    const until = step.folded[seat] ? known[known.length - 1][0] : Math.max(at, known[known.length - 1][0]);
    return [{ name: `${name} ${percent(now)}`, points: [...known, [until, now] as [number, number]] }];
  });
  return (
    <div class="table-page replay-page">
      <section class="table-main" aria-label={say(hand.title)}>
        <div class="row between table-top">
          <div><a class="small" href={query("/replay", { source })}>← {t("hands")}</a><h1 class="hand-name">{say(hand.title)}</h1></div>
          <div class="row">
            <AmountsButton />
            <CopyButton label={t("linkSpot")} text={() => location.origin + query("/replay", { source, id: hand.id, n: at })} />
            <a class="button tiny" download={`hand-${hand.id}.phh`} href={query("/api/hand/phh", { source, id: hand.id })}>{t("exportPhh")}</a>
            <button class="tiny" onClick={() => void exportPng()}>{t("exportPng")}</button>
          </div>
        </div>
        <Felt state={state} sit={() => undefined} since={0} bottom={own} />
        <div class="player panel">
          <input type="range" min={0} max={last} value={at} aria-label={t("step", { n: at, total: last })} onInput={(event) => move(event.currentTarget.valueAsNumber)} />
          <div class="row between">
            <div class="row">
              <button class="tiny" onClick={() => move(0)} aria-label={t("first")} disabled={at === 0}><Icon name="first" /></button>
              <button class="tiny" onClick={() => move(at - 1)} aria-label={t("previous")} disabled={at === 0}><Icon name="back" /></button>
              <button class="primary tiny" onClick={() => (at === last && move(0), setPlaying(!playing))}>{t(playing ? "pause" : "playIt")}</button>
              <button class="tiny" onClick={() => move(at + 1)} aria-label={t("next")} disabled={at === last}><Icon name="next" /></button>
              <button class="tiny" onClick={() => move(last)} aria-label={t("last")} disabled={at === last}><Icon name="last" /></button>
            </div>
            <div class="choice" role="group" aria-label={t("byStreet")}>
              {STREETS.map((key, street) => streetStart(street) >= 0 ? <button key={key} aria-pressed={step.street === street} onClick={() => move(streetStart(street))}>{t(key)}</button> : null)}
            </div>
            <span class="small muted num">{t("step", { n: at, total: last })}</span>
          </div>
          <p class="step-text" aria-live="polite">{step.seat !== null ? <b>{hand.names[step.seat]} </b> : null}{say(step.about, step.seat !== null && hand.names[step.seat] === "You")}{step.actor !== null ? <span class="muted"> · {t("decisionOf", { name: hand.names[step.actor] })}</span> : null}</p>
        </div>
        {lines.length ? <section class="panel equity-graph"><h2>{t("equityGraph")}</h2><Chart label={t("equityGraph")} lines={lines} height={170} range={[0, 1]} xRange={[0, last]} steps value={(one) => percent(one)} xValue={(one) => (Number.isInteger(one) ? String(one) : "")} /></section> : null}
      </section>
      <aside class="table-side" aria-label={t("review")}>
        <h2 class="hidden-label">{t("review")}</h2>
        <Tabs label={t("review")} value={tab} set={setTab} options={[["review", t("review")], ["log", t("log")]]} />
        {tab === "log" ? <div class="panel-body"><Log state={state} />{hand.comment ? <p class="small muted">{hand.comment}</p> : null}</div>
          : step.actor === null ? <p class="panel-body muted">{t("noDecision")}</p>
          : <Review key={at} hand={hand} source={source} at={at} log={state.hand!.log} />}
      </aside>
    </div>
  );
}

/** Signs of the player, as paths: no font has all of them. */
const ICONS = { first: "M4 4h2v12H4zM16 4v12L7 10z", back: "M14 4v12L5 10z", next: "M6 4v12l9-6z", last: "M14 4h2v12h-2zM4 4v12l9-6z" };

function Icon({ name }: { name: keyof typeof ICONS }) {
  return <svg viewBox="0 0 20 20" width="14" height="14" aria-hidden="true"><path d={ICONS[name]} fill="currentColor" /></svg>;
}

let advisor = "advisor";
let reader = "model";

/** A decision from what its actor could know: readings, advice, and on request what it gave up. Of an actor whose cards are
 *  unknown, what somebody with known cards could read. */
function Review({ hand, source, at, log }: { hand: ReplayHand; source: string; at: number; log: readonly LogLine[] }) {
  const seat = hand.steps[at].actor!;
  const known = isKnown(hand, seat);
  const from = viewpoint(hand, at);
  const info = useAsk<Info>("/api/info");
  const [agent, setAgent] = useState(advisor);
  const [read, setRead] = useState(reader);
  const [deals, setDeals] = useState(0);
  // Whoever steps on at once needs no review: it costs the server some time.
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), 250);
    return () => clearTimeout(timer);
  }, []);
  const review = useAsk<ReviewPoint>(!stays || !from ? null : query("/api/hand/review", { source, id: hand.id, n: from.n, agent, reader: read, deals }));
  advisor = agent;
  reader = read;
  const point = review.data;
  if (!from) return <p class="panel-body muted">{t("cardsUnknown", { name: hand.names[seat] })}</p>;
  const shown = point && !known ? { ...point.readings, seats: point.readings.seats.filter((one) => one.seat === seat), equity: null, pot_odds: null, advice: null } : point?.readings;
  return (
    <div>
      <div class="panel-body review-head">
        <p><b>{t("fromSeat", { name: hand.names[from.actor!] })}</b></p>
        {known ? null : <p class="small muted">{t("readFrom", { name: hand.names[seat], other: hand.names[from.actor!], n: hand.steps.indexOf(from) })}</p>}
        {review.error ? <Problem text={review.error} retry={review.reload} /> : null}
        {review.loading || !stays ? <p class="muted small" role="status">{t("loading")}</p> : null}
        {point && known ? (
          <div class="verdict">
            <div class="row between"><p>{t("did", { text: say(point.chosen) })}</p>
            {point.gave_up ? (
              <p class={`num ${point.gave_up.mean > 2 * point.gave_up.se ? "bad" : "good"}`}>
                {point.gave_up.mean > 2 * point.gave_up.se ? `${t("gaveUp", { n: number(point.gave_up.mean, 2) })} ± ${number(point.gave_up.se, 2)} bb` : t("evenPlay")}
              </p>
            ) : point.no_estimate ? <p class="notice warn">{say(point.no_estimate)}</p>
              : <button class="tiny" onClick={() => setDeals(200)} disabled={review.loading}>{t("judge")}</button>}
            </div>
            {point.values.length ? <p class="small muted num">{point.values.map((one) => `${word(`${one.action} bet`, word(one.action))} ${number(one.ev.mean, 2)}`).join(" · ")}</p> : null}
          </div>
        ) : null}
      </div>
      {shown ? <ReadingPanel readings={shown} log={log} names={(one) => hand.names[one] ?? ""} position={(one) => positionName(one, hand.names.length)} /> : null}
      <div class="panel-body fields">
        <Select label={t("adviceBy")} value={agent} set={setAgent} options={[...new Set([agent, ...(info.data?.advisors ?? [])])].map((one) => [one, named("seat", one)])} />
        <Select label={t("reader")} value={read} set={setRead} options={[...new Set([read, ...(info.data?.readers ?? []).filter((one) => !one.error).map((one) => one.name)])].map((one) => [one, named("reader", one)])} />
      </div>
    </div>
  );
}
