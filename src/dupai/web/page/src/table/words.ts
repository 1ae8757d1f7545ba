import { number, t } from "../strings";

/** An action as the server words it ("raises to 300", "call 50"), in the language of the page. */
export function actionWords(text: string): string {
  const chips = text.match(/\d[\d,.]*/)?.[0];
  const amount = chips === undefined ? "" : number(Number(chips.replace(/,/g, "")), chips.includes(".") ? 1 : 0);
  const low = text.toLowerCase();
  if (document.documentElement.lang === "en") return text;
  if (low.startsWith("fold")) return t("a_fold");
  if (low.startsWith("check")) return t("a_check");
  if (low.startsWith("call")) return `${t("a_call")} ${amount}`;
  if (low.startsWith("bet")) return `${t("a_bet")} ${amount}`;
  if (low.startsWith("raise")) return `${t("a_raise")} ${amount}`;
  if (low.startsWith("all")) return `${t("a_all-in")} ${amount}`;
  return text;
}
