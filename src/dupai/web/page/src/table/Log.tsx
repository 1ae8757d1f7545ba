import type { LogLine, State } from "../messages";
import { playerName, say, STREETS, t } from "../strings";
import { Inline } from "../ui/Card";

export function Log({ state }: { state: State }) {
  const lines = state.hand?.log ?? [];
  return (
    <ol class="log" aria-label={t("log")} aria-live="polite" aria-relevant="additions">
      {lines.map((line, i) => <Line key={i} line={line} />)}
    </ol>
  );
}

function Line({ line }: { line: LogLine }) {
  if (!line.about) return <li class="log-street"><span>{t(STREETS[line.street])}</span> <Inline cards={line.cards} /></li>;
  return <li class={`log-${line.kind}`}><b>{playerName(line.name)}</b> {say(line.about, line.name === "You")} {line.cards.length ? <Inline cards={line.cards} /> : null}</li>;
}
