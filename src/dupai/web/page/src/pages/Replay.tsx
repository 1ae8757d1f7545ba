import { useEffect, useState } from "preact/hooks";
import { ask, query, useAsk } from "../api";
import type { HandLine, HandList, Info, SourceInfo, Uploaded } from "../messages";
import { go } from "../router";
import { ReplayView } from "../replay/View";
import { number, say, t, type Key } from "../strings";
import { Inline } from "../ui/Card";
import { FileButton, Problem } from "../ui/Controls";
import type { PageProps } from "../router";
import "../styles/replay.css";

const KINDS: Record<SourceInfo["kind"], Key> = { example: "example", store: "store", file: "file", upload: "uploads", table: "table" };

/** Hands from examples, stores, tables and uploads; one of them step by step where the address names it. */
export function Replay({ search }: PageProps) {
  const source = search.get("source");
  const id = search.get("id");
  if (source && id !== null) return <ReplayView key={`${source} ${id}`} source={source} id={Number(id)} n={search.has("n") ? Math.trunc(Number(search.get("n"))) || 0 : null} />;
  return <Choose source={source} />;
}

function Choose({ source }: { source: string | null }) {
  const sources = useAsk<SourceInfo[]>("/api/sources");
  const info = useAsk<Info>("/api/info");
  const list = sources.data ?? [];
  const current = source ?? list[0]?.id ?? null;
  const kinds = [...new Set(list.map((one) => one.kind))];
  return (
    <div class="page">
      <h1>{t("openHand")}</h1>
      {sources.error ? <Problem text={sources.error} retry={sources.reload} /> : null}
      <div class="choose">
        <div class="stack">
          <Upload most={info.data?.upload_bytes ?? 0} done={sources.reload} />
          <nav class="panel sources" aria-label={t("source")}>
            {kinds.map((kind) => (
              <div key={kind}>
                <h3>{t(KINDS[kind])}</h3>
                <ul>
                  {list.filter((one) => one.kind === kind).map((one) => (
                    <li key={one.id}>
                      <a href={query("/replay", { source: one.id })} aria-current={one.id === current ? "true" : undefined}>
                        {say(one.title)}{one.hands !== null ? <span class="muted num small">{number(one.hands)}</span> : null}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </div>
        {current ? <Hands key={current} source={current} /> : null}
      </div>
    </div>
  );
}

function Hands({ source }: { source: string }) {
  const [from, setFrom] = useState(0);
  const count = 25;
  const hands = useAsk<HandList>(query("/api/hands", { source, from, count }));
  if (hands.error) return <Problem text={hands.error} />;
  if (!hands.data) return <p class="panel muted">{t("loading")}</p>;
  if (!hands.data.total) return <p class="panel muted">{t("noHands")}</p>;
  const open = (hand: HandLine) => go(query("/replay", { source, id: hand.id }));
  return (
    <section class="panel hand-list" aria-label={t("hands")}>
      <ul>
        {hands.data.hands.map((hand) => (
          <li key={hand.id}>
            <a href={query("/replay", { source, id: hand.id })} onClick={(event) => (event.preventDefault(), open(hand))}>
              <span class="hand-title"><b>{say(hand.title)}</b> <Inline cards={hand.board} /></span>
              <span class="small muted">{hand.names.join(", ")}</span>
              <span class="small num">{t("pot")} {number(hand.pot)} · {hand.result.map((one) => `${one.name} ${say(one.about, one.name === "You")}`.trim()).join(", ")}</span>
            </a>
          </li>
        ))}
      </ul>
      {hands.data.total > count ? (
        <div class="row between">
          <button class="tiny" disabled={from === 0} onClick={() => setFrom(Math.max(0, from - count))}>{t("previous")}</button>
          <span class="small muted num">{number(from + 1)}–{number(Math.min(hands.data.total, from + count))} / {number(hands.data.total)}</span>
          <button class="tiny" disabled={from + count >= hands.data.total} onClick={() => setFrom(from + count)}>{t("next")}</button>
        </div>
      ) : null}
    </section>
  );
}

function Upload({ most, done }: { most: number; done: () => void }) {
  const [result, setResult] = useState<Uploaded | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const send = async (file: File | undefined) => {
    if (!file) return;
    setProblem(null);
    setResult(null);
    try {
      const uploaded = await ask<Uploaded>(query("/api/upload", { name: file.name }), file);
      setResult(uploaded);
      done();
      if (uploaded.hands) go(query("/replay", { source: uploaded.id }));
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  useEffect(() => {
    const stop = (event: Event) => event.preventDefault();
    addEventListener("dragover", stop);
    return () => removeEventListener("dragover", stop);
  }, []);
  return (
    <section class={`panel upload${over ? " over" : ""}`} onDragOver={() => setOver(true)} onDragLeave={() => setOver(false)}
      onDrop={(event) => (event.preventDefault(), setOver(false), void send(event.dataTransfer?.files[0]))}>
      <h2>{t("upload")}</h2>
      <p class="small muted">{t("uploadAbout", { n: number(most / 1e6, most % 1e6 ? 1 : 0) })}</p>
      <FileButton class="button upload-button" label={t("dropHere")} open={(file) => void send(file)} />
      {problem ? <Problem text={problem} /> : null}
      {result ? (
        <div role="status">
          <p>{t("handsPlayed", { n: number(result.hands) })}</p>
          {result.rejects.length ? <><h3>{t("rejects")}</h3><ul class="small rejects">{result.rejects.map((one, i) => <li key={i}>{one.line ? `${t("line", { n: one.line })}: ` : ""}{one.reason}</li>)}</ul></> : null}
        </div>
      ) : null}
    </section>
  );
}
