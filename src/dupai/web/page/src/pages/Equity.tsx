import { useRef, useState } from "preact/hooks";
import { ask, useAsk } from "../api";
import { cardNumbers, splitCards } from "../cards";
import type { EquityRequest, EquityResult, Preset } from "../messages";
import { Painter } from "../solver/Painter";
import { percent, t } from "../strings";
import { Cards } from "../ui/Card";
import { CardPicker, Problem, TextField } from "../ui/Controls";
import type { PageProps } from "../router";
import "../styles/solve.css";

/** Shares of the pot of hands and ranges. */
export function Equity(_: PageProps) {
  const presets = useAsk<Preset[]>("/api/presets");
  const [hands, setHands] = useState(["AsKs", "QQ+,AKs"]);
  const [board, setBoard] = useState("");
  const [dead, setDead] = useState("");
  const [chosen, setChosen] = useState(1);
  const [result, setResult] = useState<EquityResult | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // Only the answer to what stands here counts.
  const asked = useRef(0);
  const changed = () => {
    asked.current++;
    setResult(null);
    setProblem(null);
    setBusy(false);
  };
  const change = (index: number, text: string, same = false) => {
    setHands((old) => old.map((one, i) => (i === index ? text : one)));
    if (!same) changed();
  };
  const compute = async (event?: Event) => {
    event?.preventDefault();
    changed();
    const mine = asked.current;
    setBusy(true);
    try {
      const found = await ask<EquityResult>("/api/equity", { hands, board, dead } satisfies EquityRequest);
      if (mine !== asked.current) return;
      setResult(found);
    } catch (error) {
      if (mine !== asked.current) return;
      setProblem((error as Error).message);
    }
    setBusy(false);
  };
  const cards = splitCards(board);
  return (
    <div class="page">
      <h1>{t("equityTitle")}</h1>
      <div class="solve-columns equity-columns">
        <section class="panel">
          <h2>{t("player", { n: chosen + 1 })}</h2>
          <Painter key={chosen} label={t("player", { n: chosen + 1 })} text={hands[chosen]} set={(text, same) => change(chosen, text, same)} presets={presets.data ?? []} dead={cardNumbers(cards)} />
        </section>
        <form class="panel stack" onSubmit={(event) => void compute(event)}>
          <div class="equity-players">
            {hands.map((hand, i) => {
              const share = result?.players[i];
              return (
                <div key={i} class={`equity-row${i === chosen ? " chosen" : ""}`} onFocusCapture={() => setChosen(i)}>
                  <TextField label={t("handOrRange", { n: i + 1 })} value={hand} set={(text) => change(i, text)} />
                  <button type="button" disabled={hands.length < 3} onClick={() => (setHands(hands.filter((_, k) => k !== i)), setChosen(0), changed())} aria-label={`${t("remove")} ${i + 1}`}>✕</button>
                  {share ? (
                    <div class="equity-out">
                      <div class="row between num small"><b>{percent(share.equity, 2)}{share.se > 0 ? ` ± ${percent(1.96 * share.se, 2)}` : ""}</b><span class="muted">{t("win")} {percent(share.win, 2)} · {t("tie")} {percent(share.tie, 2)}</span></div>
                      <div class="equity-bar" aria-hidden="true"><span class={`bg-line-${1 + (i % 8)}`} style={{ width: `${100 * share.win}%` }} /><span class={`tie bg-line-${1 + (i % 8)}`} style={{ width: `${100 * (share.equity - share.win)}%` }} /></div>
                    </div>
                  ) : null}
                </div>
              );
            })}
          </div>
          <div class="row">
            <button class="primary" disabled={busy}>{busy ? t("loading") : t("compute")}</button>
            <button type="button" disabled={hands.length > 9} onClick={() => (setHands([...hands, "random"]), setChosen(hands.length), changed())}>{t("addPlayer")}</button>
            {result ? <span class="small muted" role="status">{t(result.exact ? "exact" : "sampled")}</span> : null}
          </div>
          {problem ? <Problem text={problem} /> : null}
          <div>
            <div class="row between"><h2>{t("boardPick")}</h2>{cards.length ? <Cards cards={cards} size="small" /> : <span class="small muted">{t("boardEmpty")}</span>}</div>
            <CardPicker label={t("boardPick")} value={board} set={(text) => (setBoard(text), changed())} most={5} taken={splitCards(dead)} />
          </div>
          <TextField label={t("dead")} value={dead} set={(text) => (setDead(text), changed())} />
        </form>
      </div>
    </div>
  );
}
