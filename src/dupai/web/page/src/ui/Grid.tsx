import { useEffect, useRef, useState } from "preact/hooks";
import { CARDS, COMBO_CARDS, COMBOS_OF, SQUARE_TEXT } from "../cards";
import { word, percent, t } from "../strings";
import { Inline } from "./Card";
import { heat, heatScale, heatTone, LEAST_TOP } from "./heat";

/** Part of a square: a colour and its share of the square's height (or width, of a strategy). */
export interface Part {
  fill: string;
  share: number;
}

export interface GridProps {
  label: string;
  /** How a square is filled: from the left, or as a whole where there is one part of share 1. */
  parts: (index: number) => Part[];
  /** How dark the square is under its text: see `heatTone`. */
  tone?: (index: number) => string;
  /** Said to screen readers, and what stands in the tooltip. */
  describe: (index: number) => string;
  at?: number | null;
  onPoint?: (index: number) => void;
  /** Painting: called for each square that the pointer is dragged over, and for the space bar. */
  onPaint?: (index: number, first: boolean) => void;
  height?: (index: number) => number;
}

const CELL = 30;

/** The 13 x 13 grid of starting hands: one tab stop, arrow keys move, space paints. */
export function Grid13({ label, parts, tone, describe, at, onPoint, onPaint, height }: GridProps) {
  const [focus, setFocus] = useState(0);
  const root = useRef<SVGSVGElement>(null);
  const painting = useRef<number | null>(null);
  useEffect(() => {
    const stop = () => (painting.current = null);
    addEventListener("pointerup", stop);
    addEventListener("pointercancel", stop);
    return () => {
      removeEventListener("pointerup", stop);
      removeEventListener("pointercancel", stop);
    };
  }, []);
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      onPaint?.(focus, true);
      onPoint?.(focus);
    } else if (event.key in steps) {
      event.preventDefault();
      event.stopPropagation();
      const next = focus + steps[event.key];
      if (next < 0 || next > 168) return;
      setFocus(next);
      onPoint?.(next);
      root.current?.querySelector<SVGGElement>(`[data-square="${next}"]`)?.focus();
    }
  };
  const squareAt = (event: PointerEvent): number | null => {
    const box = root.current!.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * 13);
    const row = Math.floor(((event.clientY - box.top) / box.height) * 13);
    return column >= 0 && column < 13 && row >= 0 && row < 13 ? row * 13 + column : null;
  };
  const point = (event: PointerEvent, first: boolean) => {
    const index = squareAt(event);
    if (index === null) return;
    if (first) {
      painting.current = index;
      root.current?.setPointerCapture(event.pointerId);
      onPaint?.(index, true);
    } else if (painting.current !== null && painting.current !== index) {
      painting.current = index;
      onPaint?.(index, false);
    }
    onPoint?.(index);
  };
  return (
    <svg class="grid13" ref={root} viewBox={`0 0 ${13 * CELL} ${13 * CELL}`} role="grid" aria-label={label} onKeyDown={move}
      onPointerDown={(event: PointerEvent) => point(event, true)} onPointerMove={(event: PointerEvent) => point(event, false)}>
      {Array.from({ length: 13 }, (_, row) => (
        <g key={row} role="row">
          {Array.from({ length: 13 }, (_, column) => {
            const index = row * 13 + column;
            const tall = height ? height(index) : 1;
            let x = column * CELL;
            return (
              <g key={index} role="gridcell" data-square={index} tabIndex={index === focus ? 0 : -1} aria-label={describe(index)}
                class={`cell ${tone?.(index) ?? ""}${at === index ? " at" : ""}`} onFocus={() => (setFocus(index), onPoint?.(index))}>
                <rect class="base" x={column * CELL} y={row * CELL} width={CELL} height={CELL} />
                {parts(index).map((part, i) => {
                  const left = x;
                  x += part.share * CELL;
                  return part.share > 0 && tall > 0 ? (
                    <rect key={i} x={left} y={row * CELL + (1 - tall) * CELL} width={part.share * CELL} height={tall * CELL} style={{ fill: part.fill }} />
                  ) : null;
                })}
                <rect class="frame" x={column * CELL + 0.5} y={row * CELL + 0.5} width={CELL - 1} height={CELL - 1} rx="1" />
                <text x={(column + 0.5) * CELL} y={(row + 0.5) * CELL + 3.8}>{SQUARE_TEXT[index]}</text>
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}

/** A reading: 1,326 probabilities as a heat map, with the square that is pointed at in a tooltip. */
export function ReadingGrid({ p, label }: { p: readonly number[]; label: string }) {
  const [at, setAt] = useState<number | null>(null);
  const live = COMBOS_OF.map((combos) => combos.filter((combo) => p[combo] > 0));
  const possible = live.reduce((sum, combos) => sum + combos.length, 0);
  const sums = live.map((combos) => combos.reduce((sum, combo) => sum + p[combo], 0));
  const means = sums.map((sum, index) => sum / COMBOS_OF[index].length);
  const top = Math.max(...means, LEAST_TOP);
  const words = (i: number) => t("squareShare", { p: percent(sums[i], 1), before: percent(live[i].length / possible, 1) });
  const [row, column] = at === null ? [0, 0] : [Math.floor(at / 13), at % 13];
  const part = (n: number) => `${(100 * n) / 13}%`;
  return (
    <div class="reading-grid" onPointerLeave={() => setAt(null)} onFocusOut={() => setAt(null)} onKeyDown={(event) => event.key === "Escape" && setAt(null)}>
      <Grid13 label={label} at={at} onPoint={setAt} parts={(i) => [{ fill: heat(means[i] / top), share: 1 }]} tone={(i) => heatTone(means[i] / top)}
        describe={(i) => `${SQUARE_TEXT[i]} ${words(i)}`} />
      {at === null ? null : (
        <div class="grid-note small num" role="tooltip" style={{ [row < 7 ? "top" : "bottom"]: part(row < 7 ? row + 1 : 13 - row), ...(column < 4 ? { left: part(column) } : column > 8 ? { right: part(12 - column) } : { left: "50%", transform: "translateX(-50%)" }) }}>
          <b>{SQUARE_TEXT[at]}</b> {words(at)}
          <div class="combo-list">{live[at].map((combo) => (
            <span key={combo}><Inline cards={[CARDS[COMBO_CARDS[combo][1]], CARDS[COMBO_CARDS[combo][0]]]} /> <span class="muted">{percent(p[combo], 2)}</span></span>
          ))}</div>
        </div>
      )}
    </div>
  );
}

/** A small heat map without text. */
export function MiniGrid({ grid, label }: { grid: readonly number[]; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const draw = () => {
      const context = canvas.current?.getContext("2d");
      if (!context) return;
      const image = context.createImageData(13, 13);
      const scale = heatScale();
      const mean = grid.reduce((sum, value, index) => sum + value * COMBOS_OF[index].length, 0) / 1326;
      const top = Math.max(...grid, 1326 * LEAST_TOP * mean, 1e-12);
      grid.forEach((value, index) => image.data.set([...scale(value / top), 255], 4 * index));
      context.putImageData(image, 0, 0);
    };
    draw();
    addEventListener("theme", draw);
    return () => removeEventListener("theme", draw);
  }, [grid]);
  return <canvas class="mini" ref={canvas} width={13} height={13} role="img" aria-label={label} />;
}

/** Classes of hands with their probabilities, likeliest first. */
export function ClassBars({ classes, most = 7 }: { classes: readonly { name: string; p: number }[]; most?: number }) {
  const shown = [...classes].filter((one) => one.p >= 0.005).sort((a, b) => b.p - a.p).slice(0, most);
  return <Bars rows={shown.map((one) => ({ name: word(one.name), value: one.p, text: percent(one.p) }))} />;
}

/** Shares of the whole, each as a bar. */
export function Bars({ rows }: { rows: { name: string; value: number; text: string }[] }) {
  return (
    <div class="bars">
      {rows.map((row) => [
        <span key={`${row.name}n`}>{row.name}</span>,
        <span key={`${row.name}b`} class="bar-track" aria-hidden="true"><span class="bar-fill" style={{ width: `${100 * row.value}%`, display: "block" }} /></span>,
        <span key={`${row.name}v`} class="num muted">{row.text}</span>,
      ])}
    </div>
  );
}
