import { useState } from "preact/hooks";
import type { AgentInfo, Measured, OpponentInfo, OptionInfo } from "../messages";
import { named, number, signed, t, type Key } from "../strings";
import { Field, Tick } from "../ui/Controls";

interface Parsed {
  name: string;
  preset: string;
  options: Record<string, string>;
}

/** "style:LA,size=people" as a name, a preset and options. */
export function parseSpec(spec: string): Parsed {
  const [name, rest = ""] = spec.split(/:(.*)/s);
  const parts = rest.split(/,(?![^(]*\))/).filter(Boolean);
  const preset = parts[0]?.includes("=") ? "" : (parts.shift() ?? "");
  return { name, preset, options: Object.fromEntries(parts.map((part) => part.split(/=(.*)/s).slice(0, 2) as [string, string])) };
}

export function writeSpec({ name, preset, options }: Parsed): string {
  const parts = [preset, ...Object.entries(options).filter(([, value]) => value !== "").map(([key, value]) => `${key}=${value}`)].filter(Boolean);
  return parts.length ? `${name}:${parts.join(",")}` : name;
}

const KINDS: [OpponentInfo["kind"], Key][] = [["people", "kindPeople"], ["thinker", "kindThinker"], ["style", "kindStyle"], ["simple", "kindSimple"]];

/** The rated strength of an opponent at a table of so many seats. */
const strengthOf = (one: OpponentInfo, seats: number): Measured | null => (seats === 2 ? one.heads_up : one.six_max);

/** A picture of an opponent: the first letter of its name in a colour of its kind. */
function Portrait({ name, kind }: { name: string; kind: string }) {
  return <span class={`portrait ${kind}`} aria-hidden="true">{name.slice(0, 1)}</span>;
}

interface Props {
  label: string;
  spec: string | null;
  agents: AgentInfo[];
  known: OpponentInfo[];
  seats: number;
  set: (spec: string | null) => void;
}

/** Who sits in a seat: an opponent with a name (by kind, the strongest first), another agent, or a person who comes by
 *  link. The spec and its options stand behind a button. */
export function OpponentField({ label, spec, agents, known, seats, set }: Props) {
  const [open, setOpen] = useState(false);
  const parsed = parseSpec(spec ?? "");
  const agent = agents.find((one) => one.name === parsed.name);
  const others = agents.filter((one) => !one.error && !known.some((other) => parseSpec(other.spec).name === one.name)).map((one) => one.name);
  const seated = known.find((one) => one.spec === spec);
  if (spec !== null && !seated && !others.includes(spec)) others.unshift(spec);
  const rank = (one: OpponentInfo) => strengthOf(one, seats)?.mean ?? -Infinity;
  const strength = seated && strengthOf(seated, seats);
  const name = named("seat", spec ?? "");
  const option = (one: string, text: string) => <option key={one} value={one} selected={one === spec}>{text}</option>;
  return (
    <div class="opponent">
      <div class="row end nowrap">
        <Portrait name={spec === null ? "?" : name} kind={seated?.kind ?? ""} />
        <label class="field grow"><span>{label}</span>
          <select value={spec ?? ""} onChange={(event) => set(event.currentTarget.value || null)}>
            <option value="" selected={spec === null}>{t("person")}</option>
            {KINDS.map(([kind, key]) => (
              <optgroup key={kind} label={t(key)}>
                {known.filter((one) => one.kind === kind).sort((a, b) => rank(b) - rank(a) || 0).map((one) => {
                  const rated = strengthOf(one, seats);
                  return option(one.spec, named("seat", one.spec) + (rated ? ` (${signed(rated.mean)})` : ""));
                })}
              </optgroup>
            ))}
            {others.length ? <optgroup label={t("otherSpec")}>{others.map((one) => option(one, one))}</optgroup> : null}
          </select>
        </label>
        <button type="button" class="opponent-more" aria-expanded={open} aria-label={t("options")} title={t("options")} disabled={spec === null} onClick={() => setOpen(!open)}>
          <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><path d="M2 5h9M15 5h3M2 10h3M9 10h9M2 15h9M15 15h3M13 3v4M7 8v4M13 13v4" stroke="currentColor" stroke-width="1.700" stroke-linecap="round" fill="none" /></svg>
        </button>
      </div>
      {seated ? <p class="small muted opponent-about">{named("about", seated.spec)}{t("fullStop")}{strength ? ` ${t("strengthOf", { n: signed(strength.mean), error: number(1.96 * strength.se) })}` : ""}</p> : null}
      {open && spec !== null ? (
        <div class="opponent-options">
          {agent ? <About name={agent.name} about={agent.about} /> : null}
          <div class="fields">
            <Field label={t("spec")}><input type="text" value={spec} onChange={(event) => set(event.currentTarget.value || null)} /></Field>
            {agent?.options.map((option) => (
              <OptionField key={option.name} option={option} value={parsed.options[option.name] ?? ""}
                set={(value) => set(writeSpec({ ...parsed, options: { ...parsed.options, [option.name]: value } }))} />
            ))}
          </div>
        </div>
      ) : null}
    </div>
  );
}

function About({ name, about }: { name: string; about: string }) {
  const text = named("agent", name, about);
  return <p class="small muted" lang={text === about ? "en" : undefined}>{text}</p>;
}

function OptionField({ option, value, set }: { option: OptionInfo; value: string; set: (value: string) => void }) {
  if (option.kind === "flag") return <Tick label={option.name} on={(value || option.default) === "on"} set={(on) => set(on ? "on" : "off")} />;
  return (
    <Field label={option.name}>
      {option.choices.length ? (
        <select title={option.about} value={value} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">{t("defaultValue", { value: option.default })}</option>
          {option.choices.map((choice) => <option key={choice} value={choice} selected={choice === value}>{choice}</option>)}
        </select>
      ) : (
        <input type="text" title={option.about} value={value} placeholder={option.default} onChange={(event) => set(event.currentTarget.value)} />
      )}
    </Field>
  );
}
