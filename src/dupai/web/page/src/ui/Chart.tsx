import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { token } from "../theme";

export interface Line {
  name: string;
  points: readonly (readonly [number, number])[];
  dashed?: boolean;
}

export interface ChartProps {
  label: string;
  lines: Line[];
  height?: number;
  /** Text of a value on the vertical axis. */
  value?: (value: number) => string;
  xValue?: (value: number) => string;
  log?: boolean;
  range?: [number, number];
  xRange?: [number, number];
  steps?: boolean;
}

export const LINE_COLORS = 8;

/** Lines over hands, seconds or streets. Lines need not share their places. */
export function Chart({ label, lines, height = 220, value, xValue, log, range, xRange, steps }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let plot: uPlot | null = null;
    let gone = false;
    const draw = async () => {
      const { default: Plot } = await import("./plot");
      if (gone || !place.current) return;
      plot?.destroy();
      const xs = [...new Set(lines.flatMap((line) => line.points.map((point) => point[0])))].sort((a, b) => a - b);
      const data = [xs, ...lines.map((line) => {
        const values = new Map(line.points.map(([x, y]) => [x, y]));
        return xs.map((x) => values.get(x) ?? null);
      })];
      const axis = { stroke: token("--muted"), grid: { stroke: token("--line"), width: 1 }, ticks: { stroke: token("--line"), width: 1, size: 4 }, font: `11px ${token("--font")}` };
      const bare = place.current.clientWidth;
      const options: uPlot.Options = {
        width: bare, height, legend: { show: false }, cursor: { drag: { setScale: false } },
        scales: { x: { time: false, ...(xRange ? { range: () => xRange } : {}) }, y: { distr: log ? 3 : 1, ...(range ? { range: () => range } : {}) } },
        axes: [
          { ...axis, size: 30, space: 56, ...(xValue ? { values: (_: uPlot, ticks: number[]) => ticks.map(xValue) } : {}) },
          { ...axis, size: 52, space: 34, ...(value ? { values: (_: uPlot, ticks: (number | null)[]) => ticks.map((tick) => (tick === null ? "" : value(tick))) } : {}) },
        ],
        series: [{}, ...lines.map((line, i) => ({
          label: line.name, stroke: token(`--line-${1 + (i % LINE_COLORS)}`), width: 2, spanGaps: true, dash: line.dashed ? [6, 5] : undefined,
          points: { show: line.points.length < 12 }, paths: steps ? Plot.paths.stepped!({ align: 1 }) : undefined,
        }))],
      };
      plot = new Plot(options, data as uPlot.AlignedData, place.current);
    };
    const redraw = () => void draw();
    redraw();
    const resized = new ResizeObserver(() => plot && place.current && plot.setSize({ width: place.current.clientWidth, height }));
    if (place.current) resized.observe(place.current);
    addEventListener("theme", redraw);
    return () => {
      gone = true;
      removeEventListener("theme", redraw);
      resized.disconnect();
      plot?.destroy();
    };
  }, [JSON.stringify(lines), height, log]);
  const last = (line: Line) => line.points[line.points.length - 1]?.[1];
  return (
    <figure class="chart" role="img" aria-label={`${label}. ${lines.map((line) => `${line.name}: ${value?.(last(line) ?? 0) ?? last(line)}`).join(", ")}`}>
      {lines.length > 1 ? <Legend names={lines.map((line) => line.name)} /> : null}
      <div ref={place} class="plot-place" />
    </figure>
  );
}

export function Legend({ names }: { names: string[] }) {
  return <div class="chart-legend">{names.map((name, i) => <span key={name + i}><i class={`swatch bg-line-${1 + (i % LINE_COLORS)}`} />{name}</span>)}</div>;
}
