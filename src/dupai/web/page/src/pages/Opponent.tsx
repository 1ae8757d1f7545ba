import { useState } from "preact/hooks";
import type { AgentInfo, OptionInfo } from "../messages";
import { named, t } from "../strings";
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

interface Props {
  label: string;
  spec: string | null;
  agents: AgentInfo[];
  suggestions: string[];
  set: (spec: string | null) => void;
}

/** Who sits in a seat: a suggestion, any agent with a preset and its options, or a person who comes by link. */
export function OpponentField({ label, spec, agents, suggestions, set }: Props) {
  const [open, setOpen] = useState(false);
  const parsed = parseSpec(spec ?? "");
  const agent = agents.find((one) => one.name === parsed.name);
  const usable = agents.filter((one) => !one.error);
  const listed = [...new Set([...suggestions, ...usable.flatMap((one) => [one.name, ...one.presets.map((preset) => `${one.name}:${preset}`)])])];
  if (spec !== null && !listed.includes(spec)) listed.unshift(spec);
  return (
    <div class="opponent">
      <div class="row end nowrap">
        <label class="field grow"><span>{label}</span>
          <select value={spec ?? ""} onChange={(event) => set(event.currentTarget.value || null)}>
            <option value="" selected={spec === null}>{t("person")}</option>
            {listed.map((one) => <option key={one} value={one} selected={one === spec}>{one}</option>)}
          </select>
        </label>
        <button type="button" aria-expanded={open} disabled={spec === null} onClick={() => setOpen(!open)}>{t("options")}</button>
      </div>
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
