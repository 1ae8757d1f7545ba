import type { LogLine, State } from "../messages";
import { number, STREETS, t } from "../strings";
import { Inline } from "../ui/Card";
import { actionWords, afterName, madeWords } from "./words";

export function Log({ state }: { state: State }) {
  const lines = state.hand?.log ?? [];
  return (
    <ol class="log" aria-label={t("log")} aria-live="polite" aria-relevant="additions">
      {lines.map((line, i) => <Line key={i} line={line} name={line.name} />)}
    </ol>
  );
}

function Line({ line, name }: { line: LogLine; name: string }) {
  if (line.kind === "street") return <li class="log-street"><span>{t(STREETS[line.street])}</span> <Inline cards={line.cards} /></li>;
  return <li class={`log-${line.kind}`}>{name ? <b>{name}</b> : null} {lineWords(line, name)} {line.cards.length ? <Inline cards={line.cards} /> : null}</li>;
}

/** What a line says after the name. */
function lineWords(line: LogLine, name: string): string {
  const words = afterName(line.text, name);
  // You post, everybody else posts.
  if (document.documentElement.lang === "en") return name === "You" ? words.replace(/^([a-z]+)s\b/, "$1") : words;
  if (line.kind === "post") return t("posts", { n: number(line.chips ?? 0) });
  if (line.kind === "win") return t("wins", { n: number(line.chips ?? 0) });
  if (line.kind === "show") return t("shows", { hand: madeWords(words.replace(/^shows /, "")) });
  return actionWords(words);
}
