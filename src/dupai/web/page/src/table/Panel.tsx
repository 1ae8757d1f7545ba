import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ask as request } from "../api";
import type { Advice, LessonLine, Lessons, LogLine, Made, Mirror, Readings, Reason, Reveal, SeatReading, State } from "../messages";
import { go } from "../router";
import { languageOf, named, number, percent, problemText, say, signed, STREETS, t, word } from "../strings";
import { Cards } from "../ui/Card";
import { Tabs } from "../ui/Controls";
import { ClassBars, MiniGrid, ReadingGrid } from "../ui/Grid";
import { actionColors } from "../ui/heat";

/** What the reader makes of each opponent at my decision, with equity, pot odds and advice. */
interface ReadingProps {
  readings: Readings;
  /** What happened in the hand. */
  log: readonly LogLine[];
  names: (seat: number) => string;
  /** What stands on the tab of a seat before its name. */
  position: (seat: number) => string;
  /** Agents to ask instead, and how. */
  advisors?: readonly string[];
  ask?: (agent: string) => void;
  /** They belong to an earlier decision: newer ones are on their way. */
  stale?: boolean;
}

/** Who has acted, in order, and whether by a bet or raise. */
function actionsOf(log: readonly LogLine[]): { seat: number; bets: boolean }[] {
  return log.flatMap(({ seat, about }) => {
    const code = about?.code === "with_all_in" ? (about.values?.action as Reason[])[0].code : (about?.code ?? "");
    return seat !== null && /^done\.(fold|check|call|bet|raise)$/.test(code) ? [{ seat, bets: /bet|raise/.test(code) }] : [];
  });
}

export function ReadingPanel({ readings, log, names, position, advisors = [], ask, stale = false }: ReadingProps) {
  const [chosen, setChosen] = useState<string>("");
  const seats = readings.seats;
  const acted = actionsOf(log);
  const aggressors = acted.filter((one) => one.bets && seats.some(({ seat }) => seat === one.seat));
  const seatOf = (seat: string | number | undefined) => seats.find((one) => String(one.seat) === String(seat));
  const current = seatOf(chosen) ?? seatOf(aggressors[aggressors.length - 1]?.seat) ?? seats[0];
  const advice = readings.advice ? <AdviceView advice={readings.advice} advisors={advisors} ask={ask} /> : null;
  return (
    <div class={`stack panel-body${stale ? " stale" : ""}`} aria-busy={stale}>
      {stale ? <p class="small muted" role="status">{t("panelReads")}</p> : null}
      <div class="figures">
        {readings.equity ? <Figure name={t("yourEquity")} value={percent(readings.equity.mean, 1)} note={readings.equity.se > 0 ? `± ${percent(1.96 * readings.equity.se, 1)}` : ""} /> : null}
        {readings.pot_odds !== null ? <Figure name={t("potOdds")} value={percent(readings.pot_odds, 1)} note={t("needs", { p: percent(readings.pot_odds) })} /> : null}
      </div>
      {readings.error ? <p class="notice warn">{readings.error}</p> : null}
      {seats.length > 1 ? <Tabs label={t("reading")} value={String(current.seat)} set={setChosen} options={seats.map((one) => [String(one.seat), `${position(one.seat)} ${names(one.seat)}`] as const)} /> : null}
      {current ? <SeatReadingView reading={current} title={t("holds", { name: names(current.seat) })} acted={acted.some(({ seat }) => seat === current.seat)}>{advice}</SeatReadingView> : advice}
    </div>
  );
}

export function Figure({ name, value, note = "" }: { name: string; value: string; note?: string }) {
  return <div class="figure"><span class="small muted">{name}</span><b class="num">{value}</b>{note ? <span class="small muted num">{note}</span> : null}</div>;
}

