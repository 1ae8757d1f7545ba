import { useEffect, useRef, useState } from "preact/hooks";
import { ask, Refusal, useAsk } from "../api";
import { cardNumbers, splitCards } from "../cards";
import type { Preset, SolveForm, SolveLock, SolveRequest, SolveStatus } from "../messages";
import { Painter } from "../solver/Painter";
import { Locks } from "../solver/Locks";
import { NodeView } from "../solver/Node";
import { number, t, type Key } from "../strings";
import { Cards } from "../ui/Card";
import { Chart } from "../ui/Chart";
import { CardPicker, FileButton, NumberField, Problem, Tabs, TextField } from "../ui/Controls";
import type { PageProps } from "../router";
import { go } from "../router";
import "../styles/solve.css";

const EXAMPLE = { board: "Td9d6hQc2s", oop: "66+,A8s+,AJo+,KTs+,KQo,QTs+,JTs,T9s", ip: "QQ-22,AQs-A2s,ATo+,KTs+,KJo+,QTs+,J9s+,T9s,98s" };

/** Megabytes of the largest solution that the server opens. */
const MOST_MEGABYTES = 64;

/** The part of a spot that an address holds, as `dupai solve show --link` prints it. */
function linked(search: URLSearchParams) {
  const spot: Partial<Record<"board" | "oop" | "ip" | "bet" | "raise", string> & Record<"pot" | "stack", number>> = {};
  for (const key of ["board", "oop", "ip", "bet", "raise"] as const) if (search.get(key)) spot[key] = search.get(key)!;
  for (const key of ["pot", "stack"] as const) if (search.get(key)) spot[key] = Number(search.get(key)) || 1;
  return spot;
}

