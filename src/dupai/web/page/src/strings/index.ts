import { useEffect, useState } from "preact/hooks";
import english from "../../../../notation/words/en.json";
import type { Reason } from "../messages";
import { en, type Key } from "./en";

export type { Key } from "./en";
export type Language = "en" | "zh";

interface Catalogue {
  join: string;
  reasons: Record<string, string>;
  actions: Record<string, string>;
  words: Record<string, string>;
  names: Record<string, string>;
}

let language: Language = "en";
let table: Record<Key, string> = en;
/** Words that terminal and page share: dupai/notation/words. */
let words: Catalogue = english;
/** What the server refuses and how this language says it; none in English, the server's own. */
let refusals: [RegExp, string][] = [];
const listeners = new Set<() => void>();

/** The language asked for last, else that of the browser. */
export function storedLanguage(): Language {
  const stored = localStorage.getItem("language");
  if (stored === "en" || stored === "zh") return stored;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export async function setLanguage(next: Language): Promise<void> {
  if (next === "zh") {
    const parts = [import("./zh"), import("../../../../notation/words/zh.json"), import("./problems.zh.json")] as const;
    const [texts, shared, problems] = await Promise.all(parts);
    [table, words] = [texts.zh, shared.default];
    refusals = Object.entries(problems.default).map(([english, own]) => [patternOf(english), own]);
  } else [table, words, refusals] = [en, english, []];
  language = next;
  document.documentElement.lang = next === "zh" ? "zh-CN" : "en";
  localStorage.setItem("language", next);
  listeners.forEach((listener) => listener());
}

export function useLanguage(): Language {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((n) => n + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return language;
}

/** The text of a key, with {name} replaced by the values. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return table[key].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

/** A reason, an action or a made hand in words; "you": of the reader ("call 300", not "calls 300"). */
export function say({ code, values = {}, text }: Reason, you = false): string {
  const places: Reason["values"] = { s: you ? "" : "s", ...values };
  return textOf(code)?.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name: string, form = "") => valueWords(places[name] ?? "", form, you, AMOUNTS.has(name))) ?? text ?? code;
}

/** A sentence of the server as a pattern: places in braces match anything. */
function patternOf(sentence: string): RegExp {
  const plain = sentence.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${plain.replace(/\{(\w+)\}/g, "(?<$1>.*?)")}$`, "s");
}

/** What the server refused, in the language of the page; a sentence that is not known stays as it is. */
export function problemText(text: string): string {
  for (const [pattern, own] of refusals) {
    const found = pattern.exec(text);
    if (found) return own.replace(/\{(\w+)\}/g, (_, name: string) => (name === "rest" ? problemText(found.groups!.rest) : found.groups![name]));
  }
  return text;
}

/** The language of a reason: one of another package is in English. */
export function languageOf(reason: Reason): "en" | "zh-CN" {
  return language === "zh" && textOf(reason.code) !== undefined ? "zh-CN" : "en";
}

const textOf = (code: string): string | undefined => words.reasons[code] ?? words.actions[code];

type Value = NonNullable<Reason["values"]>[string] | Reason;

/** Values of reasons that are chips. */
const AMOUNTS = new Set(["chips", "to", "high"]);

function valueWords(value: Value, form: string, you: boolean, amount = false): string {
  if (Array.isArray(value)) return value.map((part) => valueWords(part, form, you)).join(words.join);
  if (typeof value === "object") return say(value, you);
  if (typeof value === "string") return form === "word" ? word(value) : value;
  if (form === "plain") return String(value);
  if (amount) return chips(value);
  if (form.startsWith("%")) return percent(value, Number(form.slice(1)));
  const digits = form.split(".")[1] ?? (Number.isInteger(value) ? "0" : "2");
  return (form.startsWith("+") ? signed : number)(value, Number(digits));
}

/** A word of the program (a class of hands, a position) in the language of the page. */
export const word = (name: string, text = name): string => words.words[name] ?? text;

/** What has a name of its own (agent, reader, statistic, table head) in the language of the page, else as the server has it. */
export function named(kind: "agent" | "seat" | "reader" | "about" | "statistic" | "run" | "head" | "range", name: string, text = name): string {
  return words.names[`${kind}.${name}`] ?? text;
}

/** The keys of opponents' names: tables and logs have these in English. */
const SEAT_KEYS = new Map(Object.entries(english.names).filter(([key]) => key.startsWith("seat.")).map(([key, name]) => [name, key]));

/** A player's name in the language of the page: "Calls everything#2" has a number where several sit there. */
export function playerName(name: string): string {
  const [, base, count = ""] = /^(.*?)(?:#(\d+))?$/s.exec(name)!;
  const key = SEAT_KEYS.get(base);
  return key === undefined ? name : `${(words.names as Record<string, string>)[key] ?? base}${count && ` ${count}`}`;
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString(language === "zh" ? "zh-CN" : "en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
}

export function signed(value: number, digits = 0): string {
  return (value > 0 ? "+" : value < 0 ? "−" : "") + number(Math.abs(value), digits);
}

/** How many chips are one of what amounts are counted in on this page: 1, or those of a big blind. */
let unit = 1;

/** Amounts are shown in chips, or in big blinds of this size where that was chosen last; 0: always in chips. */
export function showAmounts(blind: number): void {
  unit = blind && localStorage.getItem("amounts") === "bb" ? blind : 1;
}

export const amountUnit = (): number => unit;

export function switchAmounts(): void {
  localStorage.setItem("amounts", unit === 1 ? "bb" : "chips");
  listeners.forEach((listener) => listener());
}

/** An amount as it is shown at this table: "1,250", "12.5 bb". */
export function chips(amount: number, form = number): string {
  if (unit === 1) return form(amount, Number.isInteger(amount) ? 0 : 2);
  const blinds = Math.round((100 * amount) / unit);
  return `${form(blinds / 100, blinds % 100 ? (blinds % 10 ? 2 : 1) : 0)} bb`;
}

/** The name of a position, the button last, among so many players. */
export function positionName(position: number, players: number): string {
  if (players === 2) return position ? "BTN" : "BB";
  if (position === 2 && players > 4) return "UTG";
  return ["SB", "BB"][position] ?? ["BTN", "CO", "HJ", "LJ"][players - 1 - position] ?? `UTG+${position - 2}`;
}

export function percent(share: number, digits = 0): string {
  return `${number(100 * share, digits)} %`;
}

/** A time of ISO 8601 in the reader's zone, to the minute (Swedish writes it like ISO, with a space). */
export function localTime(time: string): string {
  return new Date(time).toLocaleString("sv", { dateStyle: "short", timeStyle: "short" });
}

export const STREETS: Key[] = ["preflop", "flop", "turn", "river"];