/** A reading in words and as a grid; what stands in it follows the grid, before the small print. */
export function SeatReadingView({ reading, title, acted = true, children }: { reading: SeatReading; title: string; acted?: boolean; children?: ComponentChildren }) {
  const [narrowed, top, counted] = reading.said;
  return (
    <section class="stack">
      <div>
        <h3>{title}</h3>
        <p class="read-words num">{acted ? <><b>{say(narrowed)}</b><br />{say(top)}</> : <b>{t("notActed")}</b>}</p>
        <ReadingGrid p={reading.p} label={`${t("grid")}: ${title}`} />
        <div class="heat-key" aria-hidden="true">0 <i /> max</div>
      </div>
      {children}
      {reading.classes.length ? <div><h3>{t("hereClasses")}</h3><ClassBars classes={reading.classes} /></div> : null}
      {reading.draws.some((one) => one.p >= 0.005) ? <div><h3>{t("hereDraws")}</h3><ClassBars classes={reading.draws} /></div> : null}
      {reading.streets.length > 1 ? (
        <div>
          <h3>{t("byStreet")}</h3>
          <div class="strip">
            {reading.streets.map((one, i) => <figure key={i}><MiniGrid grid={one.grid} label={`${t(STREETS[one.street])}: ${title}`} /><figcaption>{t(STREETS[one.street])}</figcaption></figure>)}
          </div>
        </div>
      ) : null}
      {reading.equity !== null ? <p class="small muted num">{t("equityAlone")}: {percent(reading.equity, 1)}</p> : null}
      <p class="small muted num">{say(counted)}</p>
    </section>
  );
}

export function AdviceView({ advice, advisors = [], ask }: { advice: Advice; advisors?: readonly string[]; ask?: (agent: string) => void }) {
  const colors = actionColors(advice.actions);
  const actions = advice.actions.map((one, i) => ({ ...one, color: colors[i] }));
  return (
    <section class="advice">
      <div class="row between advice-head"><h3>{t("advice")}</h3>{ask ? (
        <select class="tiny-select" aria-label={t("adviceBy")} value={advice.agent} onChange={(event) => ask(event.currentTarget.value)}>
          {[...new Set([advice.agent, ...advisors])].map((one) => <option key={one} value={one} selected={one === advice.agent}>{named("seat", one)}</option>)}
        </select>
      ) : <span class="small muted">{named("seat", advice.agent)}</span>}</div>
      <div class="mix" role="img" aria-label={actions.map((one) => `${say(one.about)} ${percent(one.p)}`).join(", ")}>
        {actions.map((one, i) => one.p > 0 ? <span key={i} class={`act-${one.color}`} style={{ width: `${100 * one.p}%` }}>{one.p > 0.16 ? percent(one.p) : ""}</span> : null)}
      </div>
      <ul class="mix-key small num">
        {actions.filter((one) => one.p >= 0.005 || one.ev !== null).slice(0, 6).map((one, i) => (
          <li key={i}><i class={`swatch act-${one.color}`} />{say(one.about)} <span class="muted">{percent(one.p)}{one.ev !== null ? ` · ${number(one.ev, 2)} bb` : ""}</span></li>
        ))}
      </ul>
      {advice.reasons.length ? <details class="small" open><summary>{t("reasons")}</summary><ul class="reasons">{advice.reasons.map((reason, i) => <li key={i} lang={languageOf(reason)}>{say(reason)}</li>)}</ul></details> : null}
    </section>
  );
}

export function MirrorPanel({ mirror }: { mirror: Mirror | null }) {
  if (!mirror) return <p class="muted panel-body">{t("mirrorWait")}</p>;
  return (
    <div class="stack panel-body">
      <p class="num"><b>{say(mirror.said)}</b> <span class="small muted">({t("bitsShort", { n: signed(mirror.bits, 2) })})</span></p>
      <SeatReadingView reading={mirror.reading} title={t("mirrorAbout")} />
      <p class="small muted">{say({ code: "bits_how" })}</p>
    </div>
  );
}

