import { useEffect, useState } from "preact/hooks";
import { en, type Key } from "./en";

export type { Key } from "./en";
export type Language = "en" | "zh";

let language: Language = "en";
let table: Record<Key, string> = en;
const listeners = new Set<() => void>();

/** The language asked for last, else that of the browser. */
export function storedLanguage(): Language {
  const stored = localStorage.getItem("language");
  if (stored === "en" || stored === "zh") return stored;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export async function setLanguage(next: Language): Promise<void> {
  table = next === "zh" ? (await import("./zh")).zh : en;
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

/** A hand's class as the server names it ("flush draw"), in the language of the page where we have it. */
export function className(name: string): string {
  const key = `c_${name.replace(/[ -]/g, "_")}`;
  return key in table ? table[key as Key] : name;
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString(language === "zh" ? "zh-CN" : "en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
}

export function signed(value: number, digits = 0): string {
  return (value > 0 ? "+" : value < 0 ? "−" : "") + number(Math.abs(value), digits);
}

export function percent(share: number, digits = 0): string {
  return `${number(100 * share, digits)} %`;
}

/** A time of ISO 8601 in the reader's zone, to the minute (Swedish writes it like ISO, with a space). */
export function localTime(time: string): string {
  return new Date(time).toLocaleString("sv", { dateStyle: "short", timeStyle: "short" });
}

export const STREETS: Key[] = ["preflop", "flop", "turn", "river"];
