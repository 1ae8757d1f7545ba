import type { ComponentChildren, TargetedEvent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { CARDS, RANKS, splitCards, SUITS } from "../cards";
import { amountUnit, problemText, switchAmounts, t } from "../strings";
import { cardName, SUIT_PATH } from "./Card";

export function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return <label class="field"><span>{label}</span>{children}</label>;
}

export function TextField({ label, value, set, ...rest }: { label: string; value: string; set: (value: string) => void; placeholder?: string; list?: string }) {
  return <Field label={label}><input type="text" value={value} onInput={(event) => set(event.currentTarget.value)} spellcheck={false} autocomplete="off" {...rest} /></Field>;
}

export function NumberField({ label, value, set, min = 0, max, step = 1 }: { label: string; value: number; set: (value: number) => void; min?: number; max?: number; step?: number | "any" }) {
  return (
    <Field label={label}>
      <input type="number" value={value} min={min} max={max} step={step} inputMode="decimal"
        onInput={(event) => Number.isFinite(event.currentTarget.valueAsNumber) && set(event.currentTarget.valueAsNumber)} />
    </Field>
  );
}

export function Select({ label, value, set, options }: { label: string; value: string; set: (value: string) => void; options: (readonly [string, string])[] }) {
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([key, text]) => <option key={key} value={key} selected={key === value}>{text}</option>)}
      </select>
    </Field>
  );
}

export function Tick({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }) {
  return <label class="tick"><input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />{label}</label>;
}

/** A button that opens a file; the same one can be chosen again, after a mend say. */
export function FileButton({ label, open, ...rest }: { label: string; open: (file: File | undefined) => void; class: string }) {
  const chosen = (event: TargetedEvent<HTMLInputElement>) => {
    open(event.currentTarget.files?.[0]);
    event.currentTarget.value = "";
  };
  return <label {...rest}>{label}<input type="file" class="hidden-label" onChange={chosen} /></label>;
}

/** Whether amounts are in chips or in big blinds. */
export function AmountsButton() {
  return <button class="tiny" aria-pressed={amountUnit() > 1} title={t("inBlinds")} aria-label={t("inBlinds")} onClick={switchAmounts}>bb</button>;
}

/** A few choices side by side. */
export function Choice<T extends string>({ label, value, set, options }: { label: string; value: T; set: (value: T) => void; options: (readonly [T, string])[] }) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {options.map(([key, text]) => <button type="button" key={key} aria-pressed={key === value} onClick={() => set(key)}>{text}</button>)}
    </div>
  );
}

export function Tabs<T extends string>({ label, value, set, options }: { label: string; value: T; set: (value: T) => void; options: (readonly [T, string])[] }) {
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const index = (options.findIndex(([key]) => key === value) + by + options.length) % options.length;
    set(options[index][0]);
    (event.currentTarget as HTMLElement).querySelectorAll("button")[index]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
      {options.map(([key, text]) => (
        <button type="button" role="tab" key={key} aria-selected={key === value} tabIndex={key === value ? 0 : -1} onClick={() => set(key)}>{text}</button>
      ))}
    </div>
  );
}

export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} onClose={close} aria-label={title} onClick={(event) => event.target === dialog.current && close()}>
      <div class="row between"><h2>{title}</h2><button class="quiet" onClick={close} aria-label={t("close")}>✕</button></div>
      {children}
    </dialog>
  );
}

export function Problem({ text, retry }: { text: string; retry?: () => void }) {
  return <p class="notice error" role="alert">{problemText(text)} {retry ? <button class="tiny" onClick={retry}>{t("retry")}</button> : null}</p>;
}

export function CopyButton({ text, label }: { text: () => string; label: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      // There is none on plain http from another machine.
      await navigator.clipboard.writeText(text());
    } catch {
      prompt(label, text());
      return;
    }
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return <button class="tiny" onClick={() => void copy()}>{done ? t("copied") : label}</button>;
}

/** Picks up to `most` cards: as text, or from the deck. */
export function CardPicker({ label, value, set, most, taken = [] }: { label: string; value: string; set: (text: string) => void; most: number; taken?: string[] }) {
  const chosen = splitCards(value);
  const toggle = (card: string) => {
    if (chosen.includes(card)) set(chosen.filter((one) => one !== card).join(""));
    else if (chosen.length < most) set([...chosen, card].join(""));
  };
  return (
    <div role="group" aria-label={label}>
      <div class="deck-pick">
        {[...SUITS].reverse().map((suit) => (
          <div key={suit} class="deck-row">
            {[...RANKS].reverse().map((rank) => {
              const card = rank + suit;
              return (
                <button type="button" key={card} class={`deck-card suit-${suit}`} aria-pressed={chosen.includes(card)} aria-label={cardName(card)}
                  disabled={taken.includes(card) || !CARDS.includes(card)} onClick={() => toggle(card)}>
                  <span aria-hidden="true">{rank}</span><svg viewBox="0 0 20 20" aria-hidden="true"><path d={SUIT_PATH[suit]} /></svg>
                </button>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}
