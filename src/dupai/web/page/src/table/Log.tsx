import type { LogLine, State } from "../messages";
import { STREETS, t } from "../strings";
import { Inline } from "../ui/Card";
import { actionWords } from "./words";

export function Log({ state }: { state: State }) {
  const lines = state.hand?.log ?? [];
  return (
    <ol class="log" aria-label={t("log")} aria-live="polite" aria-relevant="additions">
      {lines.map((line, i) => <Line key={i} line={line} name={line.seat === null ? "" : state.seats[line.seat].name} />)}
    </ol>
  );
}

function Line({ line, name }: { line: LogLine; name: string }) {
  if (line.kind === "street") return <li class="log-street"><span>{t(STREETS[line.street])}</span> <Inline cards={line.cards} /></li>;
  const words = line.text.startsWith(name) ? line.text.slice(name.length).trim() : line.text;
  return <li class={`log-${line.kind}`}>{name ? <b>{name}</b> : null} {actionWords(words)} {line.cards.length ? <Inline cards={line.cards} /> : null}</li>;
}