export function RevealPanel({ reveal, names }: { reveal: Reveal | null; names: (seat: number) => string }) {
  if (!reveal) return <p class="muted panel-body">{t("revealWait")}</p>;
  const session = reveal.calibration;
  return (
    <div class="stack panel-body">
      <h3>{t("hand", { n: reveal.hand })}</h3>
      {reveal.seats.length ? reveal.seats.map((one) => (
        <div key={one.seat} class="shown">
          <Cards cards={one.cards} size="small" />
          <div><b>{names(one.seat)}</b>
            <div class={`num ${one.bits >= 0 ? "good" : "muted"}`}>{one.said ? say(one.said) : ""}</div>
            <div class="small muted num">{t("givenP", { p: percent(one.p, 2) })} · {t("bits", { n: signed(one.bits, 2) })}</div>
          </div>
        </div>
      )) : <p class="muted">{t("none")}</p>}
      <section>
        <h3>{t("calibration")}</h3>
        <div class="figures">
          <Figure name={t("shownHands", { n: session.shown })} value={t("bitsShort", { n: number(session.bits.mean, 2) })} note={session.bits.n > 1 ? `± ${number(1.96 * session.bits.se, 2)}` : ""} />
          <Figure name={t("covered")} value={session.shown ? percent(session.covered) : "–"} note="≈ 80 %" />
        </div>
        <p class="small muted">{say({ code: "bits_how" })}</p>
      </section>
    </div>
  );
}

export function CoachPanel({ lessons, table, on }: { lessons: Lessons | null; table: State; on: boolean }) {
  if (!on) return <p class="muted panel-body">{t("coachOff")}</p>;
  if (!lessons) return <p class="muted panel-body">{t("coachWait")}</p>;
  return (
    <div class="stack panel-body">
      <div class="figures"><Figure name={t("totalCost")} value={`${number(lessons.total.mean, 2)} bb`} note={`± ${number(1.96 * lessons.total.se, 2)}`} /></div>
      <LessonList lessons={lessons.lessons} table={table.table} />
      {lessons.worst.length ? <section><h3>{t("worst")}</h3><LessonList lessons={lessons.worst} table={table.table} /></section> : null}
    </div>
  );
}

function LessonList({ lessons, table }: { lessons: readonly LessonLine[]; table: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const again = async (lesson: LessonLine) => {
    try {
      go(`/table/${(await request<Made>(`/api/tables/${table}/again`, { hand: lesson.hand, decision: lesson.decision })).id}`);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <ul class="lessons">
      {problem ? <li class="notice error" role="alert">{problemText(problem)}</li> : null}
      {lessons.map((lesson) => (
        <li key={`${lesson.hand}.${lesson.decision}`}>
          <div class="row between">
            <span><b>{t("hand", { n: lesson.hand })}</b> · {t(STREETS[lesson.street])}</span>
            <span class={`num ${lesson.sure ? "bad" : "muted"}`}>{lesson.sure ? `${t("gaveUp", { n: number(lesson.gave_up.mean, 2) })} ± ${number(1.96 * lesson.gave_up.se, 2)} bb` : lesson.gave_up.n ? t("evenPlay") : ""}</span>
          </div>
          {lesson.gave_up.n ? null : <p class="notice warn">{say(lesson.about)}</p>}
          <div class="small">{t("chosen")}: {say(lesson.chosen)}{lesson.sure && say(lesson.best) !== say(lesson.chosen) ? <> · {t("better")}: <b>{say(lesson.best)}</b></> : null}</div>
          <div class="row between">
            <span class="small muted num">{lesson.values.map((one) => `${word(`${one.action} bet`, word(one.action))} ${signed(one.ev.mean, 2)} bb`).join(" · ")}</span>
            <button class="tiny" onClick={() => void again(lesson)}>{t("again")}</button>
          </div>
        </li>
      ))}
    </ul>
  );
}
