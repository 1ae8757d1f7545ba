import { number, t, type Key } from "../strings";

const inEnglish = () => document.documentElement.lang === "en";

/** An action as the server words it ("raises to 300, all-in", "bet 75%"), in the language of the page. */
export function actionWords(text: string): string {
  if (inEnglish()) return text.replace(/^allin\b/, "all-in");
  const low = text.toLowerCase();
  if (low === "small" || low === "half" || low === "pot") return t(`a_${low}`);
  const verb = (["fold", "check", "call", "bet", "raise"] as const).find((word) => low.startsWith(word));
  if (!verb) return low.startsWith("all") ? text.replace(/^all-?in/i, t("a_all-in")) : text;
  const amount = text.match(/\d[\d,]*(\.\d+)?(\s*%)?(\.\.\d[\d,]*)?|half|pot/)?.[0].replace(/,+$/, "").replace("..", "–") ?? "";
  const plain = /^[\d,]+$/.test(amount) ? number(Number(amount.replace(/,/g, ""))) : amount;
  const words = /^raises? to /.test(low) ? t("raiseTo", { n: plain }) : `${t(`a_${verb}`)} ${plain}`.trim();
  return low.includes(", all-in") ? `${words}（${t("a_all-in")}）` : words;
}

/** What a line says after the name that it begins with. */
export function afterName(text: string, name: string): string {
  return text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
}

/** What a player did last, in the few words that fit under a seat: "raises to 10,000, all-in" is "All-in 10,000". */
export function lastWords(text: string): string {
  const amount = text.match(/([\d,]*\d), all-in/)?.[1];
  return amount ? t("allIn", { n: amount }) : actionWords(text);
}

/** Who won how much with what, as the server words it ("Vera wins 20,000 with pair, kings"), in the language of the page. */
export function resultText(text: string): string {
  if (inEnglish()) return text;
  return text.replace(/ wins ([\d,.]+)(?: with ([a-z ]+(?:, (?![^,]* wins \d)[a-z ]+)?))?/g, (_, n: string, made?: string) => ` ${t("wins", { n })}${made ? `（${madeWords(made)}）` : ""}`);
}

/** A made hand without its kickers ("two pair, aces and fours, king kicker" is "two pair, aces and fours"). */
export function madeWords(text: string): string {
  if (!text) return "";
  if (inEnglish()) return text.split(", ").slice(0, 2).join(", ").replace(/, [^,]* kickers?$/, "");
  const kinds: [RegExp, Key][] = [
    [/straight flush|royal/, "c_straight_flush"], [/^four|quads/, "c_quads"], [/full house/, "c_full_house"], [/flush/, "c_flush"], [/straight/, "c_straight"],
    [/^three|trips/, "c_trips"], [/two pair/, "c_two_pair"], [/pair/, "onePair"],
  ];
  return t(kinds.find(([pattern]) => pattern.test(text))?.[1] ?? "highCard");
}

/** The label of a bet size. */
export function sizeWords(label: string): string {
  if (inEnglish()) return label;
  const names: Record<string, Key> = { min: "minimum", max: "maximum", pot: "pot", "all-in": "a_all-in" };
  return label in names ? t(names[label]) : label;
}