/** The equilibrium of a heads-up spot: set it up, watch it converge, walk through it. */
export function Solve({ parts, search }: PageProps) {
  const presets = useAsk<Preset[]>("/api/presets");
  const [side, setSide] = useState<"oop" | "ip">("oop");
  const [spot, setSpot] = useState({ ...EXAMPLE, pot: 200, stack: 900, bet: "50%, 100%, a", raise: "60%, a", target: 0.3, max_iterations: 1000, ...linked(search) });
  const [locks, setLocks] = useState<SolveLock[]>([]);
  const [status, setStatus] = useState<SolveStatus | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** A solution that holds more than the form shows, until its spot is changed here. */
  const [again, setAgain] = useState<string | null>(null);
  const filled = useRef<string | null>(null);
  /** The solution that was looked at before this one. */
  const [before, setBefore] = useState<string | null>(null);
  const set = (part: Partial<typeof spot>) => {
    if (Object.keys(part).some((key) => key !== "target" && key !== "max_iterations")) setAgain(null);
    setSpot((old) => ({ ...old, ...part }));
  };
  const id = parts[0] ?? null;
  const busy = status?.state === "running" || status?.state === "waiting";
  useEffect(() => {
    setStatus((old) => (old?.id === id ? old : null));
    setProblem(null);
    if (!id) return;
    let stop = false;
    let timer = 0;
    let failed = false;
    const poll = async () => {
      try {
        const next = await ask<SolveStatus>(`/api/solve/${id}`);
        if (stop) return;
        setStatus(next);
        if (failed) setProblem(null);
        failed = false;
        if (next.state === "running" || next.state === "waiting") timer = window.setTimeout(() => void poll(), 250);
      } catch (error) {
        if (stop) return;
        setProblem((error as Error).message);
        failed = true;
        // the server may be away for a moment; what it does not know (after a restart) never comes
        if (error instanceof Refusal && error.status === 404) setStatus(null);
        else timer = window.setTimeout(() => void poll(), 2000);
      }
    };
    void poll();
    return () => {
      stop = true;
      clearTimeout(timer);
    };
  }, [id]);
  const ended = status?.state === "done" || status?.state === "stopped";
  // Before its first check a solver has nothing to show.
  const ready = ended && status.curve.length > 0;
  // A solution that was not begun in this form fills it: what is locked in it is a node of its spot.
  useEffect(() => {
    if (!ready || !id || filled.current === id || status?.id !== id) return;
    let stop = false;
    ask<SolveForm>(`/api/solve/${id}/form`).then(
      ({ locks: shown, whole, ...rest }) => {
        if (stop) return;
        filled.current = id;
        setSpot((old) => ({ ...old, ...rest }));
        setLocks(shown);
        setAgain(whole ? null : id);
      },
      (error: Error) => { if (!stop) setProblem(error.message); },
    );
    return () => { stop = true; };
  }, [id, ready, status?.id]);
  const attempt = async (work: () => Promise<SolveStatus>) => {
    setProblem(null);
    try {
      const made = await work();
      setStatus(made);
      go(`/solve/${made.id}`);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const run = () => attempt(async () => {
    const made = await ask<SolveStatus>("/api/solve", { ...spot, pot: Math.round(spot.pot), stack: Math.round(spot.stack), locks, again } satisfies SolveRequest);
    filled.current = made.id;
    setBefore(ready ? id : before);
    setAgain((old) => old && made.id);
    return made;
  });
  const solveFrom = (start: string) => void attempt(() =>
    ask<SolveStatus>("/api/solve", { ...spot, pot: Math.round(spot.pot), stack: Math.round(spot.stack), locks: [], again: id, start } satisfies SolveRequest));
  const open = (file: File | undefined) => {
    if (!file) return;
    if (file.size > 1e6 * MOST_MEGABYTES) setProblem(t("solutionTooLarge", { n: MOST_MEGABYTES }));
    else void attempt(() => ask<SolveStatus>("/api/solve/open", file));
  };
  const stop = () => status && void ask(`/api/solve/${status.id}`, undefined, "DELETE").catch((error: Error) => setProblem(error.message));
  const board = splitCards(spot.board);
  return (
    <div class="page solve-page">
      <div class="row between">
        <h1>{t("solveTitle")}</h1>
        <div class="row">
          <FileButton class="button tiny" label={t("openFile")} open={open} />
          {ready ? <a class="button tiny" download="spot.solve" href={`/api/solve/${status.id}/file`}>{t("saveFile")}</a> : null}
        </div>
      </div>
      {problem ? <Problem text={problem} /> : null}
      <div class="solve-columns">
        <section class="panel">
          <Tabs label={t("rangeText")} value={side} set={setSide} options={[["oop", t("oop")], ["ip", t("ip")]]} />
          <div class="painter-place">
            {(["oop", "ip"] as const).map((one) => (
              <div key={one} hidden={one !== side}>
                <Painter label={t(one)} text={spot[one]} set={(text) => set({ [one]: text })} presets={presets.data ?? []} dead={cardNumbers(board)} />
              </div>
            ))}
          </div>
        </section>
        <section class="panel stack">
          <div>
            <div class="row between"><h2>{t("boardPick")}</h2><Cards cards={board} size="small" /></div>
            <CardPicker label={t("boardPick")} value={spot.board} set={(text) => set({ board: text })} most={5} />
          </div>
          <div class="fields">
            <NumberField label={t("pot")} value={spot.pot} min={1} set={(pot) => set({ pot })} />
            <NumberField label={t("stack")} value={spot.stack} min={1} set={(stack) => set({ stack })} />
            <TextField label={t("betMenu")} value={spot.bet} set={(bet) => set({ bet })} />
            <TextField label={t("raiseMenu")} value={spot.raise} set={(raise) => set({ raise })} />
            <NumberField label={`${t("target")} (${t("ofPot")})`} value={spot.target} min={0.01} step="any" set={(target) => set({ target })} />
            <NumberField label={t("maxIterations")} value={spot.max_iterations} min={1} set={(max_iterations) => set({ max_iterations })} />
          </div>
          <p class="small muted">{t("sizesAbout")}</p>
          {again ? <p class="small muted">{t("moreThanForm")}</p> : null}
          <Locks locks={locks} set={setLocks} />
          <div class="row">
            <button class="primary" onClick={() => void run()} disabled={busy}>{t("run")}</button>
            {busy ? <button onClick={stop}>{t("stop")}</button> : null}
          </div>
          {status ? <Progress status={status} /> : null}
          {ended && !ready ? <p class="small muted">{t("notChecked")}</p> : null}
        </section>
      </div>
      {ready ? (
        <NodeView key={`${status.id} ${status.state}`} id={status.id} before={before} solveFrom={solveFrom} lock={(lock) => setLocks([...locks.filter((one) => one.path !== lock.path), lock])} />
      ) : null}
    </div>
  );
}

function Progress({ status }: { status: SolveStatus }) {
  const last = status.curve[status.curve.length - 1];
  return (
    <div role="status">
      <div class="row between small num">
        <b>{t(`state_${status.state}` as Key)}</b>
        {last ? <span>{t("iterations", { n: number(last.iterations) })} · {number(status.seconds, 2)} s · {t("exploitability")} <b>{number(last.exploitability, 3)} {t("ofPot")}</b></span> : null}
      </div>
      {status.error ? <Problem text={status.error} /> : null}
      {status.curve.length > 1 ? <Chart label={t("exploitability")} height={140} log lines={[{ name: t("exploitability"), points: status.curve.filter((one) => one.exploitability > 0).map((one) => [one.iterations, one.exploitability]) }]} value={(one) => `${one}`} /> : null}
      {status.evs ? <p class="small num">{t("evOf")}: {t("oop")} {number(status.evs[0], 1)}, {t("ip")} {number(status.evs[1], 1)}</p> : null}
    </div>
  );
}
