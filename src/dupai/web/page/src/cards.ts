/** Cards, combos and the 169 squares, numbered as the server numbers them. */

export const RANKS = "23456789TJQKA";
export const SUITS = "cdhs";
export const COMBOS = 1326;

/** Cards by number: suit * 13 + rank. */
export const CARDS: string[] = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const NUMBER = new Map(CARDS.map((card, index) => [card, index]));

/** The two cards of each combo: the higher number last, ordered by it. */
export const COMBO_CARDS: [number, number][] = [];
for (let high = 1; high < 52; high++) for (let low = 0; low < high; low++) COMBO_CARDS.push([low, high]);

export function comboText(combo: number): string {
  const [a, b] = COMBO_CARDS[combo];
  const [first, second] = a % 13 > b % 13 || (a % 13 === b % 13 && a > b) ? [a, b] : [b, a];
  return CARDS[first] + CARDS[second];
}

/** The square (row * 13 + column, aces at the top left, suited above the diagonal) of a combo. */
function square(a: number, b: number): number {
  const [high, low] = a % 13 >= b % 13 ? [12 - (a % 13), 12 - (b % 13)] : [12 - (b % 13), 12 - (a % 13)];
  return Math.floor(a / 13) === Math.floor(b / 13) ? high * 13 + low : low * 13 + high;
}

export const SQUARE_OF = COMBO_CARDS.map(([a, b]) => square(a, b));
export const COMBOS_OF: number[][] = Array.from({ length: 169 }, () => []);
SQUARE_OF.forEach((index, combo) => COMBOS_OF[index].push(combo));

export const SQUARE_TEXT: string[] = Array.from({ length: 169 }, (_, index) => {
  const row = Math.floor(index / 13);
  const column = index % 13;
  const rank = (place: number) => RANKS[12 - place];
  if (row === column) return rank(row) + rank(row);
  return row < column ? `${rank(row)}${rank(column)}s` : `${rank(column)}${rank(row)}o`;
});

/** Mean of the combos of each square that are there. */
export function squareMeans(values: ArrayLike<number | null>, dead: Set<number> = new Set()): number[] {
  return COMBOS_OF.map((combos) => {
    const live = combos.filter((combo) => !COMBO_CARDS[combo].some((card) => dead.has(card)));
    return live.length ? live.reduce((sum, combo) => sum + (values[combo] ?? 0), 0) / live.length : 0;
  });
}

export function cardNumbers(cards: Iterable<string>): Set<number> {
  return new Set([...cards].map((card) => NUMBER.get(card)).filter((card) => card !== undefined));
}

/** "Td9d 6h" as ["Td", "9d", "6h"]; what is no card is left out. */
export function splitCards(text: string): string[] {
  return (text.match(/[2-9tjqka][cdhs]/gi) ?? []).map((card) => card[0].toUpperCase() + card[1].toLowerCase());
}

export function comboNumber(cards: readonly [string, string]): number {
  const [a, b] = cards.map((card) => NUMBER.get(card) ?? 0).sort((x, y) => x - y);
  return (b * (b - 1)) / 2 + a;
}
