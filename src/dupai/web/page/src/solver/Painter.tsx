import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask } from "../api";
import { COMBO_CARDS, COMBOS, COMBOS_OF, comboText, SQUARE_TEXT } from "../cards";
import type { Preset, RangeText } from "../messages";
import { named, number, percent, problemText, t } from "../strings";
import { Field } from "../ui/Controls";
import { Grid13 } from "../ui/Grid";

interface Props {
  text: string;
  /** Called at once with every change, so that nobody reads an old range; ``same``: the same range in fewer words. */
  set: (text: string, same?: boolean) => void;
  presets: Preset[];
  label: string;
  dead?: Set<number>;
}

/** A range in words that the server reads, square by square: it knows shorter ones. */
function weightsText(weights: readonly number[]): string {
  return COMBOS_OF.flatMap((combos, i) => {
    const same = combos.every((combo) => weights[combo] === weights[combos[0]]);
    return (same ? combos.slice(0, 1) : combos).filter((combo) => weights[combo] > 0).map((combo) => `${same ? SQUARE_TEXT[i] : comboText(combo)}${weights[combo] < 1 ? `:${weights[combo]}` : ""}`);
  }).join(", ");
}

/** The form in which the server has read a range, in the language of the page. */
function formWords(form: string): string {
  const numbers = /^(\d+) numbers \((.*)\)/.exec(form);
  if (numbers) return t("formNumbers", { n: numbers[1], order: numbers[2] });
  return form.split(", ").map((part) => {
    const [, text, rest] = /^(weights as )?(.*?)(?: by all-in equity)?$/.exec(part)!;
    return text ? t("formWeights", { text: rest }) : part !== rest ? t("formStrongest", { text: rest }) : part === "hands" ? t("formHands") : part;
  }).join(", ");
}

/** A range painted on the grid by dragging, with weights, presets and text. The text is what is sent. */
export function Painter({ text, set, presets, label, dead }: Props) {
  const [weights, setWeights] = useState<number[]>(() => new Array<number>(COMBOS).fill(0));
  const [typed, setTyped] = useState(text);
  const [problem, setProblem] = useState<string | null>(null);
  const [form, setForm] = useState("");
  const [weight, setWeight] = useState(100);
  const brush = useRef(0);
  const written = useRef<string | null>(null);
  const timer = useRef(0);
  // Only the answer to the newest question counts: they may come in another order.
  const asked = useRef(0);
  const cancel = () => {
    clearTimeout(timer.current);
    asked.current++;
  };
  const later = (wait: number, question: () => Promise<RangeText>, take: (range: RangeText) => void) => {
    cancel();
    const mine = asked.current;
    timer.current = window.setTimeout(() => question().then(
      (range) => mine === asked.current && (take(range), setProblem(null)),
      (error: Error) => mine === asked.current && setProblem(error.message),
    ), wait);
  };
  const clear = () => {
    cancel();
    setWeights(new Array<number>(COMBOS).fill(0));
    setProblem(null);
  };
  const take = (range: RangeText) => {
    setWeights([...(range.weights ?? [])]);
    setForm(range.form ?? "");
    // numbers and tables are sent on as a list of hands, which is shorter
    if (range.text && !range.form?.startsWith("hands")) publish(range.text, true);
  };
  const read = (next: string, wait = 0) => {
    written.current = next;
    setTyped(next);
    setForm("");
    if (next.trim()) later(wait, () => ask<RangeText>("/api/range", { text: next }), take);
    else clear();
  };
  // with the picture: an effect that runs later would take a text painted over meanwhile for a new one
  useLayoutEffect(() => {
    if (text !== written.current) read(text);
  }, [text]);
  useEffect(() => cancel, []);
  const publish = (next: string, same = false) => {
    written.current = next;
    set(next, same);
  };
  const write = (next: number[]) => {
    setForm("");
    publish(weightsText(next));
    later(200, () => (written.current ? ask<RangeText>("/api/range", { weights: next }) : Promise.resolve({})), (range) => {
      setTyped(range.text ?? "");
      publish(range.text ?? "", true);
    });
  };
  const paint = (index: number, first: boolean) => {
    const combos = COMBOS_OF[index];
    if (first) brush.current = combos.every((combo) => weights[combo] === weight / 100) ? 0 : weight / 100;
    setWeights((old) => {
      const next = [...old];
      for (const combo of combos) next[combo] = brush.current;
      write(next);
      return next;
    });
  };
  const type = (next: string) => {
    read(next, 450);
    set(next);
  };
  const live = (combo: number) => !dead || !COMBO_CARDS[combo].some((card) => dead.has(card));
  const total = weights.reduce((sum, one, combo) => sum + (live(combo) ? one : 0), 0);
  const mean = (index: number) => COMBOS_OF[index].reduce((sum, combo) => sum + weights[combo], 0) / COMBOS_OF[index].length;
  return (
    <div class="painter">
      <Grid13 label={`${label}. ${t("paintHelp")}`} onPaint={paint} height={mean} parts={(i) => [{ fill: mean(i) > 0 ? "var(--paint)" : "transparent", share: 1 }]}
        tone={(i) => (mean(i) > 0.6 ? "on-mid" : "")} describe={(i) => `${SQUARE_TEXT[i]} ${percent(mean(i))}`} />
      <p class="small muted num painter-sum">{t("selected", { p: percent(total / COMBOS, 1), n: number(total, total % 1 ? 1 : 0) })}{form ? <> · <span class="range-form">{t("readAs", { form: formWords(form) })}</span></> : null}</p>
      <div class="row end">
        <Field label={`${t("weight")} ${weight} %`}><input type="range" min={5} max={100} step={5} value={weight} onInput={(event) => setWeight(event.currentTarget.valueAsNumber)} /></Field>
        <Field label={t("presets")}>
          <select value="" onChange={(event) => event.currentTarget.value && (set(event.currentTarget.value), (event.currentTarget.value = ""))}>
            <option value="">…</option>
            {presets.map((preset) => <option key={preset.name} value={preset.text}>{named("range", preset.name)}</option>)}
          </select>
        </Field>
        <button type="button" onClick={() => type("")}>{t("clear")}</button>
      </div>
      <Field label={t("rangeText")}><textarea rows={2} value={typed} spellcheck={false} onInput={(event) => type(event.currentTarget.value)} /></Field>
      {problem ? <p class="small bad" role="alert">{problemText(problem)}</p> : null}
    </div>
  );
}
