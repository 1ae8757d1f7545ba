import { RANKS } from "../cards";
import { t, type Key } from "../strings";

/** Suits as paths in a box of 20 by 20, so that they look alike everywhere. */
export const SUIT_PATH: Record<string, string> = {
  s: "M10 1.500C11.200 4.600 18 7.700 18 12.300c0 2.400-1.700 3.900-3.700 3.900-1.300 0-2.400-.600-3.100-1.600.1 1.900.8 3 1.800 3.900H7c1-.9 1.700-2 1.800-3.900-.7 1-1.800 1.600-3.100 1.600-2 0-3.700-1.500-3.700-3.900C2 7.700 8.800 4.600 10 1.500z",
  h: "M10 18C7.400 15.400 1.800 11.600 1.800 7.100 1.800 4.400 3.700 2.400 6 2.400c1.700 0 3.200 1 4 2.700.8-1.700 2.300-2.700 4-2.700 2.300 0 4.200 2 4.200 4.700C18.200 11.600 12.600 15.400 10 18z",
  d: "M10 1.500C11.800 4.800 14.400 7.800 17 10c-2.600 2.200-5.200 5.200-7 8.500C8.200 15.200 5.600 12.200 3 10c2.600-2.200 5.200-5.200 7-8.500z",
  c: "M10 1.800a3.900 3.900 0 0 1 3.200 6.200 3.900 3.900 0 1 1-1.900 6.900c.2 1.500.8 2.600 1.700 3.600H7c.9-1 1.500-2.100 1.700-3.600A3.900 3.900 0 1 1 6.800 8 3.900 3.900 0 0 1 10 1.800z",
};

export function cardName(card: string): string {
  const rank = RANKS.indexOf(card[0]) < 8 ? card[0] : t(`rank_${card[0]}` as Key);
  return t("cardName", { rank, suit: t(`s_${card[1]}` as Key) });
}

export type CardSize = "small" | "normal" | "large";

/** A card, face up ("As"), face down ("??") or a place for one (null). */
export function Card({ card, size = "normal", dim = false }: { card: string | null; size?: CardSize; dim?: boolean }) {
  if (card === null) return <span class={`card place ${size}`} aria-hidden="true" />;
  if (card === "??") return <span class={`card back ${size}`} role="img" aria-label={t("faceDown")} />;
  return (
    <span class={`card suit-${card[1]} ${size}${dim ? " dim" : ""}`} role="img" aria-label={cardName(card)}>
      <span class="rank" aria-hidden="true">{card[0] === "T" ? "10" : card[0]}</span>
      <svg viewBox="0 0 20 20" aria-hidden="true"><path d={SUIT_PATH[card[1]]} /></svg>
    </span>
  );
}

export function Cards({ cards, size, places = 0, dim }: { cards: readonly string[]; size?: CardSize; places?: number; dim?: boolean }) {
  const empty = Math.max(0, places - cards.length);
  return (
    <span class="cards">
      {cards.map((card, i) => <Card key={card === "??" ? i : card} card={card} size={size} dim={dim} />)}
      {Array.from({ length: empty }, (_, i) => <Card key={`place${i}`} card={null} size={size} />)}
    </span>
  );
}

/** Cards in running text: coloured rank and suit. */
export function Inline({ cards }: { cards: readonly string[] }) {
  return (
    <span class="inline-cards">
      {cards.map((card) => (
        <span key={card} class={`suit-${card[1]}`} role="img" aria-label={cardName(card)}>
          <span aria-hidden="true">{card[0]}</span>
          <svg viewBox="0 0 20 20" aria-hidden="true"><path d={SUIT_PATH[card[1]]} /></svg>
        </span>
      ))}
    </span>
  );
}
